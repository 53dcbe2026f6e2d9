/* sched/mts.c -- MTS: a shepherd a chip, one LIFO that its workers share; one of them steals for all.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The first worker that finds nothing left takes a chunk of QT_STEAL_CHUNK of the oldest tasks from the nearest
 * shepherd that has any (default: as many as the shepherd has workers); the others wait for what it brings. Each
 * worker keeps its newest QT_PRIVATE_TASKS tasks to itself (0: strict order).
 */
#include "sched/local.h"
#include "sched/policies.h"

static int mts_init(void)
{
	unsigned chunk = qti_rt.env.steal_chunk ? qti_rt.env.steal_chunk : qti_rt.shepherds[0].nworkers;

	return qti_local_init(&(struct qti_steal_rule){ .chunk = chunk, .one_thief = true }, qti_rt.env.private_tasks);
}

const struct qti_sched qti_sched_mts = {
	.name = "mts",
	.boundary = QTI_LEVEL_CHIP,
	.init = mts_init,
	QTI_LOCAL_POLICY,
};
