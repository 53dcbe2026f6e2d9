/* sync/waiter.h -- somebody who waits for a word: a task, or an OS thread that is no worker.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The record lies on the waiting stack or in a descriptor, so waiting needs no memory.  Once it has been woken it is
 * gone.
 */
#ifndef QTI_SYNC_WAITER_H
#define QTI_SYNC_WAITER_H

#include "base/shared.h"
#include "core/loop.h"
#include "core/next.h"

enum qti_wait_kind {
	QTI_WAIT_READ_FF,
	QTI_WAIT_READ_FE,
	QTI_WAIT_WRITE_EF,
	QTI_WAIT_WRITE_FF,
	QTI_WAIT_PRECOND,               /* a task that has not started; sync/precond.c */
	QTI_WAIT_QUEUE,                 /* to be released; sync/queue.c */
	QTI_WAIT_TURN,                  /* for a lock; sync/line.c */
	QTI_WAIT_BARRIER,
	QTI_WAIT_SINC,                  /* its word is full once all is submitted */
	QTI_WAIT_LOCK,                  /* these five: of OpenMP; src/omp */
	QTI_WAIT_NEST_LOCK,
	QTI_WAIT_CHILDREN,
	QTI_WAIT_TEAM,                  /* at a barrier, or where a region ends */
	QTI_WAIT_CHANGE,                /* of a word that other tasks or members change */
	QTI_WAIT_MESSAGE,               /* or another event that a poller learns of (core/poller.h) */
	QTI_WAIT_IN_VAIN,               /* woken because the runtime has ended: an OS thread */
	QTI_WAIT_KINDS
};

/* What each is called where it is shown; the debugger's script reads them, too. */
extern const char *const qti_wait_names[QTI_WAIT_KINDS];

/* W1  The waiter goes from WAITING to SLEEPING (compare-and-swap, acq_rel) when it cannot see by itself any more that
 *     it is woken - a task once its registers are saved - || the waker puts WOKEN (exchange, acq_rel) and sees to a
 *     sleeper, who owns the record no longer. */
enum qti_waiter_state {
	QTI_WAITER_WAITING,             /* looks at the record */
	QTI_WAITER_SLEEPING,            /* must be made ready, or woken by futex */
	QTI_WAITER_WOKEN,
};

struct qti_waiter {
	struct qti_waiter *next;
	struct qti_task *task;          /* NULL: an OS thread */
	uint64_t value;                 /* read, or to be written */
	const void *word;               /* waited for, whatever that is; syncvars share lists (sync/syncvar.c) */
	enum qti_wait_kind kind;
	uint32_t state;                 /* enum qti_waiter_state; an OS thread's futex */
};

/* QTI_WAIT_PRECOND: to wake one is to call a function, which need not make its task ready. */
struct qti_waiter_called {
	struct qti_waiter waiter;
	void (*resume)(struct qti_waiter_called *w);
};

/* First in, first out; a ring that `last` closes.  NULL: empty. */
static inline void qti_waiters_add(struct qti_waiter **last, struct qti_waiter *w)
{
	if (*last) {
		w->next = (*last)->next;
		(*last)->next = w;
	} else {
		w->next = w;
	}
	*last = w;
}

static inline struct qti_waiter *qti_waiters_take(struct qti_waiter **last)
{
	struct qti_waiter *first = *last ? (*last)->next : NULL;

	if (!first)
		return NULL;
	if (first == *last)
		*last = NULL;
	else
		(*last)->next = first->next;
	return first;
}

/* When the runtime stops: takes the tasks' records, whose memory is about to go, out of the ring.  OS threads' stay:
 * how many. */
QTI_SHARED size_t qti_waiters_forget_tasks(struct qti_waiter **last);

/* The same, and the OS threads are put aside to be woken, in vain. */
void qti_waiters_give_up(struct qti_waiter **last, struct qti_waiter **woken);

/* What those who walk along waiters call for each, under the lock that a waker of it needs. */
typedef void (*qti_waiter_visit)(const struct qti_waiter *w, void *arg);

/* Calls visit(waiter, arg) for each of a ring. */
QTI_SHARED void qti_waiters_each(const struct qti_waiter *last, qti_waiter_visit visit, void *arg);

/* Locks a word by its lowest bit and returns it as it was.  The holder does a few loads and stores; only one that lost
 * its CPU is worth giving ours away for. */
static inline uint64_t qti_word_lock(uint64_t *word)
{
	for (unsigned looks = 0;; looks++) {
		uint64_t w = load_rlx(word);
		if (!(w & 1) && cas_acq_rel(word, &w, w | 1))
			return w;
		qti_pause(looks);
	}
}

/* Times that an OS thread was woken, counted before it is: so of threads that were seen asleep one after the other all
 * sleep at the end if the number is the same as before. */
extern uint64_t qti_threads_woken;

/* Wakes all that were served under a lock and put aside (with qti_waiters_add), in that order. */
QTI_SHARED void qti_wake_all(struct qti_waiter **last);

/* How a task waits. */
struct qti_wait_how {
	bool patient;
	bool (*look)(void *arg);
	qti_after publish;
	void *arg;
};

static inline void qti_wait_unrecorded(struct qti_worker *w, const struct qti_wait_how *how)
{
	struct qti_task *next = qti_next_local(w);

	if (next || !how->patient || qti_rt.nworkers == 1 || !how->look(how->arg))
		qti_suspend_for(next, how->publish, how->arg);
}

/* While the event log is on. */
void qti_wait_recorded(const struct qti_waiter *what, const struct qti_wait_how *how);

/* The running task leaves its stack, for which qti_suspend_prepare has seen: other ready tasks come first; then
 * look(arg), a moment's patience, if it is `patient` and there are other workers to look for; then the worker's loop.
 * publish(task, arg) is called when the stack is left, and says whether it waits on.  `what` is shown. */
static inline __attribute__((always_inline)) void qti_wait_as_task(
	struct qti_worker *w, const struct qti_waiter *what, struct qti_wait_how how)
{
	qti_probe_wait(what->task, what->word, what->kind);
	if (qti_traces(&w->tracer))
		qti_wait_recorded(what, &how);
	else
		qti_wait_unrecorded(w, &how);
}

/* Fills in who waits: the running task (with a stack ready for its worker), or the calling OS thread.
 * QTHREAD_SUCCESS or _MALLOC_ERROR. */
QTI_SHARED int qti_waiter_init(struct qti_waiter *w, enum qti_wait_kind kind, uint64_t value);

/* The same for who can as well look again: false without memory for a stack, after giving the CPU away. */
QTI_SHARED bool qti_waiter_begin(struct qti_waiter *w, enum qti_wait_kind kind, const void *word);

/* A task that has returned and cannot deliver its result yet needs no stack to wait on: the record lies in its
 * descriptor, which goes back to the pool when the record is woken. */
struct qti_waiter *qti_waiter_of_done(struct qti_task *t, uint64_t value);

/* Runs the task that will fill `word` in place of waiting for it, when that is possible: true if it ran. */
bool qti_wait_by_joining(const void *word);

/* The waiter has been queued under a lock.  Drops the lock by storing `unlocked` in *lock (release), and returns when
 * it has been woken. */
QTI_SHARED void qti_waiter_sleep(struct qti_waiter *w, uint64_t *lock, uint64_t unlocked);

/* The same where the lock has been dropped, or there was none. */
QTI_SHARED void qti_waiter_await(struct qti_waiter *w);

/* The same at once: whoever wakes it is no worker's task that is at it. */
QTI_SHARED void qti_waiter_leave(struct qti_waiter *w);

#endif
