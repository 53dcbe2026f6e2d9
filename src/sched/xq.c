/* sched/xq.c -- XQ: a ring from each worker to each, new tasks round robin, nothing but open tasks is stolen.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sched/policies.h"
#include "sched/rows.h"

const struct qti_sched qti_sched_xq = {
	.name = "xq",
	QTI_ROWS_POLICY,
};
