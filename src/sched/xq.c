/* sched/xq.c -- XQ: a ring from each worker to each, new tasks round robin, nothing but open tasks is stolen.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sched/policies.h"
#include "sched/rows.h"

static int xq_init(void)
{
	return qti_rows_init(false);
}

const struct qti_sched qti_sched_xq = {
	.name = "xq",
	QTI_ROWS_POLICY,
	.single_taker = true,
	.init = xq_init,
	.fini = qti_rows_fini,
	.push = qti_rows_push,
	.pop = qti_rows_pop,
	.steal = qti_rows_steal,
	.stealable = qti_rows_stealable,
	.claim = qti_rows_claim,
	.full = qti_rows_full,
};
