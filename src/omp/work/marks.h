/* omp/work/marks.h -- loops with ordered(n) in which any member may run any iteration: a mark for each that is done.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * (omp/work/doacross.h does with a counter for many, where the runtime knows which member runs what.)  Marks are bits,
 * which who posts sets (acq_rel) before it wakes who waits for the word, and who waits reads (acquire): Z1 of
 * omp/team/address_wait.h.
 *
 * Compilers differ in what they say: clang passes the number of iterations, not that of the last.  Which it is shows
 * when the loop itself begins, and says how many it has.  Until then an iteration beyond the last would be waited for,
 * for ever.
 *
 * Checked by test/omp/ordered.c.
 */
#ifndef QOMP_MARKS_H
#define QOMP_MARKS_H

#include "omp/work/loop.h"

/* From `lower` to `upper`, inclusively, or less than that. */
struct qomp_dim {
	int64_t lower, upper, step;
};

/* The member comes to such a loop of n dimensions. */
void qomp_marks_open(struct qomp_frame *f, unsigned n, const struct qomp_dim *dim);

/* Iteration `at`, an index for each dimension, is done; returns when it is, or if there is none. */
void qomp_marks_post(struct qomp_share_place *p, const int64_t *at);
void qomp_marks_wait(struct qomp_share_place *p, const int64_t *at);

void qomp_marks_count(struct qomp_share_place *p, uint64_t count);

/* A loop with so many iterations begins: perhaps the one that the member has opened marks for. */
static inline void qomp_marks_settle(struct qomp_share_place *p, uint64_t count)
{
	if (qti_unlikely(p->taking == QOMP_TAKE_MARKED))
		qomp_marks_count(p, count);
}

#endif
