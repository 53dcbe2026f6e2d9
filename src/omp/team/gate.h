/* omp/team/gate.h -- waiting in a work-sharing construct for a word that only grows: X4 of omp/team/share.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_GATE_H
#define QOMP_GATE_H

#include "omp/team/share.h"

/* Returns once *word is `enough`, which is not 0. */
void qomp_gate_await(struct qomp_gate *g, const uint64_t *word, uint64_t enough);

/* What some member waits for has come. */
void qomp_gate_ring(struct qomp_gate *g);

/* Raises *word, which no other thread writes now, for the members that wait at g.  A `wanted` of 0 is more than any
 * value here. */
static inline void qomp_gate_raise(struct qomp_gate *g, uint64_t *word, uint64_t value)
{
	store_rel(word, value);                                                                 /* X4 */
	fence_light();                                                                          /* X4 */
	if (qti_unlikely(load_rlx(&g->wanted) - 1 < value))
		qomp_gate_ring(g);
}

#endif
