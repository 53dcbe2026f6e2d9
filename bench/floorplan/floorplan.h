/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* What the versions of floorplan search, with a task for each placement.
 *
 * Runtimes run what was made last first, and so try a cell's places in the reverse of the serial order. */
#ifndef BENCH_FLOORPLAN_FLOORPLAN_H
#define BENCH_FLOORPLAN_FLOORPLAN_H

#include "common/bench.h"
#include "floorplan/plan.h"

extern unsigned long floorplan_depth; /* with a cut-off: how many cells are placed by tasks */
extern bool floorplan_copies;         /* each task has a copy of all the places of its cell, as in the programs of the papers */
extern struct plan floorplan_empty;   /* where a search begins */

#endif
