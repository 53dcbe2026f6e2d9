/* test/api/stats.c -- the counters add up, whoever is asked; QT_STATS=1 prints them as a table.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "child.h"
#include "fib.h"
#include "waiting.h"

#include <qthread/stats.h>

enum { CHECKS_PER_RUN = 10, CHECKS_PER_TABLE = 5, OTHER_CHECKS = 4 };

/* The struct as an array: all its members are alike. */
enum { NCOUNTERS = sizeof(qt_stats_t) / sizeof(uint64_t) };

static uint64_t nth(const qt_stats_t *s, int i)
{
	return ((const uint64_t *)(const void *)s)[i];
}

static qt_stats_t total(void)
{
	qt_stats_t s = { 0 };

	qthread_stats(&s, QT_STATS_TOTAL, 0);
	return s;
}

static aligned_t nothing(void *arg)
{
	(void)arg;
	return 0;
}

enum { FIB = 12, FIB_TASKS = 465, FIB_RESULT = 144, FROM_OUTSIDE = 30, PINNED = 20 };

static void fork_outside(void *arg)
{
	(void)arg;
	for (int i = 0; i < FROM_OUTSIDE; i++)
		qthread_fork(nothing, NULL, NULL);
}

/* Forks exactly FIB_TASKS + FROM_OUTSIDE + PINNED tasks. */
static void work(void)
{
	aligned_t ret = 0;

	qthread_fork(fib, (void *)FIB, &ret);
	every_outside(fork_outside, NULL);
	for (int i = 0; i < PINNED; i++)
		qthread_fork_to(nothing, NULL, NULL, (qthread_shepherd_id_t)i);
	qthread_readFF(NULL, &ret);
	if (ret != FIB_RESULT)
		bail_out("fib(%d) = %d", FIB, (int)ret);
	until_quiet();
}

/* All sleep, so the figures stand still meanwhile. */
static bool sums_up(qt_stats_scope_t scope, unsigned n, const qt_stats_t *all, uint64_t outside_forks)
{
	qt_stats_t sum = { .forks = outside_forks, .tasks_queued = outside_forks, .tasks_created = outside_forks };
	bool right = true;

	for (unsigned i = 0; i < n; i++) {
		qt_stats_t s;
		right = right && qthread_stats(&s, scope, i) == QTHREAD_SUCCESS;
		for (int k = 0; k < NCOUNTERS; k++)
			((uint64_t *)(void *)&sum)[k] += nth(&s, k);
	}
	for (int k = 0; k < NCOUNTERS; k++)
		right = right && nth(&sum, k) == nth(all, k);
	return right;
}

static void counts(const char *what)
{
	const qt_stats_t before = total();
	work();
	const qt_stats_t after = total();
	const uint64_t want = FIB_TASKS + FROM_OUTSIDE + PINNED;

	ok(after.forks - before.forks == want && after.tasks_queued == after.forks && after.tasks_created == after.forks &&
		after.tasks_in_place == 0, "%s: each fork is counted, and queued", what);
	is_int(after.tasks_run - before.tasks_run, want, "%s: each task that ran is counted, once", what);
	ok(after.steals == after.steals_local + after.steals_remote && after.tasks_stolen >= after.steals &&
		after.steals == after.steals_same_chip + after.steals_other_chip + after.steals_other_node,
		"%s: steals are local or remote, near or far, and bring a task at least", what);
	ok(sums_up(QT_STATS_WORKER, qthread_num_workers(), &after, FROM_OUTSIDE), "%s: the workers' figures add up", what);
	ok(sums_up(QT_STATS_SHEPHERD, qthread_num_shepherds(), &after, FROM_OUTSIDE), "%s: and the shepherds'", what);
	ok(after.wakeups <= after.parks && (qthread_num_workers() == 1 || after.parks > 0),
		"%s: workers that sleep are counted, and woken no more often than that", what);
	if (qthread_num_workers() == 1)
		ok(qti_rt.sched->claim ? after.inline_joins > 0 && after.steals == 0 : after.inline_joins == 0,
			"%s: alone it joins in place, unless its order is strict, and steals nothing", what);
	else
		ok(after.inline_joins <= after.tasks_run, "%s: no more joins in place than tasks", what);
}

/* Wherever it ran: its end is counted before its reader goes on. */
static void what_was_waited_for_counts(const char *what)
{
	const int rounds = every_scaled(500);
	const uint64_t before = total().tasks_run, switches = total().switches;
	int late = 0;

	for (int i = 1; i <= rounds; i++) {
		aligned_t ret = 0;
		qthread_fork_to(nothing, NULL, &ret, (qthread_shepherd_id_t)i);
		qthread_readFF(NULL, &ret);
		late += total().tasks_run != before + (uint64_t)i;
	}
	is_int(late, 0, "%s: a task that was waited for is counted by then", what);
	/* A pinned task is not joined in place.  Elsewhere it may have ended before anybody waits. */
	const uint64_t switched = total().switches - switches;
	ok(qthread_num_workers() == 1 ? switched >= (uint64_t)rounds : switched <= 4 * (uint64_t)rounds,
		"%s: waiting for it is a switch or more", what);
}

