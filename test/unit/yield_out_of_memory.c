/* test/unit/yield_out_of_memory.c -- who yields, or waits in a line, lets others run though there is no memory for a
 * stack.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks that wait take all stacks there are.  The main task waits, too, so that the loop which runs the polling task
 * stands on the last one: that task has none to leave its worker.
 *
 * A task that yields once, or waits for its turn, may have what those who have not started wait for.  If one of these
 * ran on top of it neither would ever go on.
 */
#include "api/every.h"
#include "base/mem.h"

enum { HOLDERS = 64, CHECKS_PER_SCENE = 3, SCENES = 3, CHILDREN = 8 };

static aligned_t starving;
static __thread bool fed;               /* this thread alone finds memory: it forks, and gets no stack meanwhile */

static bool fault(void)
{
	return !fed && qthread_incr(&starving, 0) != 0;
}

static aligned_t gate, over, begun, refused, ran, woken;
static aligned_t may_unlock;
static qthread_spinlock_t lock;

static aligned_t value(aligned_t *word)
{
	return qthread_incr(word, 0);
}

static void fork_fed(qthread_f f)
{
	fed = true;
	if (qthread_fork(f, NULL, NULL) != QTHREAD_SUCCESS)
		bail_out("no memory for a task");
	fed = false;
}

static void count_as(int rc)
{
	qthread_incr(rc == QTHREAD_SUCCESS ? &woken : &refused, 1);
}

static aligned_t hold_stack(void *arg)
{
	(void)arg;
	qthread_incr(&begun, 1);
	count_as(qthread_readFF(NULL, &gate));
	return 0;
}

/* The first to come has the lock, too, and waits for longer. */
static aligned_t hold_stack_and_lock(void *arg)
{
	bool first = qthread_incr(&begun, 1) == 0;

	(void)arg;
	if (first)
		qthread_spinlock_lock(&lock);
	count_as(qthread_readFF(NULL, first ? &may_unlock : &gate));
	if (first)
		qthread_spinlock_unlock(&lock);
	return 0;
}

static aligned_t leave_mark(void *arg)
{
	(void)arg;
	qthread_incr(&ran, 1);
	return 0;
}

static aligned_t lock_and_leave_mark(void *arg)
{
	(void)arg;
	qthread_spinlock_lock(&lock);
	qthread_incr(&ran, 1);
	qthread_spinlock_unlock(&lock);
	return 0;
}

static void let_all_end(void)
{
	while (value(&ran) == 0)
		qthread_yield();
	qthread_fill(&may_unlock);
	qthread_fill(&gate);
	while (value(&woken) + value(&refused) < HOLDERS)
		qthread_yield();
	qthread_fill(&over);
}

static aligned_t poll(void *arg)
{
	(void)arg;
	fork_fed(leave_mark);
	let_all_end();
	return 0;
}

static aligned_t yield_with_lock(void *arg)
{
	(void)arg;
	qthread_spinlock_lock(&lock);
	fork_fed(lock_and_leave_mark);
	qthread_yield();
	qthread_spinlock_unlock(&lock);
	let_all_end();
	return 0;
}

/* Who comes behind it in the lock's line has not started, who has the lock is ready. */
static aligned_t wait_for_lock(void *arg)
{
	(void)arg;
	qthread_fill(&may_unlock);
	fork_fed(lock_and_leave_mark);
	qthread_spinlock_lock(&lock);
	qthread_spinlock_unlock(&lock);
	let_all_end();
	return 0;
}

static const struct {
	qthread_f who, beside;
	const char *what;
} scene[SCENES] = {
	{ poll, hold_stack, "it polls" },
	{ yield_with_lock, hold_stack, "it yields with a lock" },
	{ wait_for_lock, hold_stack_and_lock, "it waits for a lock" },
};

static void play(const char *what, int s)
{
	begun = refused = ran = woken = 0;
	qthread_spinlock_init(&lock, false);
	qthread_empty(&gate);
	qthread_empty(&may_unlock);
	qthread_empty(&over);
	qthread_incr(&starving, 1);
	for (int i = 0; i < HOLDERS; i++)
		fork_fed(scene[s].beside);
	while (value(&begun) < HOLDERS || value(&refused) == 0)
		qthread_yield();
	fork_fed(scene[s].who);
	ok(qthread_readFF(NULL, &over) == QTHREAD_SUCCESS, "%s, %s: the main task has a stack to wait on", what, scene[s].what);
	ok(ran == 1, "%s, %s: what had not started runs", what, scene[s].what);
	ok(woken + refused == HOLDERS && refused > 0, "%s, %s: what waited goes on", what, scene[s].what);
	qthread_incr(&starving, (aligned_t)-1);
}

/* ---- Off duty: what the worker has queued is there for others, though the task cannot leave it. */

static aligned_t poll_off_duty(void *arg)
{
	(void)arg;
	for (int i = 0; i < CHILDREN; i++)
		fork_fed(leave_mark);
	qthread_disable_worker(1);
	while (value(&ran) < CHILDREN)
		qthread_yield();
	qthread_fill(&gate);
	while (value(&woken) + value(&refused) < HOLDERS)
		qthread_yield();
	qthread_enable_worker(1);
	qthread_fill(&over);
	return 0;
}

static void fork_fed_to(qthread_f f, qthread_shepherd_id_t shepherd)
{
	fed = true;
	if (qthread_fork_to(f, NULL, NULL, shepherd) != QTHREAD_SUCCESS)
		bail_out("no memory for a task");
	fed = false;
}

static void off_duty(const char *scheduler)
{
	every_start(scheduler, "2", "1");
	begun = refused = ran = woken = 0;
	qthread_empty(&gate);
	qthread_empty(&over);
	qthread_incr(&starving, 1);
	for (int i = 0; i < HOLDERS; i++)
		fork_fed_to(hold_stack, 1);
	while (value(&begun) < HOLDERS || value(&refused) == 0)
		qthread_yield();
	fork_fed_to(poll_off_duty, 1);
	qthread_readFF(NULL, &over);
	ok(ran == CHILDREN, "%s: a task that polls on a disabled worker: what it has forked runs elsewhere", scheduler);
	qthread_incr(&starving, (aligned_t)-1);
	qthread_finalize();
}

static void run(const char *what)
{
	for (int s = 0; s < SCENES; s++)
		play(what, s);
}

int main(void)
{
	plan(every_runs() * SCENES * CHECKS_PER_SCENE + EVERY_SCHEDULERS);
	qti_mem_fault = fault;
	every_runtime(run);
	for (int s = 0; s < EVERY_SCHEDULERS; s++)
		off_duty(every_scheduler[s]);
	qti_mem_fault = NULL;
	return done();
}
