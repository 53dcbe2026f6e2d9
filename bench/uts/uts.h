/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* What the versions of bench/uts share.  Every node with children is a task; with --leaves, which one of them has,
 * every node at all, as in the programs of the papers: seven of eight tasks then have nothing to do.  With a cut-off,
 * nodes --cutoff-depth below the root and deeper are counted without tasks (manual), or by tasks that run at once (if,
 * final). */
#ifndef BENCH_UTS_UTS_H
#define BENCH_UTS_UTS_H

#include "common/bench.h"
#include "uts/tree.h"

#ifdef __cplusplus
extern "C" {
#endif

extern struct uts_tree uts_tree;
extern unsigned long uts_depth;
extern bool uts_leaves;
/* Versions leave these here. */
extern struct uts_count uts_count;
extern bool uts_walked; /* false: memory ran out */

/* The depth from which on there are no tasks. */
unsigned long uts_manual_depth(void);

#ifdef __cplusplus
}
#endif

#endif
