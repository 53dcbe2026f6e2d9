/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "sort/sort.h"

static size_t grain;

static void merge(const struct sort_merge *m);

static void merge_task(const struct sort_merge *m, size_t of)
{
	switch (bench_cutoff) {
	case BENCH_IF:
#pragma omp task default(none) firstprivate(m) if (of > sort_cutoff)
		merge(m);
		break;
	case BENCH_FINAL:
#pragma omp task default(none) firstprivate(m) final(of <= sort_cutoff) mergeable
		merge(m);
		break;
	default:
#pragma omp task default(none) firstprivate(m)
		merge(m);
	}
}

static void merge(const struct sort_merge *m)
{
	struct sort_merge low, high;

	if (m->nx + m->ny <= grain) {
		sort_merge_serial(m);
		return;
	}
	sort_divide(m, &low, &high);
	merge_task(&low, m->nx + m->ny);
	merge_task(&high, m->nx + m->ny);
#pragma omp taskwait
}

static void sort(const struct sort_range *r);

static void sort_task(const struct sort_range *r, size_t of)
{
	switch (bench_cutoff) {
	case BENCH_IF:
#pragma omp task default(none) firstprivate(r) if (of > sort_cutoff)
		sort(r);
		break;
	case BENCH_FINAL:
#pragma omp task default(none) firstprivate(r) final(of <= sort_cutoff) mergeable
		sort(r);
		break;
	default:
#pragma omp task default(none) firstprivate(r)
		sort(r);
	}
}

static void sort(const struct sort_range *r)
{
	struct sort_range quarter[4];
	struct sort_merge pair[2], halves;

	if (r->n <= grain) {
		sort_serial(r);
		return;
	}
	for (unsigned i = 0; i < 4; i++) {
		quarter[i] = sort_quarter(r, i);
		sort_task(&quarter[i], r->n);
	}
#pragma omp taskwait
	for (unsigned i = 0; i < 2; i++) {
		pair[i] = sort_pair(r, i);
		merge_task(&pair[i], r->n);
	}
#pragma omp taskwait
	halves = sort_halves(r);
	merge(&halves);
}

static void parallel(void)
{
	grain = sort_grain();
#pragma omp parallel default(none) shared(sort_all)
#pragma omp single
	sort(&sort_all);
}

const struct bench_version bench_version = { .parallel = parallel };
