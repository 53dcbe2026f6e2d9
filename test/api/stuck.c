/* test/api/stuck.c -- programs in which nothing goes on any more say so, and who waits for what.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "stuck.h"

#include "qthread/barrier.h"
#include "qthread/sinc.h"

static aligned_t lock_a, lock_b, returned_a, returned_b, filled, arrived;
static syncvar_t sync_never = SYNCVAR_STATIC_INITIALIZER;
static qthread_spinlock_t spin_a, spin_b;
static qt_sinc_t *sinc;
static qt_barrier_t *barrier;
static qthread_queue_t queue;

/* Both tasks have what they begin with before either goes on. */
static void meet(void)
{
	qthread_incr(&arrived, 1);
	while (*(volatile aligned_t *)&arrived < 2)
		qthread_yield();
}

/* --- what goes wrong ------------------------------------------------------------------------------------- */

static aligned_t take_a_then_b(void *unused)
{
	(void)unused;
	qthread_lock(&lock_a);
	meet();
	return (aligned_t)qthread_lock(&lock_b);
}

static aligned_t take_b_then_a(void *unused)
{
	(void)unused;
	qthread_lock(&lock_b);
	meet();
	return (aligned_t)qthread_lock(&lock_a);
}

static void two_locks(void)
{
	qthread_fork(take_a_then_b, NULL, &returned_a);
	qthread_fork(take_b_then_a, NULL, &returned_b);
	wait_for_ever();
}

static aligned_t waits_on_top(void *unused)
{
	(void)unused;
	return (aligned_t)qthread_readFF(NULL, &never);
}

static void below(void)
{
	qthread_empty(&never);
	qthread_fork(waits_on_top, NULL, &returned_a);
	qthread_readFF(NULL, &returned_a);
}

static aligned_t spin_a_then_b(void *unused)
{
	(void)unused;
	qthread_spinlock_lock(&spin_a);
	meet();
	return (aligned_t)qthread_spinlock_lock(&spin_b);
}

static aligned_t spin_b_then_a(void *unused)
{
	(void)unused;
	qthread_spinlock_lock(&spin_b);
	meet();
	return (aligned_t)qthread_spinlock_lock(&spin_a);
}

static void two_spin_locks(void)
{
	qthread_spinlock_init(&spin_a, true);
	qthread_spinlock_init(&spin_b, true);
	qthread_fork(spin_a_then_b, NULL, NULL);
	qthread_fork(spin_b_then_a, NULL, NULL);
	wait_for_ever();
}

static aligned_t enter_barrier(void *unused)
{
	(void)unused;
	qt_barrier_enter(barrier);
	return 0;
}

static void barrier_short(void)
{
	barrier = qt_barrier_create(3, REGION_BARRIER);
	qthread_fork(enter_barrier, NULL, NULL);
	qt_barrier_enter(barrier);
}

static void sinc_short(void)
{
	sinc = qt_sinc_create(0, NULL, NULL, 3);
	qt_sinc_submit(sinc, NULL);
	qt_sinc_wait(sinc, NULL);
}

static void lock_twice(void)
{
	qthread_lock(&lock_a);
	qthread_lock(&lock_a);
}

static void queue_unreleased(void)
{
	queue = qthread_queue_create(QTHREAD_QUEUE_MULTI_JOIN_LENGTH, 0);
	qthread_queue_join(queue);
}

static void syncvar_unfilled(void)
{
	uint64_t value;

	qthread_syncvar_empty(&sync_never);
	qthread_syncvar_readFF(&value, &sync_never);
}

static aligned_t return_what_b_does(void *unused)
{
	(void)unused;
	meet();
	return (aligned_t)qthread_readFF(NULL, &returned_b);
}

static aligned_t return_what_a_does(void *unused)
{
	(void)unused;
	meet();
	return (aligned_t)qthread_readFF(NULL, &returned_a);
}

static void two_returns(void)
{
	qthread_fork(return_what_b_does, NULL, &returned_a);
	qthread_fork(return_what_a_does, NULL, &returned_b);
	while (*(volatile aligned_t *)&arrived < 2)
		qthread_yield();
	qthread_readFF(NULL, &returned_b);
}

static aligned_t writer(void *unused)
{
	(void)unused;
	return (aligned_t)qthread_writeEF_const(&filled, 1);
}

static void full_for_ever(void)
{
	aligned_t result;

	qthread_empty(&result);
	for (int i = 0; i < 5; i++)
		qthread_fork(writer, NULL, NULL);
	qthread_empty(&never);
	qthread_fork_precond(writer, NULL, &result, 1, &never);
	qthread_readFF(NULL, &result);
}

static void *thread_waits(void *unused)
{
	(void)unused;
	qthread_readFF(NULL, &never);
	return NULL;
}

static void thread_waits_too(void)
{
	pthread_t thread;

	qthread_empty(&never);
	pthread_create(&thread, NULL, thread_waits, NULL);
	qthread_readFF(NULL, &never);
}

static void *thread_ends(void *unused)
{
	(void)unused;
	pause_ms(400);
	return NULL;
}

