/* io/proxies.c -- see io/proxies.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A task that has left its worker goes to an idle proxy, else to a new one, else, when there are QT_MAX_IO_WORKERS of
 * them or when enough are just coming back, into a queue.  The lock makes this one decision.  A proxy that has brought
 * its task back takes the first of the queue or, if that is empty, idles; after QT_IO_TIMEOUT it ends.  The one that
 * idles last is called first, so that those that are not needed grow old.  Whoever ends joins the one that ended before
 * it: at most one is unjoined, and joining the last means that all have ended.
 *
 * Nothing of this takes memory for a task: the queue is linked through the tasks, a proxy's record lies on its own
 * stack.  With no proxy at all, and no way to make one, the tasks that were to leave are made ready: they make their
 * calls where they are.  Checked by test/api/io.c, test/unit/io_out_of_memory.c and test/stress/io.c.
 */
#include "io/proxies.h"

#include "base/park.h"
#include "core/loop.h"
#include "core/proxy.h"
#include "core/ready.h"
#include "io/absent.h"
#include "io/thread.h"

#include <string.h>

/* One proxy, on its stack.  All but the first field under the lock. */
struct member {
	struct qti_proxy proxy;
	struct member *newer, *older;   /* among the idle ones */
	struct qti_task *task;          /* what it is called for; NULL: to end */
	uint32_t called;                /* its futex, while it idles */
	bool any_ended;                 /* what was in the pool when it left that */
	pthread_t ended;
};

static struct {
	struct qti_lock lock;
	struct member *idle;            /* the newest */
	struct qti_tasklist queue;
	uint32_t count;                 /* of proxies; a futex once stopped */
	uint32_t carried;               /* tasks that are in the queue or on a proxy; atomic */
	unsigned returning;             /* proxies that will look into the queue in a moment */
	unsigned max;
	uint64_t patience;              /* ns */
	bool stop;
	bool any_ended;
	pthread_t ended;                /* still to be joined */
} pool;

void qti_proxies_up(void)
{
	memset(&pool, 0, sizeof(pool));
	pool.max = qti_rt.env.max_io_workers ? qti_rt.env.max_io_workers : 1;
	pool.patience = UINT64_C(1000) * qti_rt.env.io_timeout;
}

/* --- idling; under the lock ------------------------------------------------------------------------------ */

static void idle_begin(struct member *m)
{
	m->newer = NULL;
	m->older = pool.idle;
	m->task = NULL;
	store_rlx(&m->called, false);
	if (m->older)
		m->older->newer = m;
	pool.idle = m;
}

static void idle_end(struct member *m)
{
	*(m->newer ? &m->newer->older : &pool.idle) = m->older;
	if (m->older)
		m->older->newer = m->newer;
}

/* Its futex must be woken once the lock has been dropped.  By then it may have ended: a wake-up that meets nobody is
 * what futexes allow for. */
static uint32_t *proxy_call(struct member *m, struct qti_task *t)
{
	idle_end(m);
	m->task = t;
	store_rel(&m->called, true);
	return &m->called;
}

/* --- a proxy's life -------------------------------------------------------------------------------------- */

static void wait_for_call(struct member *m)
{
	uint64_t end = qti_now_ns() + pool.patience;

	while (!load_acq(&m->called) && qti_now_ns() < end)
		qti_futex_wait_until(&m->called, false, end);
}

static struct qti_task *proxy_idle(struct member *m)
{
	idle_begin(m);
	qti_lock_drop(&pool.lock);
	wait_for_call(m);
	qti_lock_take(&pool.lock);
	if (!load_rlx(&m->called))
		idle_end(m);
	return m->task;
}

/* From here on another one may be made in its place. */
static void proxy_retire(struct member *m)
{
	m->any_ended = pool.any_ended;
	m->ended = pool.ended;
	pool.any_ended = true;
	pool.ended = pthread_self();
	store_rel(&pool.count, pool.count - 1);
	if (pool.stop && pool.count == 0)
		qti_futex_wake(&pool.count, 1);
}

static struct qti_task *next_task(struct member *m)
{
	qti_lock_take(&pool.lock);
	pool.returning--;
	struct qti_task *t = qti_tasklist_pop_front(&pool.queue);
	if (!t && !pool.stop)
		t = proxy_idle(m);
	if (!t)
		proxy_retire(m);
	qti_lock_drop(&pool.lock);
	return t;
}

