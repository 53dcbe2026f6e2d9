/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "health/health.h"

static void day_none(struct village *v)
{
	for (unsigned i = 0; i < v->nbelow; i++) {
#pragma omp task default(none) firstprivate(v, i)
		day_none(&v->below[i]);
	}
	health_before(v);
#pragma omp taskwait
	health_after(v);
}

static void day_manual(struct village *v)
{
	if (!health_splits(v)) {
		health_day(v);
		return;
	}
	for (unsigned i = 0; i < v->nbelow; i++) {
#pragma omp task default(none) firstprivate(v, i)
		day_manual(&v->below[i]);
	}
	health_before(v);
#pragma omp taskwait
	health_after(v);
}

static void day_if(struct village *v)
{
	for (unsigned i = 0; i < v->nbelow; i++) {
#pragma omp task default(none) firstprivate(v, i) if (health_splits(v))
		day_if(&v->below[i]);
	}
	health_before(v);
#pragma omp taskwait
	health_after(v);
}

static void day_final(struct village *v)
{
	for (unsigned i = 0; i < v->nbelow; i++) {
#pragma omp task default(none) firstprivate(v, i) final(!health_splits(&v->below[i])) mergeable
		day_final(&v->below[i]);
	}
	health_before(v);
#pragma omp taskwait
	health_after(v);
}

static void parallel(void)
{
	static void (*const days[])(struct village *) = { day_none, day_manual, day_if, day_final };
	void (*const day)(struct village *) = days[bench_cutoff];

#pragma omp parallel default(none) shared(health_days, health_top, day)
#pragma omp single
	for (unsigned long i = 0; i < health_days; i++)
		day(health_top);
}

const struct bench_version bench_version = { .parallel = parallel };
