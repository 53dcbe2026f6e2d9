/* test/unit/omp_blocking.c -- OpenMP's tasks in a blocking call: none, and the library says so.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Routines, and undeferred tasks that need no record, do no harm there.
 */
#include "base/atomic.h"
#include "omp/abi/gomp_parallel.h"
#include "omp/abi/gomp_tasking.h"
#include "tap.h"

#include <qthread/io.h>
#include <qthread/qthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GOOD = 42 };

static uint32_t ran;

static void body(void *unused)
{
	(void)unused;
	add_rlx(&ran, 1);
}

static void create(bool deferred)
{
	GOMP_task(body, NULL, NULL, 0, 1, deferred, 0, NULL, 0, NULL);
}

static void in_a_blocking_call(void *deferred)
{
	qt_begin_blocking_action();
	create(false);
	if (*(bool *)deferred)
		create(true);
	qt_end_blocking_action();
}

static void unwrap(void *arg)
{
	in_a_blocking_call(*(void **)arg);
}

static void in_a_task(void *deferred)
{
	GOMP_task(unwrap, &deferred, NULL, sizeof(deferred), _Alignof(void *), false, 0, NULL, 0, NULL);
}

/* What the process wrote to stderr, and its status as waitpid gives it. */
static int ending(bool deferred, char *said, size_t room)
{
	int status = 0, end[2];
	ssize_t n;

	if (pipe(end) != 0)
		bail_out("no pipe");
	const pid_t child = fork();
	if (child == 0) {
		dup2(end[1], STDERR_FILENO);
		qthread_initialize();
		GOMP_parallel(in_a_task, &deferred, 2, 0);
		qthread_finalize();     /* what threads keep that live on would be lost to a checker of memory */
		_exit(ran == 2 ? GOOD : 1);
	}
	close(end[1]);
	memset(said, 0, room);
	for (size_t at = 0; at + 1 < room && (n = read(end[0], said + at, room - 1 - at)) > 0; at += (size_t)n)
		;
	close(end[0]);
	waitpid(child, &status, 0);
	return status;
}

int main(void)
{
	char said[512];

	plan(2);
	int status = ending(false, said, sizeof(said));
	ok(WIFEXITED(status) && WEXITSTATUS(status) == GOOD, "an undeferred task in a blocking call runs");
	ending(true, said, sizeof(said));
	ok(strstr(said, "blocking call") != NULL, "a deferred one ends the program with a message: %s", said);
	return done();
}
