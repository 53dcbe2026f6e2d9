/* test/check/tasks.c -- sync/waiter.h: a task that waits has left its stack before it is made ready, and goes on once
 * (W1).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each thread but a last one may be a worker with a task of its own.
 */
#include "check/outside.h"
#include "check/switches.h"

#include "core/next.h"
#include "core/ready.h"

static void task_suspend(qti_after publish, void *arg);
static void task_ready(struct qti_task *t);
static void task_gone(struct qti_task *t);

#define qti_next_local(w) ((void)(w), (struct qti_task *)NULL)
#define qti_suspend_for(next, publish, arg) ((void)(next), task_suspend(publish, arg))
#define qti_ready task_ready
#define qti_task_discard task_gone
#define qti_task_release(t, w) ((void)0)

#include "sync/waiter.c"
#include "sync/febtable.c"
#include "sync/feb.c"

#include <stdlib.h>

enum { WORKERS = 2, THREADS = 3, FIRST = 1, SECOND = 2 };

static struct qti_worker *worker;               /* WORKERS */
static struct qti_task task[WORKERS];           /* those that run there */
static struct {
	struct qti_task task;
	struct qti_task_more more;
} returned;                                     /* one whose function has returned */
static unsigned workers;                        /* threads below it are workers */

static struct qti_waiter record[THREADS];
static uint64_t lock;
static struct qti_waiter *line;                 /* under the lock, as the next one */
static bool open;
static unsigned data, gone;
static aligned_t word, got[THREADS];

/* --- tasks ------------------------------------------------------------------------------------------------ */

static void task_suspend(qti_after publish, void *arg)
{
	context_leave(&task[check_thread()], publish, arg);
}

static void task_ready(struct qti_task *t)
{
	context_enter((unsigned)(t - task));
}

static void task_gone(struct qti_task *t)
{
	check_that(t == &returned.task, "the one that has returned");
	check_memset(&returned, 0xa5, sizeof(returned));
	gone++;
}

static void begin_with(unsigned n)
{
	static const struct qti_sched none = { .name = "none" };

	workers = n;
	qti_rt.sched = &none;
	qti_rt.workers = worker;
	qti_rt.nworkers = WORKERS;
	for (unsigned i = 0; i < WORKERS; i++) {
		worker[i].current = &task[i];
		worker[i].spare = (struct qti_stack *)(void *)&worker[i];       /* there is one */
	}
}

static void come(unsigned thread)
{
	qti_worker_self = thread < workers ? &worker[thread] : NULL;
}

static void begin_tasks(void)
{
	begin_with(WORKERS);
}

static void begin_task_and_thread(void)
{
	begin_with(1);
}

static void begin_patient(void)
{
	begin_with(WORKERS);
	store_rlx(&qti_patience, 1);
}

/* --- one wakes, the others wait ---------------------------------------------------------------------------- */

static void wait_in_line(unsigned thread)
{
	struct qti_waiter *w = &record[thread];

	check_that(qti_waiter_init(w, QTI_WAIT_QUEUE, 0) == QTHREAD_SUCCESS, "there is a stack");
	qti_word_lock(&lock);
	if (open) {
		store_rel(&lock, 0);
	} else {
		qti_waiters_add(&line, w);
		qti_waiter_sleep(w, &lock, 0);
	}
	check_that(data == 1, "all that came before it was woken");
	check_memset(w, 0xa5, sizeof(*w));
}

static void wake_line(void)
{
	data = 1;
	qti_word_lock(&lock);
	struct qti_waiter *woken = line;
	line = NULL;
	open = true;
	store_rel(&lock, 0);
	qti_wake_all(&woken);
}

static void run_wake(unsigned thread)
{
	come(thread);
	if (thread == 0)
		wait_in_line(thread);
	else
		wake_line();
}

/* The last thread wakes all. */
static void run_wake_two(unsigned thread)
{
	come(thread);
	if (thread < 2)
		wait_in_line(thread);
	else
		wake_line();
}

