/* test/unit/omp_exit.c -- exit(3) in the main task of a program that forks qthreads and meets regions, while a thread
 * of its idle team waits in a signal's handler for a lock that the main task holds, as it would for that of exit(3)
 * itself.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/atomic.h"
#include "omp/abi/api.h"
#include "omp/abi/gomp_parallel.h"
#include "tap.h"

#include <qthread/qthread.h>

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 3, MARKS = 5, STATUS = 3, LIMIT = 30 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t members[THREADS];
static uint32_t handlers;
static int told[2];             /* a pipe: the child's to its parent */

static void wants_mutex(int unused)
{
	(void)unused;
	add_acq_rel(&handlers, 1);
	pthread_mutex_lock(&mutex);
}

static void say_who(void *unused)
{
	(void)unused;
	members[omp_get_thread_num()] = pthread_self();
}

static aligned_t mark(void *unused)
{
	if (write(told[1], "x", 1) != 1)
		abort();
	return (aligned_t)(uintptr_t)unused;
}

static void region_afterwards(void)
{
	GOMP_parallel(say_who, NULL, 1, 0);
	(void)mark(NULL);
}

static void exit_with_team(bool handled)
{
	alarm(LIMIT);
	atexit(region_afterwards);
	signal(SIGUSR1, wants_mutex);
	if (qthread_initialize() != QTHREAD_SUCCESS)
		abort();
	GOMP_parallel(say_who, NULL, THREADS, 0);
	pthread_mutex_lock(&mutex);
	for (unsigned i = 1; i < THREADS && handled; i++)
		if (!pthread_equal(members[i], pthread_self()))
			pthread_kill(members[i], SIGUSR1);
	while (handled && load_acq(&handlers) == 0)
		sched_yield();
	for (unsigned i = 0; i < MARKS; i++)
		qthread_fork_to(mark, NULL, NULL, 0);
	exit(STATUS);
}

static void ends(bool handled, const char *what)
{
	char marks[MARKS + 2];
	int status, n;

	if (pipe(told) != 0)
		bail_out("pipe failed");
	pid_t child = fork();
	if (child == 0)
		exit_with_team(handled);
	close(told[1]);
	waitpid(child, &status, 0);
	n = (int)read(told[0], marks, sizeof(marks));
	close(told[0]);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == STATUS && n == MARKS + 1,
	   "%s: status %#x, %d of %d tasks and handlers have run", what, (unsigned)status, n, MARKS + 1);
}

int main(void)
{
	const char *tool = getenv("QTI_TEST_TOOL");

	/* Each member with an OS thread of its own. */
	setenv("QT_NUM_SHEPHERDS", "3", 1);
	setenv("QT_NUM_WORKERS_PER_SHEPHERD", "1", 1);
	plan(2);
	ends(false, "an idle team");
	if (tool && *tool)
		skip(1, "%s has what is left behind as lost, so the team is waited for", tool);
	else
		ends(true, "whose threads are in a handler");
	return done();
}
