/* omp/work/ordered.c -- see omp/work/ordered.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/work/ordered.h"

#include "omp/team/told.h"

/* Iterations share gates: who is woken for another one looks again. */
static struct qomp_gate *gate_of(struct qomp_share *s, uint64_t i)
{
	return &s->gate[i % QOMP_GATES];
}

void qomp_ordered_await(struct qomp_share_place *p)
{
	qomp_gate_await(gate_of(p->share, p->mine), &p->share->turn, p->mine);
}

static void pass_turn(struct qomp_share_place *p)
{
	qomp_ordered_enter(p);
	p->takes_turns = false;
	qomp_gate_raise(gate_of(p->share, p->mine_end), &p->share->turn, p->mine_end);
}

void qomp_ordered_told(struct qomp_frame *f, bool begin)
{
	struct qomp_told *t = qomp_told_of(f);
	struct qomp_share_place *p = qomp_share_place_of(f);

	if (!begin) {
		qti_race_release(p->share);
		qomp_tell_released(t, ompt_mutex_ordered, p->share);
		return;
	}
	qomp_tell_acquire(t, ompt_mutex_ordered, 0, p->share);
	qomp_ordered_enter(p);
	qti_race_acquire(p->share);
	qomp_tell_acquired(t, ompt_mutex_ordered, p->share);
}

/* A team of one is always in turn. */
bool qomp_ordered_next(struct qomp_share_place *p, uint64_t *from, uint64_t *to)
{
	if (p->n == 1)
		return qomp_loop_next(p, from, to);
	if (p->takes_turns)
		pass_turn(p);
	p->takes_turns = qomp_loop_next_piece(p, from, to);
	return p->takes_turns;
}
