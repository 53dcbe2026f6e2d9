/* test/api/bubble.c -- tasks that are forked together: each runs once, all are waited for, and they stay near each
 * other.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Under every scheduler; the order and the places on a machine that hwloc makes up, where all but the worker that is to
 * take something are held.
 */
#include "core/loop.h"
#include "stress/stress.h"

#include <qthread/bubble.h>
#include <qthread/stats.h>

#include <pthread.h>

enum { N = 200, DEPTH = 3, BRANCH = 4 };

static uint32_t runs[N];
static const char *policy;

static aligned_t count_run(void *arg)
{
	unsigned i = *(unsigned *)arg;

	add_rlx(&runs[i], 1);
	return i;
}

static bool ran_once_each(void)
{
	bool all = true;

	for (unsigned i = 0; i < N; i++) {
		all = all && load_acq(&runs[i]) == 1;
		runs[i] = 0;
	}
	return all;
}

static unsigned numbers[N];

static bool fork_and_wait(void)
{
	aligned_t sum = 7;

	if (qthread_fork_bubble(count_run, numbers, sizeof(numbers[0]), N, &sum) != QTHREAD_SUCCESS)
		return false;
	qthread_readFF(NULL, &sum);
	return sum == N * (N - 1) / 2 && ran_once_each();
}

static bool over;

static void *outside(void *good)
{
	*(bool *)good = fork_and_wait();
	store_rel(&over, true);
	return NULL;
}

static void each_runs_once(void)
{
	pthread_t thread;
	bool good = false;

	ok(fork_and_wait(), "%s: each of %d tasks gets its element and runs once, and all are summed up", policy, N);
	over = false;
	if (pthread_create(&thread, NULL, outside, &good) != 0)
		bail_out("no thread");
	while (!load_acq(&over))
		qthread_yield();
	pthread_join(thread, NULL);
	ok(good, "%s: those of a thread that is no worker, too", policy);
}

/* --- they may wait for each other ------------------------------------------------------------------------- */

static aligned_t words[N];

/* The i-th waits for the one after it, which has not started. */
static aligned_t wait_for_next(void *arg)
{
	unsigned i = *(unsigned *)arg;

	if (i + 1 < N)
		qthread_readFF(NULL, &words[i + 1]);
	qthread_writeF_const(&words[i], i);
	return 1;
}

static void they_may_wait_for_each_other(void)
{
	aligned_t sum;

	for (unsigned i = 0; i < N; i++)
		qthread_empty(&words[i]);
	qthread_fork_bubble(wait_for_next, numbers, sizeof(numbers[0]), N, &sum);
	qthread_readFF(NULL, &sum);
	is_int((int)sum, N, "%s: each may wait for the next", policy);
}

/* --- bubbles in bubbles ----------------------------------------------------------------------------------- */

static aligned_t count_leaves(void *arg)
{
	const unsigned *depth = arg;
	unsigned next = *depth + 1;
	aligned_t leaves;

	if (*depth == DEPTH)
		return 1;
	if (qthread_fork_bubble(count_leaves, &next, 0, BRANCH, &leaves) != QTHREAD_SUCCESS)
		return 0;
	qthread_readFF(NULL, &leaves);
	return leaves;
}

static void bubbles_are_nested(void)
{
	unsigned depth = 0;

	is_int((int)count_leaves(&depth), BRANCH * BRANCH * BRANCH, "%s: bubbles in bubbles, all of one argument", policy);
}

/* --- refusals --------------------------------------------------------------------------------------------- */

static void what_cannot_be(void)
{
	aligned_t word = 5;

	is_int(qthread_fork_bubble(NULL, NULL, 0, 1, NULL), QTHREAD_BADARGS, "no function");
	is_int(qthread_fork_bubble(count_run, numbers, 0, 0, &word), QTHREAD_BADARGS, "no task");
	is_int(qthread_fork_bubble(count_run, numbers, 0, SIZE_MAX / 2, &word), QTHREAD_MALLOC_ERROR, "more than there can be");
	ok(word == 5 && qthread_feb_status(&word) == 1, "and the word stays as it is");
}

/* --- where they go ---------------------------------------------------------------------------------------- */

/* Two chips of two workers, each a shepherd. */
enum { WORKERS = 4, TEAM = 3 };

static uint32_t held, let_go, at[TEAM], taken;

static aligned_t hold(void *unused)
{
	unsigned id = qti_self()->id;

	(void)unused;
	add_rlx(&held, 1);
	stress_until(load_acq(&let_go) & 1u << id);
	return 0;
}

/* The first two stay until all have been taken. */
static aligned_t note_place(void *unused)
{
	uint32_t turn = add_acq_rel(&taken, 1);

	(void)unused;
	at[turn] = qti_self()->id;
	stress_until(load_acq(&taken) == TEAM);
	return 0;
}

