/* api/blocked.c -- who waits for which word: for programs that report a deadlock.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The visitors run under the lock that a waker needs as well, so a task that is told about cannot go on, let alone
 * end, before the callback has returned: all that it is told stays valid for so long.
 */
#include "sync/feb.h"
#include "sync/febtable.h"
#include "sync/syncvar.h"
#include "sync/waiter.h"

struct listener {
	qt_feb_callback_f tell;
	void *arg;
};

/* The copy of its argument that a task had is gone once it has returned. */
static void waiter_tell(const struct qti_waiter *w, void *arg)
{
	const struct listener *l = arg;
	struct qti_task *t = w->task;

	if (t)
		l->tell((void *)qti_feb_address(w->word), t->fn, qti_task_is(t, QTI_TASK_DONE) ? NULL : t->arg, load_rlx(&t->ret),
		        qti_task_id(t), qti_task_local(t), l->arg);
}

void qthread_feb_callback(qt_feb_callback_f cb, void *arg)
{
	if (cb)
		qti_feb_each_waiter(waiter_tell, &(struct listener){ cb, arg });
}

void qthread_syncvar_callback(qt_feb_callback_f cb, void *arg)
{
	if (cb)
		qti_syncvar_each_waiter(waiter_tell, &(struct listener){ cb, arg });
}
