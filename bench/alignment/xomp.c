/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* The OpenMP version as ROSE lowers it. */
#include "alignment/alignment.h"
#include "libxomp.h"

struct pair {
	size_t i, j;
};

static void align_task(void *data)
{
	const struct pair *p = data;

	alignment_pair(p->i, p->j);
}

static void fork_pairs(size_t i)
{
	for (size_t j = i + 1; j < alignment_input.count; j++) {
		struct pair p = { i, j };
		XOMP_task(align_task, &p, 0, sizeof(p), 4, 1, 0);
	}
}

static void single_region(void *data)
{
	(void)data;
	if (XOMP_single())
		for (size_t i = 0; i < alignment_input.count; i++)
			fork_pairs(i);
	XOMP_barrier();
}

static void for_region(void *data)
{
	const int last = (int)alignment_input.count - 1;
	long index, lower, upper;

	(void)data;
	XOMP_loop_dynamic_init(0, last, 1, 1);
	if (XOMP_loop_dynamic_start(0, last, 1, 1, &lower, &upper)) {
		do {
			for (index = lower; index <= upper; index++)
				fork_pairs((size_t)index);
		} while (XOMP_loop_dynamic_next(&lower, &upper));
	}
	XOMP_loop_end();
}

static void parallel(void)
{
	XOMP_parallel_start(alignment_tasks == ALIGNMENT_FOR ? for_region : single_region, 0, 1, 0, 0, 0);
	XOMP_parallel_end(0, 0);
}

const struct bench_version bench_version = { .options = alignment_tasks_option, .parallel = parallel };
