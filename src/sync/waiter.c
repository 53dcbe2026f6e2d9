/* sync/waiter.c -- see sync/waiter.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sync/waiter.h"

#include "base/container.h"
#include "base/park.h"
#include "base/poll.h"
#include "base/spin.h"
#include "base/tuning.h"
#include "core/gate.h"
#include "core/loop.h"
#include "core/ready.h"
#include "machine/caller.h"

const char *const qti_wait_names[QTI_WAIT_KINDS] = {
	[QTI_WAIT_READ_FF] = "readFF",
	[QTI_WAIT_READ_FE] = "readFE",
	[QTI_WAIT_WRITE_EF] = "writeEF",
	[QTI_WAIT_WRITE_FF] = "writeFF",
	[QTI_WAIT_PRECOND] = "precondition",
	[QTI_WAIT_QUEUE] = "queue",
	[QTI_WAIT_TURN] = "spin lock",
	[QTI_WAIT_BARRIER] = "barrier",
	[QTI_WAIT_SINC] = "sinc",
	[QTI_WAIT_LOCK] = "OpenMP lock",
	[QTI_WAIT_NEST_LOCK] = "nestable lock",
	[QTI_WAIT_CHILDREN] = "its children",
	[QTI_WAIT_TEAM] = "its team, at a barrier or where the region ends",
	[QTI_WAIT_CHANGE] = "a change of",
	[QTI_WAIT_MESSAGE] = "a message",
	[QTI_WAIT_IN_VAIN] = "nothing any more",
};

static struct qti_worker *waiter_fill(struct qti_waiter *w, enum qti_wait_kind kind, uint64_t value)
{
	struct qti_worker *self = qti_self();

	w->kind = kind;
	w->value = value;
	w->word = NULL;
	w->state = QTI_WAITER_WAITING;
	w->task = self ? self->current : NULL;
	return self;
}

int qti_waiter_init(struct qti_waiter *w, enum qti_wait_kind kind, uint64_t value)
{
	struct qti_worker *self = waiter_fill(w, kind, value);

	return self ? qti_suspend_prepare(self) : QTHREAD_SUCCESS;
}

bool qti_waiter_begin(struct qti_waiter *w, enum qti_wait_kind kind, const void *word)
{
	struct qti_worker *self = waiter_fill(w, kind, 0);

	w->word = word;
	return !self || qti_suspend_possible(self);
}

_Static_assert(sizeof(struct qti_waiter) <= QTI_TASK_MORE_BYTES, "it fits into a descriptor's second part");

struct qti_waiter *qti_waiter_of_done(struct qti_task *t, uint64_t value)
{
	struct qti_waiter *w = (struct qti_waiter *)(void *)qti_task_more(t);

	qti_task_release(t, qti_self());
	t->flags |= QTI_TASK_DONE;
	*w = (struct qti_waiter){
		.task = t, .value = value, .kind = QTI_WAIT_WRITE_EF, .state = QTI_WAITER_SLEEPING };
	return w;
}

bool qti_wait_by_joining(const void *word)
{
	struct qti_worker *w = qti_self();

	return w && qti_rt.sched->claim && qti_join_inline(word);
}

/* Looks at the record for about a microsecond.  Whoever answers at once, on another worker, then does so for a few
 * cache misses: no queue, no switch.  True if it was woken. */
static bool poll_waiter(const struct qti_waiter *w)
{
	struct qti_poll poll = { .ns = TUNE_WAIT_NS };

	do
		if (load_acq(&w->state) == QTI_WAITER_WOKEN)                                    /* W1 */
			return true;
	while (qti_poll_again(&poll));
	return false;
}

static bool fall_asleep(struct qti_waiter *w)
{
	uint32_t seen = QTI_WAITER_WAITING;

	return cas_acq_rel(&w->state, &seen, QTI_WAITER_SLEEPING);                              /* W1 */
}

static bool after_waiting(struct qti_task *left, void *waiter)
{
	(void)left;
	return fall_asleep(waiter);
}

/* The calling thread's, while it is no worker. */
static __thread struct qti_spin thread_spin __attribute__((tls_model("initial-exec")));

/* A thread that slept at every exchange with a worker would have to be woken each time, which takes longer than most of
 * what it waits for.  On the worker's CPU it gives way, and then the worker serves other threads, too, until it has to.
 * True if it was woken. */
static bool look_out(struct qti_waiter *w, uint64_t patience)
{
	struct qti_spell spell = { 0 };
	uint64_t most = qti_spin_most(&thread_spin, patience);

	while (qti_spin_on(&thread_spin, &spell, most, false) != QTI_SPIN_OVER) {
		if (poll_waiter(w)) {
			qti_spin_came(&thread_spin, &spell);
			return true;
		}
	}
	qti_spin_slept(&thread_spin);
	return false;
}

