/* sched/mts.c -- MTS: a shepherd a chip, one LIFO that its workers share; one of them steals for all.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The first worker that finds nothing left takes a chunk of QT_STEAL_CHUNK of the oldest tasks from the nearest
 * shepherd that has any (default: as many as its own shepherd has workers), or what is there; the others wait for what
 * it brings.  Each worker keeps its newest QT_PRIVATE_TASKS tasks to itself (0: strict order).
 */
#include "sched/local.h"
#include "sched/policies.h"

static int mts_init(void)
{
	struct qti_steal_rule rule = qti_local_rule(QTI_STEAL_CHUNK);

	rule.chunk = qti_rt.env.steal_chunk;
	rule.spares = false;
	rule.one_thief = true;
	return qti_local_init(&rule, qti_rt.env.private_tasks);
}

const struct qti_sched qti_sched_mts = {
	.name = "mts",
	.boundary = QTI_LEVEL_CHIP,
	.init = mts_init,
	QTI_LOCAL_POLICY,
};
