/* omp/team/locals.c -- see omp/team/locals.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/locals.h"

#include "base/mem.h"
#include "omp/env/text.h"
#include "omp/team/patience.h"

#include <pthread.h>
#include <string.h>

struct qomp_local *qomp_local;

static pthread_mutex_t settling = PTHREAD_MUTEX_INITIALIZER;
static unsigned nlocals;

/* The runtime runs, started here or by the program.  What workers keep for themselves stays when it ends, for the next.
 *
 * No other thread looks at the smaller array when a larger one takes its place.  Only a run's first call can do
 * that, for the number of workers does not change while they run; and no worker looks at its own before a call of
 * that run: one comes before the first frame on a worker (omp/team/start.c, or omp/team/standing.c), before the
 * first dispatch and the first task to one, and where a task without a frame ends another (omp/task/task.c). */
bool qomp_locals_try(void)
{
	unsigned n = qti_host_workers();
	struct qomp_local *larger = NULL;

	pthread_mutex_lock(&settling);
	bool enough = nlocals >= n;
	if (!enough && (larger = qti_mem_aligned(QTI_CACHE_LINE, n * sizeof(*larger))) != NULL) {
		memset(larger, 0, n * sizeof(*larger));
		if (nlocals)
			memcpy(larger, qomp_local, nlocals * sizeof(*larger));
		qti_mem_free(qomp_local);
		store_rel(&qomp_local, larger);         /* another thread may ask at once whether all is up */
		nlocals = n;
	}
	pthread_mutex_unlock(&settling);
	qomp_patience_set_for(n);
	return enough || larger;
}

void qomp_locals_settle(void)
{
	if (!qomp_locals_try())
		qomp_fatal("out of memory for %u OpenMP threads", qti_host_workers());
}

void qomp_locals_hold(void)
{
	pthread_mutex_lock(&settling);
}

void qomp_locals_release(void)
{
	pthread_mutex_unlock(&settling);
}
