/* sched/spread.h -- placement of Q and L: new tasks go round robin over the shepherds, and stay there, but for open
 * ones.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each shepherd has two queues of the same kind: one for tasks that only its workers may take, in strict order, and one
 * for open tasks (QTI_TASK_OPEN), which take turns with them.  Who is about to sleep takes open ones from elsewhere:
 * that is a rescue, for theirs may be a worker that waits for them awake.
 */
#ifndef QTI_SCHED_SPREAD_H
#define QTI_SCHED_SPREAD_H

#include "core/notify.h"
#include "core/ready.h"

/* A woken task belongs to its waker's shepherd, a new one to the next in turn of its forker's. */
static inline struct qti_shepherd *qti_spread(struct qti_worker *w, const struct qti_task *t)
{
	struct qti_shepherd *s = w->shepherd;

	if (qti_rt.nshepherds == 1)
		return s;
	if (qti_task_is(t, QTI_TASK_STARTED))
		return load_rlx(&s->stand_in);
	return qti_shepherd_for(add_rlx(&s->next_target, 1) % qti_rt.nshepherds);
}

enum { QTI_SPREAD_STRICT, QTI_SPREAD_OPEN, QTI_SPREAD_QUEUES };

/* The queue that t belongs to. */
static inline unsigned qti_spread_kind(const struct qti_task *t)
{
	return qti_task_is(t, QTI_TASK_OPEN) ? QTI_SPREAD_OPEN : QTI_SPREAD_STRICT;
}

/* The queue that w looks into first: they take turns. */
static inline unsigned qti_spread_turn(struct qti_worker *w)
{
	return w->queue_turn++ & 1;
}

/* P1, after a task was put into that queue of s. */
static inline void qti_spread_notify(struct qti_shepherd *s, unsigned kind)
{
	if (kind == QTI_SPREAD_OPEN)
		qti_notify(s);
	qti_notify_shepherd(s);
}

/* An open task from another shepherd than w's own, the nearest that has any; take(s) gets one of those of s. */
struct qti_task *qti_spread_rescue(struct qti_worker *w, struct qti_task *(*take)(struct qti_shepherd *s));

/* Gives each shepherd `size` zeroed bytes of the policy's own.  0 or QTHREAD_MALLOC_ERROR. */
int qti_policy_attach(size_t size);
void qti_policy_detach(void);

#endif
