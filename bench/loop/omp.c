/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "loop/loop.h"

static void triad(void)
{
	const struct loop_arrays l = loop_arrays;
	const size_t n = loop_n;

#pragma omp parallel for schedule(static) default(none) firstprivate(l, n)
	for (size_t i = 0; i < n; i++)
		loop_triad(&l, i);
}

static void iterate(void)
{
	const struct loop_arrays l = loop_arrays;
	const size_t n = loop_n;

#pragma omp parallel for schedule(static) default(none) firstprivate(l, n)
	for (size_t i = 0; i < n; i++)
		loop_iterate(&l, i);
}

static void parallel(void)
{
	for (unsigned long i = 0; i < loop_loops; i++)
		(loop_body == LOOP_MEMORY ? triad : iterate)();
}

const struct bench_version bench_version = { .name = "schedule(static)", .parallel = parallel };
