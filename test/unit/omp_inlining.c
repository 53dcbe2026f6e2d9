/* test/unit/omp_inlining.c -- most tasks of a recursion run in place, where enough others are there for whoever is out
 * of work; told by how many the scheduler has seen.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "api/every.h"
#include "omp/abi/gomp_parallel.h"
#include "omp/abi/gomp_share.h"
#include "omp/abi/gomp_tasking.h"

#include <qthread/stats.h>
#include <string.h>

enum { THREADS = 2, FLAT = 100 };

/* A queue that is first come, first served has half of all tasks waiting at a time, more of which ThreadSanitizer
 * cannot count. */
static int depth(void)
{
	return every_is_slow() ? 11 : 13;
}

static qt_stats_t figures(void)
{
	qt_stats_t s = { 0 };

	qthread_stats(&s, QT_STATS_TOTAL, 0);
	return s;
}

static void create(void (*fn)(void *), int data)
{
	GOMP_task(fn, &data, NULL, sizeof(data), _Alignof(int), true, 0, NULL, 0, NULL);
}

static uint32_t ran;

static void tree(void *depth)
{
	const int d = *(int *)depth;

	__atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
	if (d == 0)
		return;
	create(tree, d - 1);
	create(tree, d - 1);
	GOMP_taskwait();
}

static void leaf(void *unused)
{
	(void)unused;
	__atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
}

/* Nobody waits: all of them are pending at the end. */
static void flat(void *n)
{
	for (int i = *(int *)n; i > 0; i--)
		create(leaf, 0);
}

struct job {
	void (*fn)(void *);
	int data;
};

static void member(void *arg)
{
	struct job *j = arg;

	if (GOMP_single_start())
		j->fn(&j->data);
}

static uint64_t in_place;

/* Tasks that were queued; in_place: that were not. */
static uint64_t queued(void (*fn)(void *), int data)
{
	struct job j = { fn, data };
	GOMP_parallel(leaf, NULL, THREADS, 0);          /* the members are there then */
	const qt_stats_t before = figures();

	ran = 0;
	GOMP_parallel(member, &j, THREADS, 0);
	const qt_stats_t after = figures();
	in_place = after.tasks_in_place - before.tasks_in_place;
	return after.tasks_queued - before.tasks_queued;
}

static void run(const char *scheduler, const char *inlining)
{
	const bool strict = strcmp(scheduler, "q") == 0 || strcmp(scheduler, "l") == 0;
	const bool bounded = strcmp(scheduler, "bq") == 0;
	const bool expected = !strict && strcmp(inlining, "yes") == 0;

	setenv("QT_INLINE_JOIN", inlining, 1);
	setenv("QT_QUEUE", "8", 1);     /* bq: less than the tree is deep, as who waits claims its children */
	setenv("QT_RING", "16", 1);     /* xq and its kin: room for all that a creator asks for (TUNE_ENOUGH_ASKS) */
	every_start(scheduler, "1", "2");
	const uint64_t of_tree = queued(tree, depth()), tasks = (UINT64_C(2) << depth()) - 2;
	is_int(ran, tasks + 1, "%s, %s: all tasks of a tree run", scheduler, inlining);
	/* How often a short queue is full depends on how soon the other worker empties it. */
	const uint64_t few = bounded ? tasks : tasks / 4 * 3;
	ok(expected ? of_tree < few : of_tree == tasks, "%s, %s: %s are queued (%u of %u)", scheduler, inlining,
		!expected ? "all" : bounded ? "not all" : "few", (unsigned)of_tree, (unsigned)tasks);
	is_int(of_tree + in_place, tasks, "%s, %s: each is counted, queued or run in place", scheduler, inlining);
	const uint64_t of_flat = queued(flat, FLAT);
	is_int(bounded ? ran : of_flat, FLAT, "%s, %s: %s tasks of one creator that are not very many", scheduler, inlining,
		bounded ? "as far as there is room, and the others run, of all" : "and so are all");
	qthread_finalize();
}

int main(void)
{
	plan(EVERY_SCHEDULERS * 2 * 4);
	for (int s = 0; s < EVERY_SCHEDULERS; s++) {
		run(every_scheduler[s], "yes");
		run(every_scheduler[s], "no");
	}
	return done();
}
