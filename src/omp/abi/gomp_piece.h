/* omp/abi/gomp_piece.h -- a loop's beginning, and what it hands out, between GCC's types and those of omp/work/loop.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Indices are long or unsigned long long; omp/work/loop.h counts modulo 2^64 and knows neither.
 */
#ifndef QOMP_GOMP_PIECE_H
#define QOMP_GOMP_PIECE_H

#include "omp/abi/gomp_share.h"
#include "omp/work/loop.h"

struct gomp_piece {
	uint64_t from, to;
};

/* True, for the ends of functions that say whether there is a piece. */
static inline bool gomp_give_long(const struct gomp_piece *piece, long *istart, long *iend)
{
	*istart = (long)piece->from;
	*iend = (long)piece->to;
	return true;
}

static inline bool gomp_give_ull(const struct gomp_piece *piece, gomp_ull *istart, gomp_ull *iend)
{
	*istart = piece->from;
	*iend = piece->to;
	return true;
}

/* The running task, f's, comes to a loop. */
static inline struct qomp_share_place *gomp_loop_open(struct qomp_frame *f, struct qomp_range range, uint32_t schedule,
                                                      uint64_t chunk, const struct qomp_common *common)
{
	struct qomp_loop loop = { .range = range, .schedule = schedule, .chunk = chunk };

	return qomp_loop_open(f, &loop, common);
}

#endif
