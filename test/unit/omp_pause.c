/* test/unit/omp_pause.c -- omp_pause_resource ends the threads that regions have started, but not the program's own
 * runtime.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/atomic.h"
#include "omp/abi/api.h"
#include "omp/abi/device.h"
#include "omp/abi/gomp_parallel.h"
#include "tap.h"

#include <qthread/qthread.h>

enum { THREADS = 3, SOFT = 1, HARD = 2 };

static __thread uint32_t mine;
static uint32_t kept;           /* members that still had what they had stored */

static void store(void *unused)
{
	(void)unused;
	mine = 1;
}

static void look(void *unused)
{
	(void)unused;
	add_rlx(&kept, mine);
}

/* How many of THREADS have their variables after a pause. */
static uint32_t kept_over(int kind)
{
	kept = 0;
	GOMP_parallel(store, NULL, THREADS, 0);
	omp_pause_resource(kind, 0);
	GOMP_parallel(look, NULL, THREADS, 0);
	return kept;
}

static aligned_t answer(void *unused)
{
	(void)unused;
	return 42;
}

static aligned_t pause_as_task(void *unused)
{
	(void)unused;
	return (aligned_t)omp_pause_resource_all(HARD);
}

static void native(void)
{
	aligned_t done, value = 0;

	qthread_fork(answer, NULL, &done);
	ok(omp_pause_resource_all(HARD) == 0, "all: done");
	qthread_readFF(&value, &done);
	is_int(value, 42, "a program that has called qthread_initialize keeps its runtime, and its tasks");
	qthread_fork(pause_as_task, NULL, &done);
	qthread_readFF(&value, &done);
	is_int(value, 0, "a qthread that asks for it does no harm");
}

int main(void)
{
	plan(6);
	is_int(kept_over(SOFT), 1, "soft: the main thread keeps what is threadprivate, others are new");
	is_int(kept_over(HARD), 1, "hard: likewise");
	qthread_initialize();
	is_int(kept_over(HARD), THREADS, "not where the program has called qthread_initialize");
	native();
	qthread_finalize();
	return done();
}
