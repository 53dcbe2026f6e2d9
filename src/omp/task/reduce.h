/* omp/task/reduce.h -- reductions in which explicit tasks take part.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A construct's reductions are described by an array of words that compiled code fills in.  Each thread of the team
 * gets a part of one block, in which every item has its place; compiled code begins a part when first it touches it,
 * and adds the parts up at the end.  A started task keeps its thread number, so no two tasks use a part at the same
 * time.  The implicit task of a region begins its part whether others have used it or not: T9 in omp/team/team.h sees
 * to it that none has.
 */
#ifndef QOMP_REDUCE_H
#define QOMP_REDUCE_H

#include "omp/team/frame.h"

/* Words of the array. */
enum {
	QOMP_REDUCE_COUNT,              /* items */
	QOMP_REDUCE_BYTES,              /* of a thread's part */
	QOMP_REDUCE_BLOCK,              /* before: alignment; after: the block, zeroed */
	QOMP_REDUCE_ALLOCATOR,
	QOMP_REDUCE_NEXT,               /* array of the same construct; after the last one follow
					 * those of what is around it */
	QOMP_REDUCE_HEAD,               /* ours: 1 in a construct's first array, 0 in its others */
	QOMP_REDUCE_BLOCK_END,          /* ours */
	QOMP_REDUCE_ITEMS,              /* then three words each: */

	QOMP_REDUCE_ORIGINAL = 0,       /* address */
	QOMP_REDUCE_OFFSET,             /* in a part; ascending */
	QOMP_REDUCE_ITEM_WORDS = 3,
};

struct qomp_team;

/* The tasks of f's innermost group may take part in these: blocks for `threads` threads.  Aborts when out of memory. */
void qomp_reduce_register(struct qomp_frame *f, uintptr_t *reductions, unsigned threads);

/* Frees the blocks of a construct. */
void qomp_reduce_unregister(uintptr_t *reductions);

/* A work-sharing construct or scope with reductions begins for the running implicit task: opens a group that has them.
 * *shared is the construct's own.  Who is first in it - `first`, the others come when that has returned - leaves its
 * array there. */
void qomp_reduce_workshare(struct qomp_frame *f, uintptr_t *reductions, bool first, uintptr_t **shared);

/* The construct is over for the running implicit task: ends the group; with a barrier unless it was cancelled. */
void qomp_reduce_workshare_end(struct qomp_frame *f, bool cancelled);

/* A region whose tasks may take part in the array that *(uintptr_t **)data points to.  Returns the number of its
 * threads. */
unsigned qomp_reduce_region(void (*fn)(void *), void *data, unsigned threads, unsigned bind);

/* For each of `count` addresses - an item's or one in anybody's part - the same item in the running task's part; the
 * item's address goes to ptrs[count + i] for the first `originals`. */
void qomp_reduce_remap(struct qomp_frame *f, size_t count, size_t originals, void **ptrs);

#endif
