/* test/unit/barrier.c -- barriers and values of tasks where memory is short: a clear answer, and nobody is lost.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A scenario is repeated with the first, second, third, ... allocation failing until it asks for no more than have been
 * tried.  Leaks are for valgrind and AddressSanitizer to see.
 */
#include "api/every.h"
#include "base/atomic.h"
#include "fault.h"

#include <qthread/barrier.h>
#include <qthread/tls.h>

enum { CHECKS_PER_RUN = 4, N = 40 };

static bool has_failed(uint64_t nth)
{
	fault_end();
	return fault_asked() >= nth;
}

/* --- barriers -------------------------------------------------------------------------------------------- */

static qt_barrier_t *barrier;
static aligned_t inside;

static aligned_t meet(void *arg)
{
	(void)arg;
	qthread_incr(&inside, 1);
	qt_barrier_enter(barrier);
	const bool early = qthread_incr(&inside, 0) < N;
	qt_barrier_enter(barrier);
	return early;
}

static void creation(const char *what)
{
	qt_barrier_t *b[2];

	/* The first may be one that has been destroyed before: no memory is needed then. */
	fault_at(1);
	b[0] = qt_barrier_create(3, REGION_BARRIER);
	b[1] = qt_barrier_create(3, REGION_BARRIER);
	has_failed(1);
	ok(!b[0] != !b[1], "%s: qt_barrier_create: NULL without memory", what);
	qt_barrier_destroy(b[0]);
	qt_barrier_destroy(b[1]);
}

static void entering(const char *what)
{
	aligned_t ret[N], early = 0;
	uint64_t nth = 1;

	/* Stacks are asked for while tasks are on their way to sleep. */
	do {
		barrier = qt_barrier_create(N, REGION_BARRIER);
		inside = 0;
		fault_at(nth);
		for (int i = 0; i < N; i++)
			while (qthread_fork(meet, NULL, &ret[i]) != QTHREAD_SUCCESS)
				continue;
		for (int i = 0; i < N; i++) {
			while (qthread_readFF(NULL, &ret[i]) != QTHREAD_SUCCESS)
				continue;
			early += ret[i];
		}
		qt_barrier_destroy(barrier);
	} while (has_failed(nth++) && nth < 200);
	is_int(early, 0, "%s: qt_barrier_enter: without memory for a stack everybody waits all the same", what);
}

/* --- values ---------------------------------------------------------------------------------------------- */

static qthread_key_t key;

static aligned_t set_without_memory(void *arg)
{
	aligned_t wrong = 0;

	fault_at(1);
	wrong += qthread_setspecific(key, arg) != QTHREAD_MALLOC_ERROR;
	wrong += qthread_getspecific(key) != NULL;
	wrong += qthread_setspecific(key, NULL) != QTHREAD_SUCCESS;
	fault_at(1);
	qt_set_barrier(barrier);
	wrong += qt_get_barrier() != NULL;
	has_failed(1);
	wrong += qthread_setspecific(key, arg) != QTHREAD_SUCCESS;
	fault_at(1);
	wrong += qthread_setspecific(key, &key) != QTHREAD_SUCCESS;
	wrong += qthread_getspecific(key) != &key;
	has_failed(1);
	return wrong;
}

static void *without_memory(void *arg)
{
	*(aligned_t *)arg = set_without_memory(arg);
	return NULL;
}

static void setting(const char *what)
{
	aligned_t wrong = 1;
	pthread_t thread;

	qthread_key_create(&key, NULL);
	qthread_fork(set_without_memory, &key, &wrong);
	qthread_readFF(NULL, &wrong);
	is_int(wrong, 0, "%s: qthread_setspecific: QTHREAD_MALLOC_ERROR for a first value, and nothing is set", what);
	if (pthread_create(&thread, NULL, without_memory, &wrong) != 0)
		bail_out("pthread_create failed");
	pthread_join(thread, NULL);
	is_int(wrong, 0, "%s: qthread_setspecific: likewise outside of tasks", what);
	qthread_key_delete(key);
}

static void run(const char *what)
{
	entering(what);
	creation(what);
	setting(what);
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN);
	qti_mem_fault = fault;          /* before there are workers to read it */
	every_runtime(run);
	return done();
}
