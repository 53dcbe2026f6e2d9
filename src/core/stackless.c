/* core/stackless.c -- see core/stackless.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/stackless.h"

#include "base/tuning.h"
#include "core/deal.h"
#include "core/duty.h"
#include "core/idle.h"
#include "core/loop.h"
#include "core/next.h"
#include "core/notify.h"
#include "core/ready.h"

/* Grows with all that a worker's task can do, or others in its place, but to yield in vain. */
static uint64_t stackless_progress(const struct qti_worker *w)
{
	return w->stats.tasks_run + w->stats.forks + w->stats.switches + w->woken;
}

/* The running task has yielded in vain once more.  True if it has done nothing else for long. */
static bool yields_in_vain(struct qti_worker *w)
{
	const uint64_t now = stackless_progress(w);

	if (w->vain.task != w->current || w->vain.progress != now) {
		w->vain.task = w->current;
		w->vain.progress = now;
		w->vain.yields = 0;
	}
	return w->vain.yields >= TUNE_YIELDS_IN_VAIN || ++w->vain.yields >= TUNE_YIELDS_IN_VAIN;
}

/* The running task polls on, and has still done nothing itself. */
static void run_another_on_top(struct qti_worker *w, struct qti_task *next)
{
	qti_run_on_top(w, next);
	w = qti_self();
	w->vain.task = w->current;
	w->vain.progress = stackless_progress(w);
	w->vain.yields = TUNE_YIELDS_IN_VAIN;
}

/* Behind all others, or the next look would find it again and never one that can go on; and where any worker takes it,
 * as an open task has to be (S5).  Its place among the policy's tasks is lost. */
static void put_last(struct qti_worker *w, struct qti_task *t)
{
	if (t->flags & (QTI_TASK_BOUND | QTI_TASK_PINNED)) {
		qti_ready(t);
	} else {
		qti_taskq_push_back(&qti_rt.inbox, t);
		qti_notify(w->shepherd);
	}
}

/* The task cannot leave a worker that is off duty.  But what only that one would take it can give away (P5), at every
 * look, for more may come as long as the worker does not sleep. */
static void give_away(struct qti_worker *w)
{
	qti_duty_hand_on(w);
	qti_notify(w->shepherd);
}

static void stackless_give_way(struct qti_worker *w, bool on_top)
{
	if (qti_task_is(w->current, QTI_TASK_SIMPLE))
		return;
	if (load_rlx(&w->off))
		give_away(w);
	struct qti_task *next = qti_next_local(w);

	if (next && qti_task_is(next, QTI_TASK_STARTED)) {
		qti_suspend_for(next, load_rlx(&qti_rt.idle.draining) ? qti_after_yield_aside : qti_after_ready, NULL);
		return;
	}
	if (next && on_top && yields_in_vain(w) && qti_stack_left(w->stack) >= w->stack->promised) {
		if (qti_deal(w, next))
			return;
		run_another_on_top(w, next);
		return;
	}
	if (next)
		put_last(w, next);
	sched_yield();
}

void qti_stackless_yield(struct qti_worker *w)
{
	stackless_give_way(w, true);
}

void qti_stackless_wait_in_line(struct qti_worker *w)
{
	stackless_give_way(w, false);
}