/* A thread that is no worker waits, a task wakes it. */
static void run_wake_thread(unsigned thread)
{
	come(thread);
	if (thread == 1)
		wait_in_line(thread);
	else
		wake_line();
}

/* A task has returned, and its result is waited with, not on a stack: its descriptor goes when that is delivered. */
static void run_done(unsigned thread)
{
	struct qti_task *t = &returned.task;

	come(thread);
	if (thread == 1) {
		wake_line();
		return;
	}
	qti_task_set_more(t, &returned.more);
	struct qti_waiter *w = qti_waiter_of_done(t, FIRST);
	qti_word_lock(&lock);
	bool late = open;
	if (!late)
		qti_waiters_add(&line, w);
	store_rel(&lock, 0);
	if (late)
		task_gone(t);
}

static void end_done(void)
{
	check_that(gone == 1, "its descriptor has gone, once");
}

/* --- full/empty words -------------------------------------------------------------------------------------- */

static void begin_empty(void)
{
	begin_with(WORKERS);
	word = 13;
	(void)qthread_empty(&word);
}

static void begin_full(void)
{
	begin_with(WORKERS);
	word = FIRST;
}

static void run_hand_over(unsigned thread)
{
	come(thread);
	if (thread == 0) {
		(void)qthread_readFF(&got[0], &word);
		check_that(got[0] == SECOND && data == 1, "all that came before the fill");
	} else {
		data = 1;
		(void)qthread_writeEF_const(&word, SECOND);
	}
}

/* As a lock. */
static void run_exclude(unsigned thread)
{
	aligned_t value;

	come(thread);
	(void)qthread_readFE(&value, &word);
	data++;
	(void)qthread_writeEF_const(&word, FIRST);
}

static void end_exclude(void)
{
	check_that(data == 2, "one after the other");
}

static void nothing(void)
{
}

static void end(void)
{
	check_that(!line, "nobody waits");
	for (unsigned i = 0; i < WORKERS; i++)
		check_that(context[i] == 0 && ready[i] == 0, "each goes on, once");
}

static const struct check_spare spare[] = {
	{ "waiter.c", "if (swap_acq_rel(&w->state, QTI_WAITER_WOKEN) == QTI_WAITER_SLEEPING)",
		"a thread saves nothing that its waker reads" },
	{ NULL, NULL, NULL }
};

#define UNIT(what, n, first, last) \
	{ .name = #what, .threads = n, .begin = first, .run = run_##what, .end = last, .switches = 3, .stale = 2, .most = 1500 }

int main(int argc, char **argv)
{
	static const struct check_unit wake = UNIT(wake, 2, begin_tasks, end), two = UNIT(wake_two, 3, begin_tasks, end),
		by_thread = { .name = "wake_by_thread", .threads = 2, .begin = begin_task_and_thread, .run = run_wake,
			.end = end, .switches = 3, .stale = 2, .most = 1500 },
		patient = { .name = "patient", .threads = 2, .begin = begin_patient, .run = run_wake, .end = end,
			.switches = 3, .stale = 2, .most = 1500 },
		of_thread = UNIT(wake_thread, 2, begin_task_and_thread, end),
		is_done = UNIT(done, 2, begin_tasks, end_done), hand_over = UNIT(hand_over, 2, begin_empty, nothing),
		exclude = UNIT(exclude, 2, begin_full, end_exclude);
	static const struct check_unit *const units[] = { &wake, &two, &by_thread, &patient, &of_thread, &is_done, &hand_over,
		&exclude };
	static const char *const of[] = { "sync/waiter.c", NULL };
	static const struct check_program program = { units, sizeof(units) / sizeof(units[0]), spare, of };

	store_rlx(&qti_poll_rate, 0);
	worker = aligned_alloc(QTI_CACHE_LINE, WORKERS * sizeof(*worker));
	if (!worker || qti_feb_init() != QTHREAD_SUCCESS)
		return 2;
	memset(worker, 0, WORKERS * sizeof(*worker));
	check_local(&qti_worker_self, sizeof(qti_worker_self));
	return check_run(&program, argc, argv);
}
