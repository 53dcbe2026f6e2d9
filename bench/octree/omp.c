/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Every refinement is a region of its own, inside that of the box above. */
#include "octree/octree.h"

#include <omp.h>

enum { MOST_LEVELS = 64 };

static unsigned long team = 4;

static void refine(struct octree_box *b)
{
	struct octree_box inner[8];
	const int threads = (unsigned long)omp_get_max_threads() < team ? omp_get_max_threads() : (int)team;

	if (!octree_divide(b, inner))
		return;
#pragma omp parallel for default(none) shared(inner) schedule(dynamic) num_threads(threads)
	for (unsigned o = 0; o < 8; o++)
		refine(&inner[o]);
	octree_gather(b, inner);
}

static void parallel(void)
{
	omp_set_max_active_levels(MOST_LEVELS);
	refine(&octree_root);
}

static const struct bench_option options[] = {
	{ "team", "threads of a refinement's region, at most", BENCH_NUMBER, &team, 1, 8, NULL },
	{ .name = NULL },
};

const struct bench_version bench_version = { .options = options, .parallel = parallel };
