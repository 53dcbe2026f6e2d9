/* omp/work/ordered.c -- see omp/work/ordered.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/work/ordered.h"

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
