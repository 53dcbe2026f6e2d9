/* test/xomp/native.c -- a translated program that uses qthreads as well.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "libxomp.h"

#include "tap.h"
#include "xomp/routines.h"

#include <qthread/qthread.h>

static void add_size(void *data)
{
	if (XOMP_single())
		__atomic_fetch_add((int *)data, omp_get_num_threads(), __ATOMIC_RELAXED);
	XOMP_barrier();
}

static int team_size(unsigned threads)
{
	int size = 0;

	XOMP_parallel_start(add_size, &size, 1, threads, "native.c", 1);
	XOMP_parallel_end("native.c", 2);
	return size;
}

static aligned_t region_of_a_task(void *arg)
{
	return (aligned_t)team_size((unsigned)(uintptr_t)arg);
}

static void regions_of_tasks(void)
{
	enum { N = 6 };
	aligned_t ret[N], size;
	bool good = true;

	for (uintptr_t i = 0; i < N; i++)
		good = good && qthread_fork(region_of_a_task, (void *)(i % 3 + 1), &ret[i]) == QTHREAD_SUCCESS;
	for (unsigned i = 0; i < N; i++) {
		qthread_readFF(&size, &ret[i]);
		good = good && size == i % 3 + 1;
	}
	ok(good, "qthreads have regions of their own, at once");
}

int main(int argc, char **argv)
{
	plan(4);
	if (qthread_initialize() != QTHREAD_SUCCESS)
		bail_out("qthread_initialize");
	XOMP_init(argc, argv);
	ok(team_size(0) == omp_get_max_threads(), "XOMP_init, and a region, where qthreads run already");
	regions_of_tasks();
	ok(team_size(3) == 3, "a region after those");
	XOMP_terminate(0);
	qthread_finalize();
	ok(team_size(4) == 4, "a region after qthread_finalize");
	return done();
}
