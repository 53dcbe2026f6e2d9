/* sched/ws.c -- WS: a shepherd a core, LIFO at home; who is out of work steals the oldest task of another.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Victims nearest first; among equals each thief starts at another one (machine/shape.h).  QT_STEAL and QT_VICTIM
 * change how much it takes, and from whom.  The deque's bound shows nowhere: what does not fit goes to the same
 * shepherd's list.
 */
#include "sched/local.h"

#include "base/tuning.h"
#include "sched/policies.h"

static int ws_init(void)
{
	const struct qti_steal_rule rule = qti_local_rule(QTI_STEAL_ONE);

	return qti_local_init(&rule, TUNE_WS_DEQUE);
}

const struct qti_sched qti_sched_ws = {
	.name = "ws",
	.boundary = QTI_LEVEL_CORE,
	.init = ws_init,
	QTI_LOCAL_POLICY,
};
