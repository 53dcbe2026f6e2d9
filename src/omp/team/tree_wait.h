/* omp/team/tree_wait.h -- waiting at a barrier along a tree.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_TREE_WAIT_H
#define QOMP_TREE_WAIT_H

#include "omp/team/team.h"

/* Waits at the team's barrier; false if the region was cancelled. */
bool qomp_tree_wait(struct qomp_frame *f, bool cancellable);

#endif
