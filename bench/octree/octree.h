/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* An octree over points of a surface, refined where a simple surface fits them badly.
 *
 * This is how Multi-level Partition of Unity reconstruction (Ohtake, Belyaev, Alexa, Turk, Seidel, SIGGRAPH 2003)
 * divides its work, which Broquedis et al. (Scheduling Dynamic OpenMP Applications over Multicore Architectures, IWOMP
 * 2008) made parallel with a region for every refinement.  A box whose points lie too far from the least-squares
 * quadratic surface through them is divided in eight; nobody can tell beforehand where that goes on. */
#ifndef BENCH_OCTREE_OCTREE_H
#define BENCH_OCTREE_OCTREE_H

#include "common/bench.h"

struct octree_point {
	double x[3];
};

struct octree_sum {
	uint64_t boxes, refined;
	double errors; /* of the boxes that are not refined, in one order whoever ran them */
};

struct octree_box {
	double centre[3], half;
	size_t first, n; /* its points, in the array that its depth says */
	unsigned depth;
	struct octree_sum sum; /* of all below, itself included */
	uint64_t done;         /* for the native version: the word that is full then */
} __attribute__((aligned(64)));

/* Holds all points at the beginning of a repetition. */
extern struct octree_box octree_root;

/* Fits the points.  True: too badly, and `inner` are the eight boxes to be refined in turn and then gathered. */
bool octree_divide(struct octree_box *box, struct octree_box inner[8]);
void octree_gather(struct octree_box *box, const struct octree_box inner[8]);

#endif
