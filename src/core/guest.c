/* core/guest.c -- see core/guest.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/guest.h"

#include "base/forked.h"
#include "core/idle.h"
#include "core/loop.h"
#include "core/poller.h"
#include "core/ready.h"

#include <sched.h>

static QTI_AT_LOAD const struct qti_guest *guest;

/* --- what it is told -------------------------------------------------------------------------------------- */

static void guest_before_fork(void)
{
	if (guest)
		guest->before_fork();
}

static void guest_after_fork(void)
{
	if (guest)
		guest->after_fork();
}

static void guest_in_child(void)
{
	if (guest)
		guest->in_child();
}

QTI_FORKED(QTI_FORKED_GUEST, guest_before_fork, guest_after_fork, guest_in_child)

void qti_guest_come(const struct qti_guest *g)
{
	guest = g;
	qti_guest_function = g->function;
}

const struct qti_guest *qti_guest_here(void)
{
	return guest;
}

/* --- where it stands -------------------------------------------------------------------------------------- */

enum qti_standing qti_guest_standing(void)
{
	struct qti_task *t = qti_current();

	if (!t)
		return QTI_STANDS_OUTSIDE;
	if (!qti_self())
		return QTI_STANDS_IN_CALL;
	return t == qti_rt.main_task ? QTI_STANDS_IN_MAIN : QTI_STANDS_IN_TASK;
}

/* --- a task that waits ------------------------------------------------------------------------------------ */

/* What the others keep comes first, even where there is always something in the worker's own queues. */
struct qti_task *qti_guest_look(struct qti_worker *w, bool final)
{
	struct qti_task *t = final && qti_worker_is_on_duty(w) ? qti_rt.sched->steal(w, true) : NULL;

	if (!t && qti_awaited())
		qti_poller_ask();
	return t ? t : qti_look(w, false);
}

void qti_guest_give_way(struct qti_task *t)
{
	if (qti_likely(qti_suspend_prepare(qti_self()) == QTHREAD_SUCCESS)) {
		qti_suspend_for(t, qti_after_ready, NULL);
	} else {
		qti_ready(t);           /* first: others may have a stack for it, and the caller soon looks again */
		sched_yield();
	}
}

void qti_guest_sleep(qti_after after, void *arg)
{
	if (qti_suspend_possible(qti_self()))
		qti_suspend(after, arg);
}

void qti_guest_seek(bool begin)
{
	uint32_t by = begin ? 1 : -1u;

	add_rlx(&qti_rt.idle.seeking, by);
	add_rlx(&qti_rt.idle.count, by);
}

void qti_guest_out_of_work(bool begin)
{
	add_rlx(&qti_rt.idle.out_of_work, begin ? 1 : -1u);
}
