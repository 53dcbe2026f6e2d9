/* test/unit/omp_here.c -- whose region a thread is in: of the main thread before, while and after the runtime is up,
 * and of qthreads that come and go on it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A region is told by one of its control variables: each sets its own number of threads, and asks for it later.
 */
#include "api/every.h"
#include "omp/abi/api.h"
#include "omp/abi/device.h"
#include "omp/abi/gomp_parallel.h"
#include "omp/abi/gomp_tasking.h"

#include <qthread/io.h>
#include <qthread/tls.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int initial;

static int asked(void)
{
	return omp_get_max_threads();
}

/* In a child of fork(2).  Its status is not asked: a checker of memory, which misses the threads of the parent, may
 * have its say there. */
static bool child_finds(int expected)
{
	int end[2], found = 0;

	if (pipe(end) != 0)
		bail_out("no pipe");
	pid_t child = fork();
	if (child == 0) {
		found = asked();
		_exit(write(end[1], &found, sizeof(found)) != sizeof(found));
	}
	close(end[1]);
	bool got = read(end[0], &found, sizeof(found)) == sizeof(found);
	close(end[0]);
	waitpid(child, NULL, 0);
	return got && found == expected;
}

/* --- the main thread ------------------------------------------------------------------------------------- */

enum { LARGE = 300 };   /* bytes that a task cannot have on its creator's stack */

static void copy(void *to, void *from)
{
	memcpy(to, from, LARGE);
}

static void undeferred(void (*fn)(void *))
{
	char data[LARGE] = { 0 };

	GOMP_task(fn, data, copy, LARGE, 1, false, 0, NULL, 0, NULL);
}

static void begin(void *unused)
{
	(void)unused;
	qthread_initialize();
}

/* Somebody starts the runtime in a region that is not the outermost, which asks for nothing any more. */
static void within(const char *what)
{
	omp_set_num_threads(3000);
	undeferred(begin);
	bool good = asked() == 3000 && omp_get_level() == 0;
	qthread_finalize();
	ok(good && asked() == 3000, "%s: a runtime that begins in a task", what);
	undeferred(begin);
	qthread_finalize();
	ok(asked() == 3000, "%s: and is not asked", what);
	GOMP_teams_reg(begin, NULL, 1, 0, 0);
	good = asked() == 3000;
	qthread_finalize();
	ok(good && asked() == 3000, "%s: one that begins in a team of a league", what);
}

static int at_end;

static void asks(void *unused)
{
	(void)unused;
	at_end = asked();
}

static void asks_in_a_task(void *unused)
{
	(void)unused;
	undeferred(asks);
}

/* The main task's first question is that of its destructor. */
static void at_its_end(const char *what)
{
	qthread_key_t key;

	omp_set_num_threads(4000);
	qthread_initialize();
	qthread_key_create(&key, asks_in_a_task);
	qthread_setspecific(key, &at_end);
	at_end = 0;
	qthread_finalize();
	bool good = at_end == 4000;
	qthread_key_delete(key);
	asks_in_a_task(NULL);
	ok(good && at_end == 4000, "%s: a destructor of the main task has its region, and leaves it as it is", what);
}

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

static aligned_t never;

static aligned_t waits_for_ever(void *unused)
{
	(void)unused;
	omp_set_num_threads(6000);
	qthread_readFE(NULL, &never);
	return 0;
}

/* What such a one owns goes with the runtime. */
static void for_ever(void)
{
	char large[100 * LARGE] = { 0 };

	qthread_empty(&never);
	qthread_fork_copyargs(waits_for_ever, large, sizeof(large), NULL);
	qthread_fork_copyargs(waits_for_ever, large, sizeof(aligned_t), NULL);
}

/* --- workers that end ---------------------------------------------------------------------------------- */

static int levels, ended;

static void thread_ends(void *unused)
{
	(void)unused;
	__atomic_fetch_add(&levels, omp_get_level() + omp_get_num_threads() - 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&ended, 1, __ATOMIC_RELAXED);
}

static pthread_key_t key;

static void sets_key(void *unused)
{
	(void)unused;
	pthread_setspecific(key, &ended);
}

/* Its members' regions are over then. */
static void threads(const char *what)
{
	if (pthread_key_create(&key, thread_ends) != 0)
		bail_out("pthread_key_create failed");
	levels = ended = 0;
	qthread_initialize();
	const int workers = (int)qthread_num_workers();
	GOMP_parallel(sets_key, NULL, (unsigned)workers, 0);
	qthread_finalize();
	ok(ended == workers - 1 && levels == 0, "%s: destructors of a worker's thread stand in no region", what);
	pthread_setspecific(key, NULL);
	pthread_key_delete(key);
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
	within(what);
	at_its_end(what);
	threads(what);
	main_thread(what);
	qthread_initialize();
	one_after_another(what);
	at_once(what);
	children(what);
	for_ever();
	qthread_finalize();
	ok(child_finds(5000) && asked() == 5000, "%s: and afterwards all is as before", what);
}

int main(void)
{
	initial = asked();
	plan(every_runs() * 13);
	every_setting(run);
	return done();
}
