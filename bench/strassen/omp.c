/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "strassen/strassen.h"

static void multiply(const struct strassen_product *p)
{
	struct strassen_work w;

	if (p->n == STRASSEN_BASE || (bench_cutoff == BENCH_MANUAL && p->depth >= strassen_depth)) {
		strassen_serial(p);
		return;
	}
	strassen_divide(p, &w);
	for (unsigned i = 0; i < STRASSEN_PARTS; i++) {
		const struct strassen_product *part = &w.part[i];
#pragma omp task default(none) firstprivate(part)
		multiply(part);
	}
#pragma omp taskwait
	strassen_unite(p, &w);
}

static void multiply_if(const struct strassen_product *p)
{
	struct strassen_work w;

	if (p->n == STRASSEN_BASE) {
		strassen_base(p);
		return;
	}
	strassen_divide(p, &w);
	for (unsigned i = 0; i < STRASSEN_PARTS; i++) {
		const struct strassen_product *part = &w.part[i];
#pragma omp task default(none) firstprivate(part) if (p->depth < strassen_depth)
		multiply_if(part);
	}
#pragma omp taskwait
	strassen_unite(p, &w);
}

static void multiply_final(const struct strassen_product *p)
{
	struct strassen_work w;

	if (p->n == STRASSEN_BASE) {
		strassen_base(p);
		return;
	}
	strassen_divide(p, &w);
	for (unsigned i = 0; i < STRASSEN_PARTS; i++) {
		const struct strassen_product *part = &w.part[i];
#pragma omp task default(none) firstprivate(part) final(part->depth >= strassen_depth) mergeable
		multiply_final(part);
	}
#pragma omp taskwait
	strassen_unite(p, &w);
}

static void parallel(void)
{
	const struct strassen_product whole = strassen_whole();

#pragma omp parallel
#pragma omp single
	{
		if (bench_cutoff == BENCH_IF)
			multiply_if(&whole);
		else if (bench_cutoff == BENCH_FINAL)
			multiply_final(&whole);
		else
			multiply(&whole);
	}
}

const struct bench_version bench_version = { .parallel = parallel };
