/* test/api/exit_locks.c -- exit(3) while a task waits for a lock that the main task holds, as a thread does for that of
 * exit(3) itself that calls it second: what is ready runs, and the process ends.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "child.h"
#include "every.h"

#include <pthread.h>

enum { LIMIT = 30, EACH = 2 };

static const char *scheduler;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool is_about_to;

static aligned_t wants_mutex(void *unused)
{
	__atomic_store_n(&is_about_to, true, __ATOMIC_RELEASE);
	pthread_mutex_lock(&mutex);
	return (aligned_t)(uintptr_t)unused;
}

static aligned_t wants_stream(void *unused)
{
	__atomic_store_n(&is_about_to, true, __ATOMIC_RELEASE);
	fputs("has written", stdout);
	return (aligned_t)(uintptr_t)unused;
}

static aligned_t mark(void *unused)
{
	if (write(STDERR_FILENO, "x", 1) != 1)
		abort();
	return (aligned_t)(uintptr_t)unused;
}

static void exit_with(qthread_f wants)
{
	alarm(LIMIT);
	every_start(scheduler, "2", "1");
	qthread_fork_to(wants, NULL, NULL, 1);
	while (!__atomic_load_n(&is_about_to, __ATOMIC_ACQUIRE))
		sched_yield();
	for (int i = 0; i < 3; i++)
		qthread_fork_to(mark, NULL, NULL, 0);
}

static void has_mutex(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&mutex);
	exit_with(wants_mutex);
}

static void has_stream(void *unused)
{
	(void)unused;
	flockfile(stdout);
	exit_with(wants_stream);
}

static void ends(void (*body)(void *), const char *what)
{
	static struct child c;

	child_run(&c, body, NULL);
	if (!ok(child_ended_well(&c) && strcmp(c.said, "xxx") == 0, "%s: exit() while a task waits for %s", scheduler, what))
		child_tell(&c);
}

int main(void)
{
	plan(EVERY_SCHEDULERS * EACH);
	if (every_is_slow()) {
		skip(EVERY_SCHEDULERS * EACH, "what is left behind counts as lost, and locks are others");
		return done();
	}
	for (int s = 0; s < EVERY_SCHEDULERS; s++) {
		scheduler = every_scheduler[s];
		ends(has_mutex, "the main task's mutex");
		ends(has_stream, "its standard output");
	}
	return done();
}
