/* test/sched/balance.c -- xq, na-rp and na-ws count each task once, and who asks for work under the latter two gets
 * it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The counters are those of Tables I to III of the paper that sched/policies.h names.
 */
#include "stress/stress.h"

#include <qthread.h>
#include <qthread/stats.h>

enum { FIB = 16, FIB_TASKS = 3193, MOST = 3, TASKS = 100, MOST_LEFT = 1000 };

static const char *const policies[] = { "xq", "na-rp", "na-ws" };
static const struct stress_shape shapes[] = { { 1, 1 }, { 1, 2 }, { 2, 1 }, { 2, 2 } };

enum { NPOLICIES = sizeof(policies) / sizeof(policies[0]), NSHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static char what[64];

static void start(const char *policy, struct stress_shape shape)
{
	snprintf(what, sizeof(what), "%s %u x %u", policy, shape.shepherds, shape.workers);
	stress_watch(what);
	stress_start(policy, shape);
}

static qt_stats_t figures(void)
{
	qt_stats_t s = { 0 };

	qthread_stats(&s, QT_STATS_TOTAL, 0);
	return s;
}

/* --- sums ------------------------------------------------------------------------------------------------ */

static aligned_t fib(void *arg);

/* As a task of OpenMP is. */
static void fork_or_call(uintptr_t n, aligned_t *value)
{
	if (n % 2 && qti_rt.sched->full(qti_self(), SIZE_MAX))
		*value = fib((void *)n);
	else
		qthread_fork(fib, (void *)n, value);
}

static aligned_t fib(void *arg)
{
	const uintptr_t n = (uintptr_t)arg;
	aligned_t x = 0, y = 0;

	if (n < 2)
		return n;
	fork_or_call(n - 1, &x);
	fork_or_call(n - 2, &y);
	qthread_readFF(NULL, &x);
	qthread_readFF(NULL, &y);
	return x + y;
}

/* A task is dealt out, sent to a thief instead, or runs at once; and in the end one worker has taken it. */
static void sums(const char *policy, struct stress_shape shape)
{
	aligned_t ret = 0;

	start(policy, shape);
	qthread_fork(fib, (void *)FIB, &ret);
	qthread_readFF(NULL, &ret);
	const qt_stats_t s = figures();
	const bool sent = strcmp(policy, "na-rp") == 0;
	const uint64_t taken = s.tasks_self + s.tasks_local + s.tasks_remote, given = s.given_local + s.given_remote;

	is_int(taken, FIB_TASKS, "%s: each task was taken by its creator, a sibling or another", what);
	is_int(s.static_pushes + s.at_once + (sent ? given : 0), FIB_TASKS, "%s: and dealt out, run at once or sent",
		what);
	is_int(s.requests_handled, s.requests_served + s.requests_vain + s.requests_full,
		"%s: a request is served, in vain, or for a full ring", what);
	ok(s.requests_handled <= s.requests && given >= s.requests_served, "%s: none without being sent, or a task",
		what);
	ok(shape.shepherds > 1 || s.tasks_remote + s.given_remote == 0, "%s: nothing remote in one shepherd", what);
	qthread_finalize();
}

/* --- who asks ------------------------------------------------------------------------------------------- */

static uint32_t ran_by[MOST], left;

static aligned_t note(void *unused)
{
	(void)unused;
	add_rlx(&ran_by[qti_self()->id], 1);
	sub_acq_rel(&left, 1);
	return 0;
}

static bool all_others_asleep(void)
{
	qti_lock_take(&qti_rt.idle.lock);
	bool all = qti_rt.idle.asleep == qti_rt.nworkers - 1;
	qti_lock_drop(&qti_rt.idle.lock);
	return all;
}

static bool others_ran(void)
{
	bool all = true;

	for (unsigned i = 1; i < qti_rt.nworkers; i++)
		all = all && load_rlx(&ran_by[i]) != 0;
	return all;
}

/* The others sleep, and the main task has tasks for itself alone.  Under xq these stay its own; else the others are
 * woken, ask, and are heard while it goes on forking. */
static void sleepers(const char *policy, unsigned workers)
{
	const bool asks = strcmp(policy, "xq") != 0;
	qt_stats_t s;

	start(policy, (struct stress_shape){ 1, workers });
	stress_until(all_others_asleep());
	memset(ran_by, 0, sizeof(ran_by));
	left = 0;
	for (unsigned i = 0; i < TASKS || (asks && !(others_ran() && s.requests_served > 0)); i++) {
		add_rlx(&left, 1);
		qthread_reset_target_shep();
		qthread_fork(note, NULL, NULL);
		if (load_rlx(&left) > MOST_LEFT)
			qthread_yield();
		s = figures();
	}
	while (load_acq(&left) != 0)
		qthread_yield();
	s = figures();
	ok(asks == (s.requests > 0), "%s: who has nothing to do %s", what, asks ? "asks" : "does not ask");
	ok(others_ran() == asks, "%s: and gets %s", what, asks ? "some of what the main task forks" : "nothing");
	ok((s.requests_served > 0) == asks && (s.given_local > 0) == asks, "%s: which is counted", what);
	qthread_finalize();
}

/* --- who waits behind ------------------------------------------------------------------------------------ */

enum { ROW = 4, PATIENCE = 1000 };

static struct qti_task task[ROW];

/* Two tasks wake each other, so that their worker's master ring is never empty, while one waits among those that found
 * no room there, and another one has yielded. */
static void behind_busy_ones(const char *policy)
{
	unsigned looks = 0, seen = 0;

	stress_set("QT_RING", 2);
	start(policy, (struct stress_shape){ 1, 1 });
	unsetenv("QT_RING");
	for (unsigned i = 0; i < ROW; i++)
		task[i] = (struct qti_task){ .flags = QTI_TASK_LIVE | QTI_TASK_NO_RECORD };
	for (unsigned i = 0; i < ROW - 1; i++)
		qti_rt.sched->push(qti_self(), &task[i]);
	qti_rt.sched->push_yielded(qti_self(), &task[ROW - 1]);
	for (; seen < 2 && looks < PATIENCE; looks++) {
		struct qti_task *t = qti_rt.sched->pop(qti_self());
		seen += t >= &task[2];
		if (t < &task[2]) {
			t->flags |= QTI_TASK_STARTED;
			qti_rt.sched->push(qti_self(), t);
		}
	}
	is_int(seen, 2, "%s: who was spilled, and who has yielded, comes before others have run %d times", what, PATIENCE);
	while (qti_rt.sched->pop(qti_self()))
		continue;
	qthread_finalize();
}

/* --- who goes elsewhere ---------------------------------------------------------------------------------- */

enum { SENT = 6 };

static uint32_t has_run[SENT], held, let_go;

static aligned_t hold(void *unused)
{
	(void)unused;
	store_rel(&held, 1);
	stress_until(load_acq(&let_go));
	return 0;
}

static aligned_t mark(void *word)
{
	store_rel((uint32_t *)word, 1);
	return 0;
}

static void fork_marks(unsigned from, unsigned to)
{
	for (unsigned i = from; i < to; i++)
		qthread_fork(mark, &has_run[i], NULL);
}

/* This worker lets nobody run, and the other one is held: 0 and 2 fill this one's ring of two, 3 waits in that from
 * here to there, and 4 is spilled.  Then it is the other's turn at 5, and there is room. */
static void oldest_goes_first(void)
{
	stress_set("QT_RING", 2);
	start("xq", (struct stress_shape){ 1, 2 });
	unsetenv("QT_RING");
	memset(has_run, 0, sizeof(has_run));
	store_rlx(&held, 0);
	store_rlx(&let_go, 0);
	qti_self()->target = 0;
	fork_marks(0, 1);
	qthread_fork(hold, NULL, NULL);
	stress_until(load_acq(&held));
	fork_marks(2, SENT);
	store_rel(&let_go, 1);
	stress_until(load_acq(&has_run[4]) || load_acq(&has_run[5]));
	ok(load_acq(&has_run[4]) && !load_acq(&has_run[5]), "%s: the oldest that was spilled takes the room of a new one", what);
	qthread_finalize();
}

int main(void)
{
	plan(NPOLICIES * (NSHAPES * 5 + 2 * 3 + 1) + 1);
	oldest_goes_first();
	for (unsigned p = 0; p < NPOLICIES; p++) {
		for (unsigned i = 0; i < NSHAPES; i++)
			sums(policies[p], shapes[i]);
		for (unsigned workers = 2; workers <= MOST; workers++)
			sleepers(policies[p], workers);
		behind_busy_ones(policies[p]);
	}
	return done();
}
