/* test/api/leaving.c -- pthread_exit and cancellation: for the main task an end, for any other one an error.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "child.h"
#include "every.h"

#include <qthread/io.h>

#include <signal.h>

enum { EACH = 5, WORKERS = 2, LIMIT = 60, STATUS = 7 };

static const char *scheduler, *workers;

static aligned_t mark(void *arg)
{
	(void)arg;
	if (write(STDERR_FILENO, "x", 1) != 1)
		abort();
	return 0;
}

static void begin(void)
{
	alarm(LIMIT);
	every_start(scheduler, "1", workers);
}

static aligned_t never;

static void *waits(void *arg)
{
	if (qthread_readFF(NULL, &never) == QTHREAD_NOT_ALLOWED)
		mark(arg);
	return NULL;
}

static void main_task_leaves(void *unused)
{
	pthread_t thread;

	(void)unused;
	begin();
	qthread_empty(&never);
	if (pthread_create(&thread, NULL, waits, NULL) != 0)
		abort();
	for (int i = 0; i < 3; i++)
		qthread_fork(mark, NULL, NULL);
	pthread_exit(NULL);
}

static aligned_t leaves(void *arg)
{
	if (arg)
		pthread_cancel(pthread_self());
	pthread_testcancel();
	pthread_exit(NULL);
}

static void task_leaves(void *is_cancelled)
{
	aligned_t ret = 0;

	begin();
	qthread_fork(leaves, is_cancelled, &ret);
	qthread_readFF(NULL, &ret);
}

/* One worker: the task begins when exit(3) lets run what is ready. */
static void task_leaves_at_exit(void *is_cancelled)
{
	begin();
	qthread_fork(leaves, is_cancelled, NULL);
	qthread_fork(mark, NULL, NULL);
	exit(STATUS);
}

static void task_leaves_loop(void *unused)
{
	aligned_t ret = 0;

	begin();
	qthread_fork(leaves, unused, &ret);
	while (qthread_feb_status(&ret) == 0)
		qthread_yield();
}

/* Its thread is worker 0, and stays that. */
static void main_task_leaves_action(void *unused)
{
	(void)unused;
	begin();
	qt_begin_blocking_action();
	pthread_exit(NULL);
}

static void refused(void (*body)(void *), void *arg, const char *what)
{
	static struct child c;

	child_run(&c, body, arg);
	if (!ok(WIFSIGNALED(c.status) && WTERMSIG(c.status) == SIGABRT && strstr(c.said, "called pthread_exit"),
		"%s 1 x %s: %s ends the process with a message", scheduler, workers, what))
		child_tell(&c);
}

static void run(void)
{
	static struct child c;

	child_run(&c, main_task_leaves, NULL);
	if (!ok(child_ended_well(&c) && strcmp(c.said, "xxxx") == 0,
		"%s 1 x %s: pthread_exit in the main task: ready tasks run, who waits goes on, the process ends", scheduler, workers))
		child_tell(&c);
	refused(task_leaves, NULL, "pthread_exit in a task that is waited for");
	refused(task_leaves_loop, NULL, "pthread_exit in a task");
	refused(main_task_leaves_action, NULL, "pthread_exit in a blocking action of the main task");
	refused(task_leaves, &never, "cancellation of a task's thread");
}

static void stops(void *arg, const char *what)
{
	static struct child c;

	child_run(&c, task_leaves_at_exit, arg);
	if (!ok(WIFEXITED(c.status) && WEXITSTATUS(c.status) == STATUS && strcmp(c.said, "x") == 0,
		"%s: %s in a task while exit(3) ends the runtime: other tasks run, the status counts", scheduler, what))
		child_tell(&c);
}

int main(void)
{
	static const char *const counts[WORKERS] = { "1", "2" };

	plan(EVERY_SCHEDULERS * (WORKERS * EACH + 2));
	if (every_is_slow()) {
		skip(EVERY_SCHEDULERS * (WORKERS * EACH + 2), "a checking tool has its own way with threads that leave");
		return done();
	}
	for (int s = 0; s < EVERY_SCHEDULERS; s++)
		for (int w = 0; w < WORKERS; w++) {
			scheduler = every_scheduler[s];
			workers = counts[w];
			run();
			if (w == 0) {
				stops(NULL, "pthread_exit");
				stops(&never, "cancellation");
			}
		}
	return done();
}
