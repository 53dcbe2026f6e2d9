/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Where the cells come from. */
#ifndef BENCH_FLOORPLAN_PROBLEM_H
#define BENCH_FLOORPLAN_PROBLEM_H

#include "floorplan/plan.h"

/* Random cells, the same for the same numbers on any machine. */
void plan_make(struct plan_problem *p, unsigned ncells, uint64_t seed);

/* Reads a file: how many cells; of each cell how many shapes, their rows and columns, the cells to the left and above
 * (-1: none; 0: the corner) and the number of the next; then the smallest area, if it is known.  Returns true, or false
 * with a line in why that says which line of the file is wrong and what is allowed there. */
bool plan_read(struct plan_problem *p, const char *path, char *why, size_t size);

#endif
