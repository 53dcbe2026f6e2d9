/* test/unit/omp_yield.c -- a task that polls by taskyield, fast at first and slowly then, gives way to what it has
 * created.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The other worker is busy all the time, so only who polls can run it.  Polls are counted, not timed.
 */
#include "api/every.h"
#include "base/park.h"
#include "omp/abi/gomp_parallel.h"
#include "omp/abi/gomp_share.h"
#include "omp/abi/gomp_tasking.h"

#include <sched.h>

enum { FAST = 1000, POLLS_MAX = 5, ROUNDS = 3, SLOW_NS = 50000 };

static int busy, done_with, ran;

static int now(const int *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static void put(int *word, int value)
{
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
}

static void keeps_busy(void *unused)
{
	(void)unused;
	put(&busy, 1);
	while (!now(&done_with))
		sched_yield();
}

static void runs(void *unused)
{
	(void)unused;
	put(&ran, 1);
}

static void create(void (*fn)(void *))
{
	GOMP_task(fn, NULL, NULL, 0, 1, true, 0, NULL, 0, NULL);
}

/* Much longer than a poll. */
static void take_time(void)
{
	for (const uint64_t end = qti_now_ns() + SLOW_NS; qti_now_ns() < end;)
		continue;
}

static void polls(int *needed)
{
	while (qthread_readstate(NODE_BUSYNESS) > 1)
		sched_yield();  /* until the other has come to the region's end, and sleeps */
	create(keeps_busy);
	while (!now(&busy))
		sched_yield();
	for (int i = 0; i < FAST; i++)
		GOMP_taskyield();
	create(runs);
	while (!now(&ran)) {
		take_time();
		GOMP_taskyield();
		++*needed;
	}
	put(&done_with, 1);
}

static void member(void *needed)
{
	if (GOMP_single_start())
		polls(needed);
}

static void run(const char *scheduler, const char *constraint)
{
	int most = 0;

	setenv("QT_TASK_CONSTRAINT", constraint, 1);
	every_start(scheduler, "1", "2");
	for (int i = 0; i < ROUNDS; i++) {
		int needed = 0;
		busy = done_with = ran = 0;
		GOMP_parallel(member, &needed, 2, 0);
		most = needed > most ? needed : most;
	}
	qthread_finalize();
	ok(most <= POLLS_MAX, "%s, QT_TASK_CONSTRAINT=%s: it runs after a few polls, at most %d", scheduler, constraint, most);
}

/* Under q and l new tasks go to each worker in turn, also to the one that is busy. */
int main(void)
{
	plan(4);
	run("cq", "no");
	run("ws", "no");
	run("mts", "no");
	run("mts", "yes");
	return done();
}
