/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* The native walk, for bench/uts, the main job, and bench/uts/uts-mpi. */
#ifndef BENCH_UTS_TASKS_H
#define BENCH_UTS_TASKS_H

#include "uts/tree.h"

/* Where a node's task leaves its count for the parent. */
enum uts_words { UTS_ALIGNED, UTS_SYNCVAR };
extern const char *const uts_words_names[]; /* ended by NULL */

/* Every node with children is a qthread, down to depth levels, below which there are none.  Fills *out and returns
 * false when memory ran out, as the serial walk.  Call from the main task of a running library. */
bool uts_walk_tasks(const struct uts_tree *t, enum uts_words words, unsigned long depth, struct uts_count *out);

/* The same in pieces, for who walks subtrees on his own account.  While `wanted` is true, which anybody may change
 * with a relaxed store, tasks offer each child that has children to take() before they fork it.  When that returns
 * true the child and all below it are the taker's, and missing from what its parent reports. */
struct uts_share {
	bool wanted;
	bool (*take)(const struct uts_node *n);
};

void uts_tasks_begin(const struct uts_tree *t, enum uts_words words, unsigned long depth, struct uts_share *share);
/* In a task: what n, a node with children that is not the root, reports.  Its height counts from n. */
uint64_t uts_tasks_below(const struct uts_node *n);
/* False: memory ran out. */
bool uts_tasks_end(void);

#endif
