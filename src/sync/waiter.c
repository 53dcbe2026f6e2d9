/* sync/waiter.c -- see sync/waiter.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sync/waiter.h"

#include "base/park.h"
#include "sync/precond.h"

int qti_waiter_init(struct qti_waiter *w, enum qti_wait_kind kind, uint64_t value)
{
	struct qti_worker *self = qti_self();

	w->kind = kind;
	w->value = value;
	w->woken = 0;
	w->task = self ? self->current : NULL;
	return self ? qti_suspend_prepare(self) : QTHREAD_SUCCESS;
}

bool qti_wait_by_joining(const void *word)
{
	struct qti_worker *w = qti_self();

	return w && qti_rt.sched->claim && qti_join_inline(word);
}

struct unlock {
	uint64_t *lock;
	uint64_t unlocked;
};

/* On the worker's new stack.  The store lets a waker in, which may free the stack that `arg` lies on. */
static void unlock(struct qti_task *left, void *arg)
{
	struct unlock u = *(struct unlock *)arg;

	(void)left;
	store_rel(u.lock, u.unlocked);
}

void qti_waiter_sleep(struct qti_waiter *w, uint64_t *lock, uint64_t unlocked)
{
	if (w->task) {
		qti_suspend(unlock, &(struct unlock){ lock, unlocked });
		return;
	}
	store_rel(lock, unlocked);
	while (load_acq(&w->woken) == 0)
		qti_futex_wait(&w->woken, 0);
}

/* An OS thread may return as soon as it sees the store; the wake-up then meets no sleeper there, or wakes one
 * for nothing, which every sleeper on a futex allows for. */
static void wake(struct qti_waiter *w)
{
	if (w->kind == QTI_WAIT_PRECOND) {
		qti_precond_resume(w);
	} else if (w->task) {
		qti_ready(w->task);
	} else {
		store_rel(&w->woken, 1);
		qti_futex_wake(&w->woken, 1);
	}
}

void qti_wake_all(struct qti_waiter **last)
{
	struct qti_waiter *w;

	while ((w = qti_waiters_take(last)) != NULL)
		wake(w);
}
