/* omp/work/ordered.h -- loops with an ordered region: pieces pass it one after the other.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The share's `turn` is the first iteration of the piece that may enter.  Its member enters as often as it likes, and
 * passes the turn on to the next piece when it asks for another one, having waited for it if it never entered.  Passed
 * on earlier, after its first ordered region, an iteration with two of them would not keep them together.
 *
 * Checked by test/unit/omp_share.c and test/stress/omp_share.c.
 */
#ifndef QOMP_ORDERED_H
#define QOMP_ORDERED_H

#include "omp/team/called.h"
#include "omp/team/gate.h"
#include "omp/work/loop.h"

/* qomp_loop_next for an ordered loop. */
bool qomp_ordered_next(struct qomp_share_place *p, uint64_t *from, uint64_t *to);

/* Where it is not the turn of the member's piece yet. */
void qomp_ordered_await(struct qomp_share_place *p);

/* Waits until it is.  Outside of ordered loops there is nothing to wait for. */
static inline void qomp_ordered_enter(struct qomp_share_place *p)
{
	if (p->takes_turns && load_acq(&p->share->turn) < p->mine)
		qomp_ordered_await(p);
}

/* The same, or its end, and the tool is told. */
void qomp_ordered_told(struct qomp_frame *f, bool begin);

/* The region of `ordered` of the running task, f's, begins. */
static inline void qomp_ordered_begin(struct qomp_frame *f)
{
	if (qomp_is_told(f))
		qomp_ordered_told(f, true);
	else
		qomp_ordered_enter(qomp_share_place_of(f));
}

/* It ends: the turn passes on with the piece, but a tool wants to know. */
static inline __attribute__((always_inline)) void qomp_ordered_end_called(void)
{
	if (qomp_tool_here())
		qomp_ordered_told(qomp_frame_called(), false);
}

#endif
