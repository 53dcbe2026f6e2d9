/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "octree/octree.h"
#include "common/must.h"

#include <qthread/qthread.h>

static aligned_t refine(void *arg)
{
	struct octree_box *b = arg, inner[8];

	if (!octree_divide(b, inner))
		return 0;
	for (unsigned o = 0; o < 8; o++)
		if (qthread_fork(refine, &inner[o], &inner[o].done) != QTHREAD_SUCCESS)
			refine(&inner[o]);
	for (unsigned o = 8; o > 0; o--)
		must(qthread_readFF(NULL, &inner[o - 1].done));
	octree_gather(b, inner);
	return 0;
}

static void parallel(void)
{
	refine(&octree_root);
}

const struct bench_version bench_version = { .parallel = parallel };
