/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Merge sort of 32-bit numbers in four parts, with a parallel merge.
 *
 * A range is sorted by sorting its quarters, merging them in pairs into the spare array, and merging the two halves
 * back.  Quarters are tasks, and so are the merges of a pair.  A merge cuts the longer of two runs in the middle, finds
 * where that value falls in the shorter one, and merges the two parts as tasks.  Ranges up to SORT_LEAF are sorted in
 * place by quicksort, merges up to SORT_LEAF done at once: below that there is nothing to divide.  With a cut-off,
 * neither ranges nor merges of up to --cutoff-size numbers have tasks (manual), or only such as run at once (if,
 * final). */
#ifndef BENCH_SORT_SORT_H
#define BENCH_SORT_SORT_H

#include <stdint.h>

#include "common/bench.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SORT_LEAF = 2048 };

struct sort_range {
	uint32_t *a, *spare;
	size_t n;
};

struct sort_merge {
	const uint32_t *x, *y; /* two sorted runs */
	size_t nx, ny;
	uint32_t *out;
};

extern struct sort_range sort_all;
extern unsigned long sort_cutoff;

/* Ranges and merges up to this have no tasks. */
size_t sort_grain(void);

/* Without tasks. */
void sort_serial(const struct sort_range *r);
void sort_merge_serial(const struct sort_merge *m);

/* Quarter i of a range, and the merges that follow: of quarters 0 and 1 (i 0), 2 and 3 (i 1), and of both halves. */
struct sort_range sort_quarter(const struct sort_range *r, unsigned i);
struct sort_merge sort_pair(const struct sort_range *r, unsigned i);
struct sort_merge sort_halves(const struct sort_range *r);

/* Divides a merge in two. */
void sort_divide(const struct sort_merge *m, struct sort_merge *low, struct sort_merge *high);

#ifdef __cplusplus
}
#endif

#endif
