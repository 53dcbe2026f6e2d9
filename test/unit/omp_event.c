/* test/unit/omp_event.c -- an event fulfilled by who has nothing to do with OpenMP, while the task's team comes to its
 * end.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads of the program come and go; each leaves a task that a native qthread completes, waits for it and exits at
 * once: its team may be gone before the other has looked at it for the last time.  The qthreads' workers have met no
 * region, in a runtime that has as many workers as OpenMP knew before, and in one that has more.  A memory checker sees
 * the rest.
 */
#include "base/atomic.h"
#include "omp/abi/gomp_parallel.h"
#include "omp/abi/gomp_tasking.h"
#include "tap.h"

#include <pthread.h>
#include <qthread/qthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 2, ROUNDS = 60, WORKERS_LESS = 1, WORKERS_MORE = 3 };

static uint32_t bodies, fulfilled, living;

static aligned_t fulfil(void *arg)
{
	add_rlx(&fulfilled, 1);
	omp_fulfill_event((uintptr_t)arg);
	return 0;
}

static void body(void *unused)
{
	(void)unused;
	add_rlx(&bodies, 1);
}

/* Its body has ended when the qthread begins, or has not. */
static void detached(bool ended)
{
	void *event = NULL, *data = NULL;
	bool failed = false;

	if (!ended)
		GOMP_taskgroup_start();
	GOMP_task(body, &data, NULL, sizeof(data), _Alignof(void *), true, GOMP_TASK_DETACH, NULL, 0, &event);
	failed = qthread_fork(fulfil, event, NULL) != QTHREAD_SUCCESS;
	if (failed)
		fulfil(event);
	if (ended)
		GOMP_taskwait();
	else
		GOMP_taskgroup_end();
}

static void member(void *unused)
{
	(void)unused;
	detached(true);
	detached(false);
}

static void *thread_main(void *region)
{
	detached(true);
	if (region)
		GOMP_parallel(member, NULL, 2, 0);
	sub_acq_rel(&living, 1);
	return NULL;
}

/* The main task's worker runs others meanwhile. */
static void await_threads(void)
{
	while (load_acq(&living) != 0)
		qthread_yield();
}

static void come_and_go(void)
{
	for (unsigned i = 0; i < ROUNDS; i++) {
		pthread_t thread[THREADS];
		void *region = i % 4 == 0 ? thread : NULL;

		store_rel(&living, THREADS);
		for (unsigned t = 0; t < THREADS; t++)
			if (pthread_create(&thread[t], NULL, thread_main, region) != 0)
				bail_out("no thread");
		await_threads();
		for (unsigned t = 0; t < THREADS; t++)
			pthread_join(thread[t], NULL);
	}
}

static void start(unsigned workers)
{
	char number[16];

	snprintf(number, sizeof(number), "%u", workers);
	setenv("QT_NUM_SHEPHERDS", number, 1);
	setenv("QT_NUM_WORKERS_PER_SHEPHERD", "1", 1);
	if (qthread_initialize() != QTHREAD_SUCCESS)
		bail_out("no runtime");
}

static void check(const char *when)
{
	uint32_t tasks = THREADS * ROUNDS + (ROUNDS + 3) / 4 * THREADS * 4;

	bodies = fulfilled = 0;
	come_and_go();
	ok(bodies == tasks && fulfilled == tasks, "omp_fulfill_event: %u tasks have ended %s", tasks, when);
}

static void nothing(void *unused)
{
	(void)unused;
}

int main(void)
{
	plan(3);
	start(WORKERS_LESS);
	check("by workers that know no OpenMP");
	GOMP_parallel(nothing, NULL, 2, 0);
	check("after a region of theirs");
	qthread_finalize();
	start(WORKERS_MORE);
	check("by more workers than there were then");
	qthread_finalize();
	return done();
}