static void sleep_as_thread(struct qti_waiter *w, uint64_t patience)
{
	if (patience && poll_waiter(w))
		return;
	unsigned visits = qti_visit_pause();
	if (!(patience && look_out(w, patience)) && fall_asleep(w))
		while (load_acq(&w->state) != QTI_WAITER_WOKEN)
			qti_futex_wait(&w->state, QTI_WAITER_SLEEPING);
	qti_visit_resume(visits);
}

static bool look_at_waiter(void *waiter)
{
	return poll_waiter(waiter);
}

/* It may go on, on another worker, before the call returns, and then `what` is gone. */
__attribute__((noinline)) void qti_wait_recorded(const struct qti_waiter *what, const struct qti_wait_how *how)
{
	struct qti_worker *self = qti_self();

	qti_trace_put(
		&self->tracer, QTI_TRACE_WAIT, qti_trace_id(self, self->current), what->kind, (uintptr_t)what->word);
	const void *from = qti_caller(self->stack);
	qti_wait_unrecorded(self, how);
	self = qti_self();
	qti_trace_put(
		&self->tracer, QTI_TRACE_WAIT + QTI_TRACE_END, qti_trace_id(self, self->current), 0, (uintptr_t)from);
}

/* A function of its own: what its caller has to save for it is not saved while a lock is held. */
static void sleep_as_task(struct qti_waiter *w, bool patient)
{
	const struct qti_wait_how how = { patient, look_at_waiter, after_waiting, w };

	qti_wait_as_task(qti_self(), w, how);
}

static inline void waiter_await(struct qti_waiter *w, uint64_t patience)
{
	if (w->task)
		sleep_as_task(w, patience != 0);
	else
		sleep_as_thread(w, patience);
}

void qti_waiter_sleep(struct qti_waiter *w, uint64_t *lock, uint64_t unlocked)
{
	uint64_t patience = load_rlx(&qti_patience);    /* a queued OS thread may outlast this runtime */

	store_rel(lock, unlocked);
	waiter_await(w, patience);
}

void qti_waiter_await(struct qti_waiter *w)
{
	waiter_await(w, load_rlx(&qti_patience));
}

void qti_waiter_leave(struct qti_waiter *w)
{
	waiter_await(w, 0);
}

static void make_ready(struct qti_task *t)
{
	struct qti_worker *self = qti_self();

	if (self)
		qti_count_add(&self->woken, 1);
	qti_probe_wake(t);
	qti_ready(t);
}

uint64_t qti_threads_woken;

/* An OS thread may return as soon as it sees WOKEN, and wait anew at the same address: the record is not touched after
 * the exchange.  A wake-up that meets no sleeper there, or wakes one for nothing, is what futexes allow for. */
static void wake_thread(struct qti_waiter *w)
{
	add_rlx(&qti_threads_woken, 1);         /* before it runs, and may sleep at another place */
	if (swap_acq_rel(&w->state, QTI_WAITER_WOKEN) == QTI_WAITER_SLEEPING)                   /* W1 */
		qti_futex_wake(&w->state, 1);
}

/* A sleeping task stays asleep until its one waker makes it ready: then a load is enough. */
static void wake_task(struct qti_waiter *w, struct qti_task *t)
{
	if (load_acq(&w->state) != QTI_WAITER_SLEEPING &&
	    swap_acq_rel(&w->state, QTI_WAITER_WOKEN) != QTI_WAITER_SLEEPING)                   /* W1 */
		return;
	if (qti_task_is(t, QTI_TASK_DONE))
		qti_task_discard(t);
	else
		make_ready(t);
}

static void waiter_call(struct qti_waiter_called *w)
{
	w->resume(w);
}

static void waiter_wake(struct qti_waiter *w)
{
	if (w->kind == QTI_WAIT_PRECOND)
		waiter_call(qti_container_of(w, struct qti_waiter_called, waiter));
	else if (w->task)
		wake_task(w, w->task);
	else
		wake_thread(w);
}

size_t qti_waiters_forget_tasks(struct qti_waiter **last)
{
	struct qti_waiter *w, *rest = NULL;
	size_t n = 0;

	while ((w = qti_waiters_take(last)) != NULL) {
		if (w->task)
			continue;
		qti_waiters_add(&rest, w);
		n++;
	}
	*last = rest;
	return n;
}

void qti_waiters_give_up(struct qti_waiter **last, struct qti_waiter **woken)
{
	struct qti_waiter *w;

	qti_waiters_forget_tasks(last);
	while ((w = qti_waiters_take(last)) != NULL) {
		w->kind = QTI_WAIT_IN_VAIN;
		qti_waiters_add(woken, w);
	}
}

void qti_waiters_each(const struct qti_waiter *last, qti_waiter_visit visit, void *arg)
{
	const struct qti_waiter *w = last;

	if (!last)
		return;
	do {
		w = w->next;
		visit(w, arg);
	} while (w != last);
}

void qti_wake_all(struct qti_waiter **last)
{
	struct qti_waiter *w;

	while ((w = qti_waiters_take(last)) != NULL)
		waiter_wake(w);
}