/* Worker 0 forks and looks on: nobody else is out of work but whom it lets go. */
static void let_in_turn(unsigned first, unsigned second, unsigned third)
{
	const unsigned turn[] = { first, second, third };
	aligned_t all;

	held = let_go = taken = 0;
	for (unsigned i = 1; i < WORKERS; i++)
		qthread_fork_to(hold, NULL, NULL, (qthread_shepherd_id_t)qti_rt.workers[i].shepherd->id);
	stress_until(load_acq(&held) == WORKERS - 1);
	qthread_fork_bubble(note_place, NULL, 0, TEAM, &all);
	for (unsigned i = 0; i < TEAM; i++) {
		store_rel(&let_go, load_rlx(&let_go) | 1u << turn[i]);
		stress_until(load_acq(&taken) > i);
	}
	qthread_readFF(NULL, &all);
	ok(at[0] == first && at[1] == second && at[2] == third, "%s: workers %u, %u and %u take one each", policy, first,
	   second, third);
	if (at[0] != first || at[1] != second || at[2] != third)
		diag("on %u, %u, %u", at[0], at[1], at[2]);
}

static uint64_t steals_between_chips(void)
{
	qt_stats_t s;

	qthread_stats(&s, QT_STATS_TOTAL, 0);
	return s.steals_other_chip + s.steals_other_node;
}

/* Worker 2 takes the bubble from worker 0, which is on the other chip; its neighbour 3 then finds the others near. */
static void they_go_far_together(void)
{
	uint64_t before = steals_between_chips();
	qt_stats_t then, now;

	qthread_stats(&then, QT_STATS_TOTAL, 0);
	let_in_turn(2, 3, 1);
	qthread_stats(&now, QT_STATS_TOTAL, 0);
	ok(now.bursts - then.bursts == TEAM - 1 && now.bursts_other_node - then.bursts_other_node == TEAM - 1 &&
	   now.bursts_same_chip == then.bursts_same_chip, "%s: it comes apart there, %d times", policy, TEAM - 1);
	is_int((int)(steals_between_chips() - before), 2, "%s: across chips it goes whole, and comes back to who is left", policy);
}

/* --- who finds them --------------------------------------------------------------------------------------- */

enum { LOOKS = 100000 };

static bool found;

/* On the other worker: looks that cost their owner nothing. */
static aligned_t look_around(void *unused)
{
	struct qti_task *t = NULL;

	(void)unused;
	add_rlx(&held, 1);
	stress_until(load_acq(&let_go));
	for (unsigned i = 0; i < LOOKS && !t; i++)
		t = qti_rt.sched->steal(qti_self(), false);
	found = t != NULL;
	if (found)
		qti_run_on_top(qti_self(), t);
	store_rel(&over, true);
	return 0;
}

/* Who has forked them goes on, for long perhaps: neither that worker nor one that has begun the first of them may keep
 * the others to itself until somebody makes a final look. */
static void they_are_found(const char *when, unsigned n, bool begin_first)
{
	aligned_t all;

	held = let_go = taken = 0;
	over = false;
	qthread_fork_to(look_around, NULL, NULL, 1);
	stress_until(load_acq(&held) == 1);
	qthread_fork_bubble(count_run, numbers, sizeof(numbers[0]), n, &all);
	if (begin_first)
		qti_run_on_top(qti_self(), qti_rt.sched->claim(qti_self(), &all));
	store_rel(&let_go, 1);
	stress_until(load_acq(&over));
	qthread_readFF(NULL, &all);
	ok(found, "%s: who just looks finds those that wait, %s", policy, when);
}

static void they_are_found_at_once(void)
{
	stress_start(policy, (struct stress_shape){ 2, 1 });
	they_are_found("one forked alone", 1, false);
	they_are_found("several", N, false);
	they_are_found("when the first of them runs", N, true);
	they_are_found("and the last one", 2, true);
	qthread_finalize();
}

/* ---------------------------------------------------------------------------------------------------------- */

int main(void)
{
	static const struct stress_shape shapes[] = { { 1, 1 }, { 1, 2 }, { 2, 2 } };
	enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

	plan(1 + qti_nscheds * SHAPES * 4 + 2 * 4 + 4 + 3);
	is_int(qthread_fork_bubble(hold, NULL, 0, 1, NULL), QTHREAD_NOT_ALLOWED, "not while the runtime is down");
	for (unsigned i = 0; i < N; i++)
		numbers[i] = i;
	for (unsigned s = 0; s < qti_nscheds; s++)
		for (unsigned i = 0; i < SHAPES; i++) {
			stress_watch(policy = qti_scheds[s]->name);
			stress_start(policy, shapes[i]);
			each_runs_once();
			they_may_wait_for_each_other();
			bubbles_are_nested();
			qthread_finalize();
		}
	stress_watch(policy = "mts");
	they_are_found_at_once();
	stress_watch(policy = "ws");
	they_are_found_at_once();
	if (!QTI_HWLOC) {
		skip(7, "made-up machines need hwloc");
		return done();
	}
	setenv("HWLOC_SYNTHETIC", "pack:2 [numa] core:2 pu:1", 1);
	unsetenv("QT_NUM_SHEPHERDS");
	unsetenv("QT_NUM_WORKERS_PER_SHEPHERD");
	setenv("QT_SCHEDULER", "ws", 1);
	if (qthread_initialize() != QTHREAD_SUCCESS)
		bail_out("qthread_initialize");
	what_cannot_be();
	they_go_far_together();
	qthread_finalize();
	return done();
}
