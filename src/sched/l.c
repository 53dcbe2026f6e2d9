/* sched/l.c -- L: one LIFO for each shepherd, new tasks round robin, nothing but open tasks is stolen.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/ready.h"
#include "sched/policies.h"
#include "sched/spread.h"

/* QTI_SPREAD_QUEUES of them. */
static struct qti_taskq *lifos_of(const struct qti_shepherd *s)
{
	return s->policy;
}

static int l_init(void)
{
	return qti_policy_attach(QTI_SPREAD_QUEUES * sizeof(struct qti_taskq));
}

static void l_push(struct qti_worker *w, struct qti_task *t)
{
	struct qti_shepherd *s = qti_spread(w, t);
	unsigned kind = qti_spread_kind(t);

	qti_taskq_push_front(&lifos_of(s)[kind], t);
	qti_spread_notify(s, kind);
}

static void l_push_yielded(struct qti_worker *w, struct qti_task *t)
{
	qti_taskq_push_back(&lifos_of(w->shepherd)[QTI_SPREAD_STRICT], t);
	qti_notify_shepherd(w->shepherd);
}

static struct qti_task *l_pop(struct qti_worker *w)
{
	struct qti_taskq *q = lifos_of(w->shepherd);
	unsigned first = qti_spread_turn(w);
	struct qti_task *t = qti_taskq_pop_front(&q[first]);

	return t ? t : qti_taskq_pop_front(&q[!first]);
}

static struct qti_task *take_open(struct qti_shepherd *s)
{
	return qti_taskq_pop_back(&lifos_of(s)[QTI_SPREAD_OPEN]);
}

static struct qti_task *l_steal(struct qti_worker *w, bool final)
{
	return final ? qti_spread_rescue(w, take_open) : NULL;
}

static size_t l_stealable(const struct qti_shepherd *s)
{
	return qti_taskq_count(&lifos_of(s)[QTI_SPREAD_OPEN]);
}

static size_t l_length(const struct qti_shepherd *s)
{
	return qti_taskq_count(&lifos_of(s)[QTI_SPREAD_STRICT]) + l_stealable(s);
}

const struct qti_sched qti_sched_l = {
	.name = "l",
	.boundary = QTI_LEVEL_CORE,
	.init = l_init,
	.fini = qti_policy_detach,
	.push = l_push,
	.push_yielded = l_push_yielded,
	.pop = l_pop,
	.steal = l_steal,
	.length = l_length,
	.stealable = l_stealable,
};
