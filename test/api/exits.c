/* test/api/exits.c -- exit(3) in the handler of a signal, at any moment: the process ends, with that status.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS is the number of processes of each kind, scheduler and number of workers (default 10).
 */
#include "child.h"
#include "every.h"
#include "fib.h"
#include "moment.h"

#include <qthread/qt_syscalls.h>

enum { ROUNDS = 10, WORKERS = 2, TASKS = 8 };

static const char *scheduler, *workers;
static aligned_t never;

static void forks_and_reads(void)
{
	aligned_t ret[TASKS];

	for (;;) {
		for (uintptr_t i = 0; i < TASKS; i++)
			qthread_fork(fib, (void *)i, &ret[i]);
		for (int i = 0; i < TASKS; i++)
			qthread_readFF(NULL, &ret[i]);
	}
}

static void start(void)
{
	every_start(scheduler, "1", workers);
}

static void in_main_task(void *unused)
{
	(void)unused;
	moment_comes();
	start();
	forks_and_reads();
}

/* The program has it called at exit, before and after the library does that itself.  Not while the moment may come:
 * atexit(3) holds a lock that exit(3) takes. */
static void with_finalize(void *unused)
{
	(void)unused;
	atexit(qthread_finalize);
	start();
	atexit(qthread_finalize);
	moment_comes();
	forks_and_reads();
}

static aligned_t interrupted(void *unused)
{
	(void)unused;
	moment_comes();
	forks_and_reads();
	return 0;
}

static void in_task(void *unused)
{
	(void)unused;
	start();
	for (int i = 0; i < TASKS; i++)
		qthread_fork(interrupted, NULL, NULL);
	qthread_empty(&never);
	qthread_readFF(NULL, &never);
}

static void *thread(void *unused)
{
	interrupted(unused);
	return NULL;
}

static void in_thread(void *unused)
{
	pthread_t t;

	start();
	if (pthread_create(&t, NULL, thread, unused) != 0)
		_exit(1);
	forks_and_reads();
}

static void comes_and_goes(void *unused)
{
	aligned_t ret;

	(void)unused;
	moment_comes();
	for (;;) {
		start();
		qthread_fork(fib, (void *)8, &ret);
		qthread_finalize();
	}
}

/* Whom qthread_finalize would wait for. */
static aligned_t sleeps(void *unused)
{
	(void)unused;
	for (;;)
		qt_sleep(1);
	return 0;
}

static void beside_sleepers(void *unused)
{
	start();
	for (int i = 0; i < TASKS; i++)
		qthread_fork_new_team(sleeps, NULL, NULL);
	with_finalize(unused);
}

static const struct {
	const char *name;
	void (*body)(void *unused);
} kinds[] = {
	{ "in the main task", in_main_task },
	{ "which calls qthread_finalize", with_finalize },
	{ "in another task", in_task },
	{ "in a thread that forks tasks", in_thread },
	{ "while the runtime starts and ends", comes_and_goes },
	{ "while teams sleep", beside_sleepers },
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]), STATED = 4, CHECKS = EVERY_SCHEDULERS * WORKERS * KINDS + STATED };

/* --- what is left as it is ------------------------------------------------------------------------------- */

static aligned_t mark(void *unused)
{
	(void)unused;
	if (write(STDERR_FILENO, "x", 1) != 1)
		abort();
	return 0;
}

struct handler {
	void (*called)(int sig);
	int flags;
	const char *stats;
};

static void finalizes(int unused)
{
	(void)unused;
	qthread_finalize();
}

/* One worker: nobody else may run what is ready. */
static void with_ready_tasks(void *arg)
{
	const struct handler *h = arg;
	static char stack[1 << 16];

	leaks_allow();
	alarm(MOMENT_LIMIT);
	sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = sizeof(stack) }, NULL);
	sigaction(SIGUSR1, &(struct sigaction){ .sa_handler = h->called, .sa_flags = h->flags }, NULL);
	setenv("QT_STATS", h->stats, 1);
	every_start("q", "1", "1");
	for (int i = 0; i < 3; i++)
		qthread_fork(mark, NULL, NULL);
	raise(SIGUSR1);
	if (qthread_num_workers() == 0)
		_exit(1);
	mark(NULL);
	exit(0);
}

static bool ends_with(struct child *c, const struct handler *h, int status)
{
	child_run(c, with_ready_tasks, (void *)(uintptr_t)h);
	return WIFEXITED(c->status) && WEXITSTATUS(c->status) == status;
}

static void stated(void)
{
	static const struct handler exits = { moment_exit, 0, "no" }, elsewhere = { moment_exit, SA_ONSTACK | SA_NODEFER, "no" },
		says = { moment_exit, 0, "yes" }, stays = { finalizes, 0, "no" };
	static struct child c;

	if (!ok(ends_with(&c, &exits, MOMENT_STATUS) && child_lines(&c) == 0 && !strchr(c.said, 'x'),
		"exit() in a handler: ready tasks do not run"))
		child_tell(&c);
	if (!ok(ends_with(&c, &elsewhere, MOMENT_STATUS) && child_lines(&c) == 0 && !strchr(c.said, 'x'),
		"nor if it has a stack of its own"))
		child_tell(&c);
	if (!ok(ends_with(&c, &says, MOMENT_STATUS) && strstr(c.said, "libqthread statistics"), "but statistics are printed"))
		child_tell(&c);
	if (!ok(ends_with(&c, &stays, 0) && strcmp(c.said, "xxxx") == 0, "qthread_finalize in a handler does nothing"))
		child_tell(&c);
}

/* --- any moment ------------------------------------------------------------------------------------------ */

static void run(int rounds)
{
	for (int k = 0; k < KINDS; k++)
		is_int(moments(rounds, kinds[k].body, NULL), rounds, "%s 1 x %s: exit() in a handler %s, %d times", scheduler, workers,
			kinds[k].name, rounds);
}

int main(void)
{
	static const char *const counts[WORKERS] = { "1", "3" };
	const int rounds = every_scaled(getenv("QTI_ROUNDS") ? atoi(getenv("QTI_ROUNDS")) : ROUNDS);

	plan(CHECKS);
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
	skip(CHECKS, "sanitizers call handlers late, or do at exit what no handler may");
	return done();
#endif
	if (!leaks_allowed()) {
		skip(CHECKS, "valgrind counts what threads own that still run as lost, and cannot be told otherwise");
		return done();
	}
	stated();
	if (moments_counted()) {
		skip(CHECKS - STATED, MOMENTS_COUNTED);
		return done();
	}
	moment_begin();
	for (int s = 0; s < EVERY_SCHEDULERS; s++)
		for (int w = 0; w < WORKERS; w++) {
			scheduler = every_scheduler[s];
			workers = counts[w];
			run(rounds);
		}
	return done();
}
