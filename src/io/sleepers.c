/* io/sleepers.c -- see io/sleepers.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One thread, started by the first sleeper, owns a heap of deadlines and makes tasks ready when their time has come.
 * It is a thread of its own and no duty of idle workers': those may all be busy for long, and would have to look at the
 * clock between any two tasks in order to be in time.
 *
 * A sleeper's record lies on its stack.  New ones are put on a list (the newest first) that the thread takes as a
 * whole, so nobody but the thread touches the heap, and putting one there is one compare-and-swap.
 *
 *   SP1  sleep:   put the record on the list;  fence_sc;  look at wake_at: later than its time?  wake the thread
 *   SP2  thread:  store wake_at;               fence_sc;  look at the list; sleep until wake_at
 *
 * so either the thread sees the record or the sleeper sees when the thread would wake.  Of several sleepers that come
 * before wake_at the first takes it away (compare-and-swap to 0) and wakes; for the others the thread is awake.
 *   SP3  the record is put on the list by a release and the list taken by an acquire: the thread sees all of it, and
 *        the task with its registers saved.
 * Checked by test/api/sleep.c and test/stress/io.c.
 */
#include "io/sleepers.h"

#include "base/container.h"
#include "base/park.h"
#include "core/loop.h"
#include "core/next.h"
#include "core/ready.h"
#include "io/absent.h"
#include "io/heap.h"
#include "io/thread.h"

#include <string.h>
#include <sys/prctl.h>

struct sleeper {
	struct qti_heap_node node;
	struct sleeper *next;           /* on the list */
	uint64_t deadline;
	struct qti_task *task;
};

_Static_assert(offsetof(struct sleeper, node) == 0, "a node is its sleeper");

static const uint64_t NEVER = UINT64_MAX;

static struct {
	struct sleeper *list QTI_ALIGNED_LINE;
	uint64_t wake_at;               /* 0: the thread is awake, and will look at the list before it sleeps */
	uint32_t calls;                 /* its futex: changes whenever it is woken */
	bool stop;
	bool started;
	pthread_mutex_t starting;
	pthread_t thread;
} timer;

/* --- the thread ------------------------------------------------------------------------------------------ */

static void take_list(struct qti_heap *h)
{
	struct sleeper *oldest = NULL, *next;

	if (!load_rlx(&timer.list))
		return;
	for (struct sleeper *s = swap_acq_rel(&timer.list, NULL); s; s = next) {        /* SP3 */
		next = s->next;
		s->next = oldest;
		oldest = s;
	}
	for (struct sleeper *s = oldest; s; s = next) {
		next = s->next;
		qti_heap_add(h, &s->node, s->deadline);
	}
}

/* The record is gone as soon as its task is ready. */
static void wake_due(struct qti_heap *h, uint64_t now)
{
	while (h->first && h->first->key <= now) {
		struct sleeper *s = qti_container_of(qti_heap_take(h), struct sleeper, node);
		qti_ready(s->task);
		qti_absent_remove();
	}
}

static void sleep_until(uint64_t deadline)
{
	uint32_t seen = load_rlx(&timer.calls);

	store_rlx(&timer.wake_at, deadline);
	fence_sc();                                                                     /* SP2 */
	if (!load_rlx(&timer.list) && !load_acq(&timer.stop))
		qti_futex_wait_until(&timer.calls, seen, deadline);
	store_rlx(&timer.wake_at, 0);
}

static void *timer_main(void *unused)
{
	struct qti_heap heap = { .first = NULL };

	(void)unused;
	qti_thread_settle();
	prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);   /* the kernel may be up to 50 us late otherwise */
	while (!load_acq(&timer.stop)) {
		uint64_t now = qti_now_ns();            /* first: the list then has whoever was due before it */
		take_list(&heap);
		wake_due(&heap, now);
		sleep_until(heap.first ? heap.first->key : NEVER);
	}
	return NULL;
}

static bool sleepers_start(void)
{
	if (load_acq(&timer.started))
		return true;
	pthread_mutex_lock(&timer.starting);
	if (!timer.started)
		store_rel(&timer.started, qti_thread_start(&timer.thread, timer_main, NULL));
	bool started = timer.started;
	pthread_mutex_unlock(&timer.starting);
	return started;
}

unsigned qti_sleepers_threads(void)
{
	return load_acq(&timer.started);
}

static void wake_thread(void)
{
	add_acq_rel(&timer.calls, 1);
	qti_futex_wake(&timer.calls, 1);
}

/* --- sleepers -------------------------------------------------------------------------------------------- */

/* On the worker that the task has left. */
static bool put_on_list(struct qti_task *t, void *record)
{
	struct sleeper *s = record, *newest = load_rlx(&timer.list);
	uint64_t deadline = s->deadline, wake_at;

	s->task = t;
	do
		s->next = newest;
	while (!cas_acq_rel(&timer.list, &newest, s));                                  /* SP3 */
	fence_sc();                                                                     /* SP1 */
	wake_at = load_rlx(&timer.wake_at);
	while (deadline < wake_at)
		if (cas_acq_rel(&timer.wake_at, &wake_at, 0)) {
			wake_thread();
			break;
		}
	return true;
}

bool qti_sleepers_add(uint64_t ns)
{
	struct qti_worker *w = qti_self();
	uint64_t now = qti_now_ns();
	struct sleeper s = { .deadline = ns < NEVER - now ? now + ns : NEVER };

	if (!w || qti_task_is(w->current, QTI_TASK_SIMPLE) || !sleepers_start() ||
	    qti_suspend_prepare(w) != QTHREAD_SUCCESS)
		return false;
	qti_absent_add();
	qti_suspend_for(qti_next_local(w), put_on_list, &s);
	return true;
}

/* --- up and down ----------------------------------------------------------------------------------------- */

void qti_sleepers_up(void)
{
	memset(&timer, 0, sizeof(timer));
	timer.starting = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

void qti_sleepers_down(void)
{
	if (!timer.started)
		return;
	store_rel(&timer.stop, true);   /* seen by who sees the call, or the call keeps it from sleeping */
	wake_thread();
	pthread_join(timer.thread, NULL);
	timer.started = false;
}
