/* sched/local.h -- what CQ, WS and MTS share: local LIFO order in two levels.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     each worker     a bounded deque of its newest tasks          (sched/deque.h)
 *     each shepherd   a backlog, locked, of all that is older      (sched/backlog.h)
 *
 * A worker pushes and pops at its deque.  A full deque sheds its older half to the newest end of the backlog, an
 * empty one is filled from there.  Tasks that yield go to the oldest end, behind everything.
 *
 * With one worker in the shepherd (WS) the two levels together are exactly a LIFO.  With several (CQ, MTS) the
 * order among tasks of different workers is relaxed by at most QT_PRIVATE_TASKS tasks a worker; with
 * QT_PRIVATE_TASKS=0 the deques are out of use and the backlog alone gives the strict order.
 *
 * No task is out of reach: a worker without work takes from the deques of its shepherd too.
 */
#ifndef QTI_SCHED_LOCAL_H
#define QTI_SCHED_LOCAL_H

#include "core/worker.h"
#include "sched/deque.h"

/* What a thief may take from another shepherd. */
struct qti_steal_rule {
	unsigned chunk;                 /* tasks at once, oldest first */
	bool one_thief;                 /* only one worker of a shepherd steals, on behalf of all */
};

int qti_local_init(const struct qti_steal_rule *steal_rule, unsigned limit);
void qti_local_fini(void);
void qti_local_push(struct qti_worker *w, struct qti_task *t);
void qti_local_push_yielded(struct qti_worker *w, struct qti_task *t);
void qti_local_push_behind(struct qti_worker *w, struct qti_task *t, unsigned n);
struct qti_task *qti_local_pop(struct qti_worker *w);
struct qti_task *qti_local_pop_to_yield(struct qti_worker *w, qti_after *after);
struct qti_task *qti_local_steal(struct qti_worker *w, bool final);
struct qti_task *qti_local_claim(struct qti_worker *w, const void *ret);
void qti_local_leave(struct qti_worker *w);
size_t qti_local_length(const struct qti_shepherd *s);
bool qti_local_holds(const struct qti_worker *w, size_t n);
void qti_local_feed(struct qti_worker *w);

/* In the table of such a policy, which adds its name, its boundary and how it begins. */
#define QTI_LOCAL_POLICY \
	.fini = qti_local_fini, .push = qti_local_push, .push_yielded = qti_local_push_yielded, \
	.push_behind = qti_local_push_behind, .pop_to_yield = qti_local_pop_to_yield, .pop = qti_local_pop, \
	.steal = qti_local_steal, .claim = qti_local_claim, .leave = qti_local_leave, .length = qti_local_length, \
	.holds = qti_local_holds, .feed = qti_local_feed

#endif
