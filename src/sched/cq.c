/* sched/cq.c -- CQ: one shepherd for the whole machine, one LIFO that all its workers share.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each worker keeps its newest QT_PRIVATE_TASKS tasks to itself (0: strict order).  Where the user asks for several
 * shepherds all the same, each has its LIFO, and a shepherd without work takes single tasks from another.
 */
#include "sched/local.h"
#include "sched/policies.h"

static int cq_init(void)
{
	struct qti_steal_rule rule = qti_local_rule(QTI_STEAL_ONE);

	rule.siblings_too = true;
	return qti_local_init(&rule, qti_rt.env.private_tasks);
}

const struct qti_sched qti_sched_cq = {
	.name = "cq",
	.boundary = QTI_LEVEL_MACHINE,
	.init = cq_init,
	QTI_LOCAL_POLICY,
};
