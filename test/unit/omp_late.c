/* test/unit/omp_late.c -- libqomp is loaded when the runtime is up already: regions, and children of fork(2).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Handlers of fork run in the order in which they were set up, so that libqthread's comes first here.
 */
#include "base/atomic.h"
#include "tap.h"

#include <dlfcn.h>
#include <qthread/qthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LARGE = 300 };           /* bytes that a task cannot have on its creator's stack */

static void (*set_num_threads)(int);
static int (*get_max_threads)(void);
static void (*parallel)(void (*)(void *), void *, unsigned, unsigned);
static void (*task)(void (*)(void *), void *, void (*)(void *, void *), long, long, bool, unsigned, void **, int, void *);

static int members, copied;

static void member(void *unused)
{
	(void)unused;
	__atomic_fetch_add(&members, 1, __ATOMIC_RELAXED);
}

static void copy(void *to, void *from)
{
	memcpy(to, from, LARGE);
}

static void body(void *data)
{
	copied += *(char *)data;
}

static int expected;

/* Asks, creates a task, and has a region. */
static bool all_works(void)
{
	char data[LARGE] = { 1 };
	bool right = !expected || get_max_threads() == expected;

	copied = members = 0;
	task(body, data, copy, LARGE, 1, false, 0, NULL, 0, NULL);
	parallel(member, NULL, 2, 0);
	return right && copied == 1 && members == 2;
}

/* Its status is not asked: a checker of memory, which misses the threads of the parent, may have its say there. */
static bool works_in_child(void)
{
	int end[2];
	char answer = 'n';

	if (pipe(end) != 0)
		bail_out("no pipe");
	pid_t child = fork();
	if (child == 0) {
		alarm(60);
		answer = all_works() ? 'y' : 'n';
		_exit(write(end[1], &answer, 1) != 1);
	}
	close(end[1]);
	bool got = read(end[0], &answer, 1) == 1;
	close(end[0]);
	waitpid(child, NULL, 0);
	return got && answer == 'y';
}

static aligned_t in_a_task(void *unused)
{
	(void)unused;
	set_num_threads(700);
	expected = 0;           /* as for any new thread */
	return works_in_child();
}

static void *symbol(void *library, const char *name)
{
	void *p = dlsym(library, name);

	if (!p)
		bail_out("%s", dlerror());
	return p;
}

static void *load(void)
{
	char path[4096];
	const char *build = getenv("abs_top_builddir");

	snprintf(path, sizeof(path), "%s/.libs/libqomp.so.1", build ? build : ".");
	return dlopen(path, RTLD_NOW);
}

int main(void)
{
	aligned_t good;

	if (qthread_initialize() != QTHREAD_SUCCESS)
		bail_out("qthread_initialize");
	void *library = load();
	if (!library) {
		qthread_finalize();
		plan_skip_all("%s", dlerror());
	}
	*(void **)&set_num_threads = symbol(library, "omp_set_num_threads");
	*(void **)&get_max_threads = symbol(library, "omp_get_max_threads");
	*(void **)&parallel = symbol(library, "GOMP_parallel");
	*(void **)&task = symbol(library, "GOMP_task");
	plan(5);
	set_num_threads(500);
	expected = 500;
	ok(all_works(), "a library that comes late");
	if (QTI_TSAN) {
		skip(2, "ThreadSanitizer allows no new thread in a child");
	} else {
		ok(works_in_child(), "in a child of the main task, which has its region");
		qthread_fork(in_a_task, NULL, &good);
		qthread_readFF(&good, &good);
		ok(good, "in a child of another task, which begins anew");
	}
	qthread_finalize();
	expected = 500;
	ok(all_works(), "after qthread_finalize");
	if (QTI_TSAN)
		skip(1, "ThreadSanitizer allows no new thread in a child");
	else
		ok(works_in_child(), "and in a child then");
	return done();
}
