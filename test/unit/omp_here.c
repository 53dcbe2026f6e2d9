/* test/unit/omp_here.c -- whose region a thread is in: of the main thread before, while and after the runtime is up, and of qthreads
 * that come and go on it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A region is told by one of its control variables: each sets its own number of threads, and asks for it later.
 */
#include "api/every.h"

#include <omp.h>
#include <qthread/io.h>
#include <sys/wait.h>
#include <unistd.h>

static int initial;

static int asked(void)
{
	return omp_get_max_threads();
}

/* In a child of fork(2). */
static bool child_finds(int expected)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0)
		_exit(asked() == expected ? 42 : 1);
	waitpid(child, &status, 0);
	return WIFEXITED(status) && WEXITSTATUS(status) == 42;
}

/* --- the main thread ------------------------------------------------------------------------------------- */

static void main_thread(const char *what)
{
	omp_set_num_threads(3000);
	qthread_initialize();
	bool inherited = child_finds(3000);
	qthread_finalize();
	ok(inherited, "%s: a child of a main task that has asked for nothing has what was set before", what);
	ok(asked() == 3000, "%s: and that outlasts the runtime", what);

	qthread_initialize();
	bool kept = asked() == 3000;
	omp_set_num_threads(5000);
	qthread_finalize();
	ok(kept && asked() == 5000, "%s: what the main thread has set goes along into a runtime, and out of it", what);
}

/* --- qthreads -------------------------------------------------------------------------------------------- */

static aligned_t sets(void *number)
{
	bool fresh = asked() == initial;

	omp_set_num_threads((int)(intptr_t)number);
	return fresh && asked() == (int)(intptr_t)number;
}

static aligned_t sets_not(void *unused)
{
	(void)unused;
	return asked() == initial;
}

static bool joined(aligned_t *ret)
{
	aligned_t good = 0;

	qthread_readFF(&good, ret);
	return good;
}

static void one_after_another(const char *what)
{
	aligned_t ret[2];
	bool good = true;

	for (int i = 0; i < 20; i++) {
		qthread_fork(sets, (void *)(intptr_t)(2000 + i), &ret[0]);
		good = joined(&ret[0]) && good;
		qthread_fork(sets_not, NULL, &ret[1]);
		good = joined(&ret[1]) && good;
	}
	ok(good && asked() == 5000, "%s: no qthread sees what one before it, or who waits beneath it, has set", what);
}

enum { WAITERS = 12, TURNS = 10 };

static aligned_t go_on[WAITERS];

/* Waits in all ways: for a word, for its own child, for its turn, and for a call. */
static aligned_t waits(void *arg)
{
	size_t i = (size_t)arg;
	int own = 100000 + (int)i;
	bool good = asked() == initial;
	aligned_t ret;

	omp_set_num_threads(own);
	for (int turn = 0; turn < TURNS; turn++) {
		qthread_readFE(NULL, &go_on[i]);
		good = asked() == own && good;
		qthread_fork(sets, (void *)(intptr_t)(1000 + turn), &ret);
		good = joined(&ret) && asked() == own && good;
		qthread_yield();
		good = asked() == own && good;
		qt_begin_blocking_action();
		good = asked() == own && good;
		qt_end_blocking_action();
		good = asked() == own && good;
		qthread_fill(&go_on[(i + 1) % WAITERS]);
	}
	return good;
}

static void at_once(const char *what)
{
	aligned_t ret[WAITERS];
	bool good = true;

	for (size_t i = 0; i < WAITERS; i++)
		qthread_empty(&go_on[i]);
	for (size_t i = 0; i < WAITERS; i++)
		qthread_fork(waits, (void *)i, &ret[i]);
	qthread_fill(&go_on[0]);
	for (size_t i = 0; i < WAITERS; i++)
		good = joined(&ret[i]) && good;
	ok(good && asked() == 5000, "%s: qthreads that wait in turns find their own again", what);
}

/* --- children of fork(2) --------------------------------------------------------------------------------- */

static aligned_t forks(void *unused)
{
	(void)unused;
	omp_set_num_threads(7000);
	return child_finds(initial) && asked() == 7000;
}

static void children(const char *what)
{
	aligned_t ret;

	ok(child_finds(5000) && asked() == 5000, "%s: the child that the main task forks has its region", what);
	qthread_fork(forks, NULL, &ret);
	ok(joined(&ret), "%s: that of another qthread begins anew", what);
}

static void run(const char *what)
{
	main_thread(what);
	qthread_initialize();
	one_after_another(what);
	at_once(what);
	children(what);
	qthread_finalize();
	ok(child_finds(5000) && asked() == 5000, "%s: and afterwards all is as before", what);
}

int main(void)
{
	initial = asked();
	plan(EVERY_RUNS * 8);
	every_setting(run);
	return done();
}
