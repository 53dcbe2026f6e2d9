/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* How many ways n queens stand on a board without attacking each other.  Every square that is tried is a task, and the
 * task finds out whether it is attacked: most end at once.
 *
 * A position fits one word: columns taken, and both diagonals as they cross the next row, 18 bits each.  Six bits are
 * left for the column of the square to try, so that a try is one word, too.  With a cut-off, rows from --cutoff-depth
 * on are filled without tasks (manual), or by tasks that run at once (if, final). */
#ifndef BENCH_NQUEENS_NQUEENS_H
#define BENCH_NQUEENS_NQUEENS_H

#include <stdint.h>

#include "common/bench.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { NQUEENS_FIELD = 18, NQUEENS_MAX = 18 };

extern unsigned long nqueens_n, nqueens_depth; /* queens; the first row without tasks */
extern uint64_t nqueens_result;                /* versions leave it here */

/* The ways to complete a position. */
uint64_t nqueens_serial(uint64_t position);

static inline uint64_t nqueens_field(uint64_t position, unsigned i)
{
	return position >> (i * NQUEENS_FIELD) & ((1u << NQUEENS_FIELD) - 1);
}

static inline uint64_t nqueens_full(void)
{
	return (UINT64_C(1) << nqueens_n) - 1;
}

static inline bool nqueens_done(uint64_t position)
{
	return nqueens_field(position, 0) == nqueens_full();
}

static inline uint64_t nqueens_try(uint64_t position, unsigned column)
{
	return position | (uint64_t)column << 3 * NQUEENS_FIELD;
}

/* Puts the queen there; false if the square is attacked. */
static inline bool nqueens_place(uint64_t a_try, uint64_t *position)
{
	const uint64_t square = UINT64_C(1) << (a_try >> 3 * NQUEENS_FIELD);
	const uint64_t columns = nqueens_field(a_try, 0), left = nqueens_field(a_try, 1),
		       right = nqueens_field(a_try, 2);

	if ((columns | left | right) & square)
		return false;
	*position = (columns | square) | ((left | square) << 1 & nqueens_full()) << NQUEENS_FIELD |
		(right | square) >> 1 << 2 * NQUEENS_FIELD;
	return true;
}

#ifdef __cplusplus
}
#endif

#endif