static void bad_questions(const char *what)
{
	qt_stats_t s = { .forks = 12345 };

	ok(qthread_stats(NULL, QT_STATS_TOTAL, 0) == QTHREAD_BADARGS &&
		qthread_stats(&s, QT_STATS_WORKER, qthread_num_workers()) == QTHREAD_BADARGS &&
		qthread_stats(&s, QT_STATS_SHEPHERD, qthread_num_shepherds()) == QTHREAD_BADARGS &&
		qthread_stats(&s, QT_STATS_WORKER, UINT32_MAX) == QTHREAD_BADARGS &&
		qthread_stats(&s, (qt_stats_scope_t)7, 0) == QTHREAD_BADARGS && s.forks == 12345 &&
		qthread_stats(&s, QT_STATS_TOTAL, 99) == QTHREAD_SUCCESS && s.forks != 12345,
		"%s: bad questions are refused, and nothing is written", what);
}

static void run(const char *what)
{
	counts(what);
	what_was_waited_for_counts(what);
	bad_questions(what);
}

static void while_down(const char *when)
{
	qt_stats_t s = { .forks = 12345 };

	ok(qthread_stats(&s, QT_STATS_TOTAL, 0) == QTHREAD_NOT_ALLOWED && s.forks == 12345, "%s there are no figures", when);
}

static void no_joins_in_place(void)
{
	setenv("QT_INLINE_JOIN", "0", 1);
	every_start("mts", "1", "1");
	work();
	ok(total().inline_joins == 0 && total().tasks_run == FIB_TASKS + FROM_OUTSIDE + PINNED,
		"QT_INLINE_JOIN=0: no task is joined in place");
	qthread_finalize();
	unsetenv("QT_INLINE_JOIN");
	every_start("mts", "1", "1");
	ok(total().forks == 0 && total().tasks_run == 0, "a new start counts from 0");
	qthread_finalize();
}

/* ---- The table ------------------------------------------------------------------------------------------------ */

static void print_table(void *stats)
{
	setenv("QT_STATS", stats, 1);
	every_start(getenv("QT_SCHEDULER"), getenv("QT_NUM_SHEPHERDS"), getenv("QT_NUM_WORKERS_PER_SHEPHERD"));
	work();
	qthread_finalize();
}

/* Column by column: where each word of the first row ends, every row has one that ends there, too. */
static bool is_aligned(const char *head, const char *row)
{
	const size_t length = strcspn(head, "\n");

	if (strcspn(row, "\n") != length)
		return false;
	for (size_t i = 0; i < length; i++)
		if (head[i] != ' ' && (i + 1 == length || head[i + 1] == ' ') &&
			(row[i] == ' ' || (i + 1 < length && row[i + 1] != ' ')))
			return false;
	return true;
}

static const char *next_line(const char *s)
{
	const char *end = strchr(s, '\n');

	return end ? end + 1 : s + strlen(s);
}

/* The figures below `forks`: of all rows that begin with `kind`. */
static unsigned long forks_of(const char *table, const char *kind)
{
	unsigned long sum = 0;

	for (const char *row = table; *row; row = next_line(row)) {
		unsigned long run, forks;
		const char *rest = row + strlen(kind);
		int skipped = 0;

		if (strncmp(row, kind, strlen(kind)) != 0)
			continue;
		if (strcmp(kind, "total") != 0)
			sscanf(rest, "%*d%n", &skipped);
		if (sscanf(rest + skipped, "%lu %lu", &run, &forks) == 2)
			sum += forks;
	}
	return sum;
}

static void table(const char *scheduler)
{
	static struct child c;
	const unsigned long all = FIB_TASKS + FROM_OUTSIDE + PINNED;
	bool aligned = true;

	setenv("QT_SCHEDULER", scheduler, 1);
	setenv("QT_NUM_SHEPHERDS", "2", 1);
	setenv("QT_NUM_WORKERS_PER_SHEPHERD", "2", 1);
	child_run(&c, print_table, "1");
	ok(child_ended_well(&c) && strstr(c.said, scheduler) != NULL && strstr(c.said, scheduler) < strchr(c.said, '\n'),
		"%s: QT_STATS=1 prints figures under a line with the scheduler's name", scheduler);
	is_int(child_lines(&c), 2 + 4 + 2 + 1, "%s: head, 4 workers, 2 shepherds, a total", scheduler);
	const char *head = next_line(c.said);
	for (const char *row = next_line(head); *row; row = next_line(row))
		aligned = aligned && is_aligned(head, row);
	ok(aligned, "%s: in columns", scheduler);
	if (!ok(forks_of(c.said, "total") == all && forks_of(c.said, "worker") == all - FROM_OUTSIDE &&
		forks_of(c.said, "shepherd") == all - FROM_OUTSIDE, "%s: in which all forks are found", scheduler) || !aligned)
		child_tell(&c);
	child_run(&c, print_table, "0");
	is_str(c.said, "", "%s: QT_STATS=0 prints nothing", scheduler);
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN + EVERY_SCHEDULERS * CHECKS_PER_TABLE + OTHER_CHECKS);
	for (int i = 0; i < EVERY_SCHEDULERS; i++)
		table(every_scheduler[i]);
	while_down("before qthread_initialize");
	every_runtime(run);
	while_down("after qthread_finalize");
	no_joins_in_place();
	return done();
}
