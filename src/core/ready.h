/* core/ready.h -- a task becomes ready: into which place it goes (core/worker.h), and on if nobody is there.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_CORE_READY_H
#define QTI_CORE_READY_H

#include "core/notify.h"

/* A task that waited, or that has just been forked, becomes ready.  From any thread; t belongs to the caller. */
QTI_SHARED void qti_ready(struct qti_task *t);

/* w's own, one task or the first of several that wait until somebody takes them: w is about to run what goes with them,
 * for as long as they take, perhaps, so others find them at once. */
static inline void qti_push_bubble(struct qti_worker *w, struct qti_task *t)
{
	qti_rt.sched->push(w, t);
	if (qti_rt.sched->publish)
		qti_rt.sched->publish(w);
}

/* What a task asks for that gives way: to be ready again, like any other. */
bool qti_after_ready(struct qti_task *t, void *unused);

/* P4: what lies in a shepherd that has a stand-in goes there; by anybody.  The inbox alone, or the queues as well. */
void qti_forward_inbox(struct qti_shepherd *s);
void qti_forward(struct qti_shepherd *s);

/* P1, where only workers of s may. */
static inline void qti_notify_shepherd(struct qti_shepherd *s)
{
	fence_light();                                                          /* P1 */
	if (qti_unlikely(load_rlx(&qti_rt.idle.count) != 0))
		qti_notify_shepherd_slow(s);
	if (qti_unlikely(load_rlx(&s->stand_in) != s))                          /* P4 */
		qti_forward(s);
}

#endif
