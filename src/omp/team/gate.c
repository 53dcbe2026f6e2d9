/* omp/team/gate.c -- see omp/team/gate.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/gate.h"

#include "omp/team/address_wait.h"
#include "omp/team/standing.h"
#include "omp/team/wait_loop.h"

static bool comes_soon(const uint64_t *word, uint64_t enough)
{
	uint64_t value = load_acq(word);

	if (value >= enough)
		return true;
	struct qomp_wait_loop v = qomp_wait_loop_begin(qomp_frame());
	for (; value < enough; value = load_acq(word))
		if (qomp_wait_loop_over(&v))
			return false;
	qomp_wait_loop_end(&v);
	return true;
}

static void wanted_lower(uint64_t *wanted, uint64_t enough)
{
	uint64_t seen = load_rlx(wanted);

	while (seen - 1 >= enough && !cas_acq_rel(wanted, &seen, enough))
		continue;
}

void qomp_gate_await(struct qomp_gate *g, const uint64_t *word, uint64_t enough)
{
	while (!comes_soon(word, enough)) {
		uint32_t seen = load_acq(&g->bell);                                             /* X4 */
		wanted_lower(&g->wanted, enough);
		qti_fence_heavy();                                                              /* X4 */
		if (load_acq(word) < enough)
			qomp_address_wait(&g->bell, seen);
	}
}

void qomp_gate_ring(struct qomp_gate *g)
{
	swap_acq_rel(&g->wanted, 0);                                                            /* X4 */
	add_acq_rel(&g->bell, 1);
	qomp_address_wake(&g->bell, UINT_MAX);
	qti_spin_woke(&qomp_member(qomp_frame())->spin);
}
