/* sched/local.h -- what CQ, WS and MTS share: local LIFO order in two levels.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Terms.
 *
 *     each worker     a bounded deque of its newest tasks          (sched/deque.h)
 *     each shepherd   a backlog, locked, of all that is older      (sched/backlog.h)
 *
 * A worker pushes to its own deque and pops from it.  When the deque is full the worker moves its older half to the
 * newest end of the backlog; when the deque is empty the worker refills it from there.  A task that yields goes to
 * the oldest end of the backlog, behind everything.  Siblings are the workers of one shepherd.  A worker without work
 * steals first from its siblings' deques, then from other shepherds: from the backlog, then from the deques.  Of what
 * it brings from another shepherd it runs the oldest, and the others go to its own shepherd's backlog, where the
 * oldest of them is taken first.
 *
 * Promises.  With one worker in the shepherd (WS) the two levels together are exactly a LIFO.  With several (CQ, MTS)
 * the order among tasks of different workers is relaxed by at most QT_PRIVATE_TASKS tasks a worker; with
 * QT_PRIVATE_TASKS=0 the deques are out of use and the backlog alone gives the strict order.  A final search misses
 * no task (S4 of core/sched.h).
 *
 * Proof of the last.  A task is in a deque, in a backlog, or in the hands of a thief on its way into one of these at
 * home.  A final search takes the lock of each deque and backlog that does not look empty, and raises a deque's
 * split, so it sees public and private tasks (D2).  A thief that brings several tasks home announces them like a
 * pusher after it has put them down (P1 of core/worker.h): either the final search finds them or the thief sees the
 * searcher.  Where one worker steals on behalf of its shepherd (MTS), a final search waits for that worker's lock and
 * then looks itself.
 */
#ifndef QTI_SCHED_LOCAL_H
#define QTI_SCHED_LOCAL_H

#include "core/worker.h"
#include "sched/deque.h"

/* How much a thief takes, oldest first: one task, a chunk, or half of those that there are (M. Adnan and M. Sato,
 * Dynamic multiple work stealing strategy for flexible load balancing, IEICE Transactions 95-D(6), 2012).  A search
 * that is not final takes nothing where half is less than one, nor where `spares` a chunk would leave nothing, for some
 * times.  Where several workers share a shepherd half is no more than one task for each of them, and what they show is
 * all that is counted. */
struct qti_steal_rule {
	enum qti_steal amount;
	unsigned chunk;                 /* 0: as many as the thief's shepherd has workers */
	bool spares;
	bool one_thief;                 /* only one worker of a shepherd steals, on behalf of all */
	bool siblings_too;              /* it holds among siblings; else these take one from each other */
};

/* As QT_STEAL asks for, or the policy's own way. */
struct qti_steal_rule qti_local_rule(enum qti_steal otherwise);

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
void qti_local_publish(struct qti_worker *w);

/* In the table of such a policy, which adds its name, its boundary and how it begins. */
#define QTI_LOCAL_POLICY \
	.thieves_are_told = true, .fini = qti_local_fini, .push = qti_local_push, \
	.push_yielded = qti_local_push_yielded, .push_behind = qti_local_push_behind, \
	.pop_to_yield = qti_local_pop_to_yield, .pop = qti_local_pop, \
	.steal = qti_local_steal, .claim = qti_local_claim, .leave = qti_local_leave, .length = qti_local_length, \
	.holds = qti_local_holds, .publish = qti_local_publish

#endif
