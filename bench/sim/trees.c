/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "sim/tree.h"

const struct sim_tree *const sim_trees[] = {
	&sim_fib, &sim_nqueens, &sim_uts, &sim_health, &sim_sort, &sim_strassen, &sim_alignment, &sim_sparselu,
};
const unsigned sim_ntrees = sizeof(sim_trees) / sizeof(sim_trees[0]);
