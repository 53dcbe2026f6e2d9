/* test/unit/caller.c -- ways to a wait are kept in the child of fork(2), too, if another thread was keeping one then.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The file under test is compiled in here.
 */
#include "tap.h"

#include "machine/caller.c"

#include <qthread/qthread.h>

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct way way = { .n = 1, .step = { { 1, sizeof(void *) } } };
static bool taken, over;

static bool is_set(const bool *flag)
{
	return load_acq(flag);
}

static void *keep_one(void *unused)
{
	qti_lock_take(&callers.adding);
	store_rel(&taken, true);
	while (!is_set(&over))
		sched_yield();
	qti_lock_drop(&callers.adding);
	return unused;
}

static unsigned ways_kept(void)
{
	unsigned before = callers.nways;

	way_add(&way);
	return callers.nways - before;
}

int main(void)
{
	pthread_t other;
	int status = -1;

	plan(3);
	if (qthread_initialize() != QTHREAD_SUCCESS)
		bail_out("no runtime");
	if (pthread_create(&other, NULL, keep_one, NULL) != 0)
		bail_out("no thread");
	while (!is_set(&taken))
		sched_yield();
	is_int(ways_kept(), 0, "no thread waits for another one that keeps a way");
	pid_t child = fork();
	if (child == 0)
		_exit((int)ways_kept());
	ok(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 1,
		"the child does not wait for one that has stayed behind");
	store_rel(&over, true);
	pthread_join(other, NULL);
	is_int(ways_kept(), 1, "it is kept when that one has come to its end");
	qthread_finalize();
	return done();
}