static void proxy_carry(struct member *m, struct qti_task *t)
{
	qti_thread_let_signals_in();
	qti_proxy_carry(&m->proxy, t);
	qti_thread_keep_signals_out();
	qti_lock_take(&pool.lock);
	pool.returning++;               /* before the task can ask for a proxy again */
	qti_lock_drop(&pool.lock);
	qti_ready(t);
	sub_acq_rel(&pool.carried, 1);
	qti_absent_remove();
}

static void *proxy_main(void *first)
{
	struct member m;

	qti_thread_settle();
	qti_proxy_begin(&m.proxy);
	for (struct qti_task *t = first; t; t = next_task(&m))
		proxy_carry(&m, t);
	qti_proxy_end(&m.proxy);
	if (m.any_ended)
		pthread_join(m.ended, NULL);
	return NULL;
}

unsigned qti_proxies_threads(void)
{
	qti_lock_take(&pool.lock);
	unsigned n = pool.count;
	qti_lock_drop(&pool.lock);
	return n;
}

/* --- a task's way to one --------------------------------------------------------------------------------- */

static void stay_on_workers(struct qti_task *t)
{
	sub_acq_rel(&pool.carried, 1);
	qti_ready(t);
}

/* There is one proxy less than was hoped for.  If others are left, the task queues for them, as it would at the limit;
 * if not, nobody would ever look into the queue. */
static void do_without(struct qti_task *t)
{
	struct qti_tasklist none = { NULL, NULL, 0 };
	uint32_t *wake = NULL;

	qti_lock_take(&pool.lock);
	store_rlx(&pool.count, pool.count - 1);
	if (pool.idle)
		wake = proxy_call(pool.idle, t);
	else
		qti_tasklist_push_back(&pool.queue, t);
	if (pool.count == 0) {
		none = pool.queue;
		pool.queue = (struct qti_tasklist){ NULL, NULL, 0 };
	}
	qti_lock_drop(&pool.lock);
	if (wake)
		qti_futex_wake(wake, 1);
	while ((t = qti_tasklist_pop_front(&none)) != NULL)
		stay_on_workers(t);
}

/* On the worker that the task has left. */
static bool hand_over(struct qti_task *t, void *unused)
{
	uint32_t *wake = NULL;
	bool create = false;
	pthread_t thread;

	(void)unused;
	add_rlx(&pool.carried, 1);
	qti_lock_take(&pool.lock);
	if (pool.idle)
		wake = proxy_call(pool.idle, t);
	else if (pool.count < pool.max && pool.queue.count >= pool.returning)
		create = true;
	else
		qti_tasklist_push_back(&pool.queue, t);
	store_rlx(&pool.count, pool.count + create);
	qti_lock_drop(&pool.lock);
	if (wake)
		qti_futex_wake(wake, 1);
	if (create && !qti_thread_start(&thread, proxy_main, t))
		do_without(t);
	return true;
}

bool qti_proxies_leave(void)
{
	struct qti_worker *w = qti_self();

	if (!w || qti_task_is(w->current, QTI_TASK_SIMPLE) || qti_suspend_prepare(w) != QTHREAD_SUCCESS)
		return false;
	qti_absent_add();
	if (qti_proxy_leave(hand_over, NULL))
		return true;
	qti_absent_remove();
	return false;
}

/* --- the end --------------------------------------------------------------------------------------------- */

/* Workers have ended, so nobody hands anything over any more. */
bool qti_proxies_down(void)
{
	bool all = load_acq(&pool.carried) == 0;
	uint32_t left;

	qti_lock_take(&pool.lock);
	pool.stop = true;
	pool.queue = (struct qti_tasklist){ NULL, NULL, 0 };
	while (pool.idle)
		qti_futex_wake(proxy_call(pool.idle, NULL), 1);
	qti_lock_drop(&pool.lock);
	if (!all)
		return false;
	while ((left = load_acq(&pool.count)) != 0)
		qti_futex_wait(&pool.count, left);
	if (pool.any_ended)
		pthread_join(pool.ended, NULL);
	pool.any_ended = false;
	return true;
}