static void thread_ended(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, thread_ends, NULL);
	wait_for_ever();
}

/* --- the programs ---------------------------------------------------------------------------------------- */

static struct program programs[] = {
	{ "readFF of a word that nobody fills", wait_for_ever, "2", "report", false,
		{ "2 workers sleep", "1 task(s) wait", "the main task waits: readFF never, which is empty" } },
	{ "the same on one worker", wait_for_ever, "1", "report", false, { "the main task waits: readFF never" } },
	{ "the same on five", wait_for_ever, "5", "report", false, { "5 workers sleep", "the main task waits: readFF never" } },
	{ "two tasks and two locks", two_locks, "2", "report", false,
		{ "(take_a_then_b) waits: readFE lock_b", "(take_b_then_a) waits: readFE lock_a",
		  "the main task waits: readFF never", "3 task(s) wait" } },
	{ "a task that runs on top of the main one", below, "1", "report", false,
		{ "(waits_on_top) waits: readFF never", "1 task(s) wait", "the main task waits below one of these" } },
	{ "two recursive spin locks", two_spin_locks, "2", "report", false,
		{ "(spin_a_then_b) waits: spin lock spin_b", "(spin_b_then_a) waits: spin lock spin_a", "(spin_b_then_a) has it",
		  "a cycle of 2, each waits for the next: task" } },
	{ "a barrier that one does not enter", barrier_short, "2", "report", false,
		{ "(enter_barrier) waits: barrier", "where 2 of 3 have come", "the main task waits: barrier" } },
	{ "a sinc that lacks submissions", sinc_short, "2", "report", false,
		{ "the main task waits: sinc", "which lacks 2 submission(s)" } },
	{ "a lock that its holder takes again", lock_twice, "2", "report", false, { "the main task waits: readFE lock_a" } },
	{ "a queue that nobody releases", queue_unreleased, "2", "report", false, { "the main task waits: queue" } },
	{ "a syncvar that nobody fills", syncvar_unfilled, "2", "report", false, { "the main task waits: readFF sync_never" } },
	{ "two tasks that wait for each other's results", two_returns, "2", "report", false,
		{ "(return_what_a_does) waits: readFF returned_a", "fills it when it returns", "a cycle of 2", "3 task(s) wait" } },
	{ "words that nobody empties, and a precondition", full_for_ever, "2", "report", false,
		{ "(writer) and 4 like it wait: writeEF filled, which is full", "(writer) waits: precondition never",
		  "the main task waits: readFF", "7 task(s) wait" } },
	{ "a thread that waits, too", thread_waits_too, "2", "report", false,
		{ "the main task waits: readFF never", "threads that are no workers, and wait: 1" } },
	{ "a thread that could have filled the word, and has ended", thread_ended, "2", "report", false,
		{ "the main task waits: readFF never" } },
	{ "abort ends it", wait_for_ever, "2", "abort", false, { "the main task waits: readFF never" } },
	{ "off: nothing is said", wait_for_ever, "2", "off", false, { NULL } },
	{ "a bad value is one line, and the default counts", wait_for_ever, "2", "loudly", false,
		{ "QT_DEADLOCK", "loudly", "report, abort, off, may", "the main task waits" } },
};
enum { PROGRAMS = sizeof(programs) / sizeof(programs[0]) };

static const struct program uncounted[] = {
	{ "without /proc: that it may be a deadlock", wait_for_ever, "2", "report", false,
		{ "may be a deadlock", "2 workers sleep, /proc does not tell", "1 task(s) wait", "the main task waits" } },
	{ "which ends nothing", wait_for_ever, "1", "abort", false, { "may be a deadlock", "the main task waits" } },
	{ "off: nothing", wait_for_ever, "2", "off", false, { NULL } },
};
enum { UNCOUNTED = sizeof(uncounted) / sizeof(uncounted[0]) };

static void hide_proc(void)
{
	if (!process_hide("/proc"))
		_exit(2);
}

static void without_proc(void)
{
	before_start = hide_proc;
	if (process_can_hide("/proc"))
		run_programs(uncounted, UNCOUNTED);
	else
		skip(UNCOUNTED, "no mounts of its own for a process here");
}

/* A small stack has no room for a task on top of the main one, which waits beside it, then. */
static void look_at_first_stack(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= 1 << 20)
		return;
	for (unsigned i = 0; i < PROGRAMS; i++)
		if (programs[i].run == below)
			programs[i].says[1] = NULL;
}

int main(void)
{
#ifdef __SANITIZE_THREAD__
	plan_skip_all("after fork(2) ThreadSanitizer has one thread of its own or two, so nobody knows which are the program's");
#endif
	process_needs_proc();            /* functions and variables have no names without it */
	plan(PROGRAMS + 1 + UNCOUNTED);
	look_at_first_stack();
	int64_t took = run_programs(programs, PROGRAMS);
	ok(took < WITHIN_MS || getenv("QTI_TEST_TOOL"), "all within %d ms: %lld", WITHIN_MS, (long long)took);
	without_proc();
	return done();
}
