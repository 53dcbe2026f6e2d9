/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "alignment/alignment.h"

static void fork_pairs(size_t i)
{
	for (size_t j = i + 1; j < alignment_input.count; j++)
#pragma omp task default(none) firstprivate(i, j)
		alignment_pair(i, j);
}

static void parallel(void)
{
	const size_t n = alignment_input.count;

	if (alignment_tasks == ALIGNMENT_FOR) {
		/* The first rows have the most pairs. */
#pragma omp parallel default(none) firstprivate(n)
#pragma omp for schedule(dynamic)
		for (size_t i = 0; i < n; i++)
			fork_pairs(i);
	} else {
#pragma omp parallel default(none) firstprivate(n)
#pragma omp single
		for (size_t i = 0; i < n; i++)
			fork_pairs(i);
	}
}

const struct bench_version bench_version = { .options = alignment_tasks_option, .parallel = parallel };
