/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* How well points lie on a quadratic surface. */
#ifndef BENCH_OCTREE_FIT_H
#define BENCH_OCTREE_FIT_H

#include "octree/octree.h"

/* The greatest distance of a point from the best surface, along the axis in which they are spread least, in halves of
 * the box. */
double octree_fit(const struct octree_box *box, const struct octree_point *points);

#endif
