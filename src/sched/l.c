/* sched/l.c -- L: one LIFO for each shepherd, new tasks round robin, nothing is stolen.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sched/policies.h"
#include "sched/spread.h"

static struct qti_taskq *lifo_of(const struct qti_shepherd *s)
{
	return s->policy;
}

static int l_init(void)
{
	return qti_policy_attach(sizeof(struct qti_taskq));
}

static void l_push(struct qti_worker *w, struct qti_task *t)
{
	struct qti_shepherd *s = qti_spread(w, t);

	qti_taskq_push_front(lifo_of(s), t);
	qti_notify_shepherd(s);
}

static void l_push_yielded(struct qti_worker *w, struct qti_task *t)
{
	qti_taskq_push_back(lifo_of(w->shepherd), t);
	qti_notify_shepherd(w->shepherd);
}

static struct qti_task *l_pop(struct qti_worker *w)
{
	return qti_taskq_pop_front(lifo_of(w->shepherd));
}

static size_t l_length(const struct qti_shepherd *s)
{
	return qti_taskq_count(lifo_of(s));
}

const struct qti_sched qti_sched_l = {
	.name = "l",
	.boundary = QTI_LEVEL_CORE,
	.init = l_init,
	.fini = qti_policy_detach,
	.push = l_push,
	.push_yielded = l_push_yielded,
	.pop = l_pop,
	.length = l_length,
};
