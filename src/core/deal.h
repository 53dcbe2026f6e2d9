/* core/deal.h -- tasks that pin themselves where they start are dealt out to the shepherds in turn.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A program of Qthreads may begin each task with qthread_migrate_to(qthread_shep()): the task pins itself where it
 * starts.  Qthreads deals new tasks out to the shepherds in turn, so such a program uses all of them.  A scheduler that
 * starts a task near its creator would keep all of them on one shepherd.
 *
 * The runtime therefore notes functions whose tasks pin themselves.  When a worker is about to start a task of such a
 * function, it sends the task to the shepherd that has got the fewest of them.  That task is pinned there until it
 * starts.  If it then does not pin itself, the function loses trust, and its tasks start where they are found again.
 *
 * Programs whose tasks do not pin themselves pay one load and one branch for each start.  A stale value of that load
 * costs balance, not correctness, so it is relaxed.  All else is under one lock, except the trust that a worker reads to
 * see whether the lock is worth taking.  Checked by test/api/deal.c.
 */
#ifndef QTI_CORE_DEAL_H
#define QTI_CORE_DEAL_H

#include "core/worker.h"

/* Before workers start. */
void qti_deal_init(void);

bool qti_deal_slow(struct qti_worker *w, struct qti_task *t);

/* w is about to start t.  True if t belongs to another shepherd and has gone there. */
static inline bool qti_deal(struct qti_worker *w, struct qti_task *t)
{
	if (qti_likely((load_rlx(&qti_rt.self_pinning) | (t->flags & QTI_TASK_DEALT)) == 0))
		return false;
	return qti_deal_slow(w, t);
}

/* The running task pins itself to w's shepherd, where it is. */
void qti_deal_confirm(struct qti_worker *w, struct qti_task *t);

/* The running task, which was dealt out, ends or moves without having pinned itself there. */
void qti_deal_regret(struct qti_task *t);

#endif
