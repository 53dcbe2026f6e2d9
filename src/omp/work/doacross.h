/* omp/work/doacross.h -- loops with ordered(n): iterations say that they are done, and wait for others to be.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The outermost loop is shared out; what lies within one of its iterations runs in order on one member.  Where several
 * of its iterations do so, too, one counter stands for all of them: it tells how many iterations of the innermost loop
 * have been done.  A counter has one writer, the member that runs what it counts; others wait for it as X4 in
 * omp/team/share.h says.
 *
 * Checked by test/stress/omp_share.c.
 */
#ifndef QOMP_DOACROSS_H
#define QOMP_DOACROSS_H

#include "omp/team/gate.h"

struct qomp_counter {
	uint64_t value;
	struct qomp_gate gate;
} __attribute__((aligned(QTI_CACHE_LINE / 2)));

struct qomp_doacross {
	uint64_t inner;                 /* iterations within one of the outermost loop */
	uint64_t unit;                  /* of the outermost loop, for one counter; 0: the block of a member */
	uint64_t each, over;            /* then: iterations in a block; how many blocks have one more */
	unsigned dims;
	unsigned spacing;               /* counters are so many of their size apart */
	struct qomp_counter *counter;
	uint64_t count[];               /* iterations of inner loop number 1, 2, ..., dims - 1, counted from 0 */
};

/* By the first member, the schedule being settled, of `dims` ordered loops with so many iterations: bytes for what
 * they share, and that, at a place which is zeroed and as aligned as a line. */
size_t qomp_doacross_size(const struct qomp_share *s, const struct qomp_range *r, unsigned n, unsigned dims);
struct qomp_doacross *qomp_doacross_make(void *place, const struct qomp_share *s, const struct qomp_range *r,
	unsigned n, unsigned dims, const uint64_t *counts);

/* Iteration `inside`, as numbered within iteration `outer` of the outermost loop, is done; returns when it is. */
void qomp_doacross_post(struct qomp_share_place *p, uint64_t outer, uint64_t inside);
void qomp_doacross_wait(struct qomp_share_place *p, uint64_t outer, uint64_t inside);

#endif
