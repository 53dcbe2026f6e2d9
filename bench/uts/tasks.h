/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* The native walk, for bench/uts and the main job. */
#ifndef BENCH_UTS_TASKS_H
#define BENCH_UTS_TASKS_H

#include "uts/tree.h"

/* Where a node's task leaves its count for the parent. */
enum uts_words { UTS_ALIGNED, UTS_SYNCVAR };
extern const char *const uts_words_names[]; /* ended by NULL */

/* Every node with children is a qthread, down to depth levels, below which there are none.  Fills *out and returns
 * false when memory ran out, as the serial walk.  Call from the main task of a running library. */
bool uts_walk_tasks(const struct uts_tree *t, enum uts_words words, unsigned long depth, struct uts_count *out);

#endif
