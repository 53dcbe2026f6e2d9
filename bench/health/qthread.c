/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* A word for each village rather than a sinc for each of those above: who reads the word of a task that has not begun
 * runs it, without a switch, and no counter is shared. */
#include "health/health.h"
#include "common/must.h"

#include <qthread/qthread.h>

static aligned_t day(void *arg)
{
	struct village *v = arg;

	if (bench_cutoff == BENCH_MANUAL && !health_splits(v)) {
		health_day(v);
		return 0;
	}
	for (unsigned i = 0; i < v->nbelow; i++)
		if (qthread_fork(day, &v->below[i], &v->below[i].done) != QTHREAD_SUCCESS)
			day(&v->below[i]);
	health_before(v);
	for (unsigned i = v->nbelow; i > 0; i--)
		must(qthread_readFF(NULL, &v->below[i - 1].done));
	health_after(v);
	return 0;
}

static void parallel(void)
{
	for (unsigned long i = 0; i < health_days; i++)
		day(health_top);
}

const struct bench_version bench_version = { .parallel = parallel };
