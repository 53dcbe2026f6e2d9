/* test/api/disable.c -- shepherds and workers taken out of use: no task is lost, and none runs there.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "waiting.h"

#include <qthread/qloop.h>

enum { TASKS = 200, CHECKS_BAD = 9, CHECKS_SHEPHERD = 13, CHECKS_WORKER = 8 };

static aligned_t ran[TASKS], ran_on[TASKS], rets[TASKS];

static aligned_t note(void *arg)
{
	size_t i = (size_t)arg;

	qthread_yield();
	qthread_incr(&ran[i], 1);
	ran_on[i] = qthread_shep();
	return i;
}

static void fork_all(qthread_shepherd_id_t to)
{
	memset(ran, 0, sizeof(ran));
	for (size_t i = 0; i < TASKS; i++)
		qthread_fork_to(note, (void *)i, &rets[i], to);
}

static void join_all(void)
{
	for (size_t i = 0; i < TASKS; i++)
		qthread_readFF(NULL, &rets[i]);
}

static bool each_ran_once(void)
{
	for (size_t i = 0; i < TASKS; i++)
		if (ran[i] != 1)
			return false;
	return true;
}

static bool all_on(qthread_shepherd_id_t s)
{
	for (size_t i = 0; i < TASKS; i++)
		if (ran_on[i] != s)
			return false;
	return true;
}

/* A worker that was about to run a task when it was disabled runs that one yet. */
static void until_away(unsigned workers)
{
	while (load_rlx(&qti_rt.idle.away) != workers)
		let_others_run();
}

/* --- any shape ------------------------------------------------------------------------------------------- */

static void bad_arguments(const char *what)
{
	size_t sheps = qthread_readstate(TOTAL_SHEPHERDS), workers = qthread_readstate(TOTAL_WORKERS);

	ok(qthread_disable_shepherd(0) == QTHREAD_NOT_ALLOWED, "qthread_disable_shepherd: not shepherd 0 (%s)", what);
	ok(qthread_disable_shepherd((qthread_shepherd_id_t)sheps) == QTHREAD_BADARGS,
	   "qthread_disable_shepherd: one past the last (%s)", what);
	ok(qthread_disable_shepherd(NO_SHEPHERD) == QTHREAD_BADARGS, "qthread_disable_shepherd: NO_SHEPHERD (%s)", what);
	ok(qthread_disable_worker(0) == QTHREAD_NOT_ALLOWED, "qthread_disable_worker: not worker 0 (%s)", what);
	ok(qthread_disable_worker((qthread_worker_id_t)workers) == QTHREAD_BADARGS,
	   "qthread_disable_worker: one past the last (%s)", what);
	ok(qthread_disable_worker(NO_WORKER) == QTHREAD_BADARGS, "qthread_disable_worker: NO_WORKER (%s)", what);
	qthread_enable_shepherd(0);
	qthread_enable_shepherd(NO_SHEPHERD);
	ok(qthread_num_shepherds() == sheps, "qthread_enable_shepherd: what is in use, or is not there (%s)", what);
	qthread_enable_worker(0);
	qthread_enable_worker(NO_WORKER);
	ok(qthread_num_workers() == workers, "qthread_enable_worker: what is in use, or is not there (%s)", what);
	ok(qthread_shep_ok() == 1, "qthread_shep_ok: the main task's shepherd (%s)", what);
}

/* --- two shepherds --------------------------------------------------------------------------------------- */

static aligned_t migrate(void *unused)
{
	(void)unused;
	return qthread_migrate_to(1) == QTHREAD_SUCCESS ? qthread_shep() : 99;
}

static aligned_t gate;

/* Pinned to shepherd 1: waits there, and tells where it wakes. */
static aligned_t wait_at_gate(void *unused)
{
	(void)unused;
	qthread_readFF(NULL, &gate);
	return qthread_shep();
}

/* Runs on the shepherd that it takes out of use. */
static aligned_t leave_by_yield(void *unused)
{
	(void)unused;
	if (qthread_disable_shepherd(1) != QTHREAD_SUCCESS || qthread_shep_ok() != 0)
		return 99;
	qthread_yield();
	return qthread_shep();
}

static aligned_t result_of(qthread_f f, qthread_shepherd_id_t to)
{
	aligned_t ret;

	qthread_fork_to(f, NULL, &ret, to);
	qthread_readFF(&ret, &ret);
	return ret;
}

static void wakes_where(const char *what)
{
	aligned_t ret;

	qthread_enable_shepherd(1);
	qthread_empty(&gate);
	qthread_fork_to(wait_at_gate, NULL, &ret, 1);
	until_quiet();
	qthread_disable_shepherd(1);
	qthread_fill(&gate);
	qthread_readFF(&ret, &ret);
	ok(ret == 0, "qthread_disable_shepherd: a task that waited there wakes elsewhere (%s)", what);
}

static void add_range(size_t from, size_t to, void *sum)
{
	for (size_t i = from; i < to; i++)
		qthread_incr((aligned_t *)sum, i);
}

static bool loop_is_complete(void)
{
	aligned_t sum = 0;

	qt_loop_balance(0, TASKS, add_range, &sum);
	return sum == (aligned_t)TASKS * (TASKS - 1) / 2;
}

static void shepherd(const char *what)
{
	size_t workers = qthread_readstate(TOTAL_WORKERS);

	fork_all(1);
	ok(qthread_disable_shepherd(1) == QTHREAD_SUCCESS, "qthread_disable_shepherd: with tasks queued (%s)", what);
	ok(qthread_num_shepherds() == 1 && qthread_readstate(ACTIVE_SHEPHERDS) == 1 &&
	   qthread_readstate(TOTAL_SHEPHERDS) == 2, "qthread_num_shepherds: counts those in use (%s)", what);
	ok(qthread_num_workers() == workers / 2 && qthread_readstate(ACTIVE_WORKERS) == workers / 2 &&
	   qthread_readstate(TOTAL_WORKERS) == workers, "qthread_num_workers: counts those in use (%s)", what);
	join_all();
	ok(each_ran_once(), "qthread_disable_shepherd: tasks that were queued there run, once (%s)", what);

	until_away((unsigned)workers / 2);
	fork_all(1);
	join_all();
	ok(each_ran_once() && all_on(0), "qthread_fork_to: a disabled shepherd's tasks run elsewhere (%s)", what);
	fork_all(NO_SHEPHERD);
	join_all();
	ok(each_ran_once() && all_on(0), "qthread_fork: none goes to a disabled shepherd (%s)", what);
	ok(loop_is_complete(), "qt_loop_balance: with a disabled shepherd (%s)", what);
	ok(result_of(migrate, 0) == 0, "qthread_migrate_to: a disabled shepherd leads elsewhere (%s)", what);
	ok(qthread_disable_shepherd(1) == QTHREAD_SUCCESS && qthread_num_shepherds() == 1,
	   "qthread_disable_shepherd: again (%s)", what);

	qthread_enable_shepherd(1);
	qthread_enable_shepherd(1);
	ok(qthread_num_shepherds() == 2 && qthread_num_workers() == workers, "qthread_enable_shepherd: twice (%s)", what);
	fork_all(1);
	join_all();
	ok(each_ran_once() && all_on(1), "qthread_enable_shepherd: its tasks run there again (%s)", what);
	ok(result_of(leave_by_yield, 1) == 0, "qthread_shep_ok: 0 on a disabled shepherd, until the task yields (%s)", what);
	wakes_where(what);
}

/* --- two workers in shepherd 0 --------------------------------------------------------------------------- */

static aligned_t local_worker(void *unused)
{
	(void)unused;
	qthread_yield();
	return qthread_worker_local(NULL);
}

static bool one_worker_runs_all(void)
{
	aligned_t local[TASKS], sum = 0;

	for (size_t i = 0; i < TASKS; i++)
		qthread_fork_to(local_worker, NULL, &local[i], 0);
	for (size_t i = 0; i < TASKS; i++) {
		qthread_readFF(NULL, &local[i]);
		sum += local[i];
	}
	return sum == 0;
}

static void worker(const char *what)
{
	size_t sheps = qthread_readstate(TOTAL_SHEPHERDS), workers = qthread_readstate(TOTAL_WORKERS);
	qthread_worker_id_t second = (qthread_worker_id_t)sheps;        /* number 1 of shepherd 0 */

	fork_all(NO_SHEPHERD);
	ok(qthread_disable_worker(second) == QTHREAD_SUCCESS, "qthread_disable_worker: with tasks queued (%s)", what);
	ok(qthread_num_workers() == workers - 1 && qthread_num_shepherds() == sheps,
	   "qthread_num_workers: one less (%s)", what);
	join_all();
	ok(each_ran_once(), "qthread_disable_worker: tasks that were queued run, once (%s)", what);
	until_away(1);
	ok(one_worker_runs_all(), "qthread_disable_worker: it runs nothing (%s)", what);
	qthread_enable_worker(second);
	ok(qthread_num_workers() == workers, "qthread_enable_worker: is back (%s)", what);
	fork_all(NO_SHEPHERD);
	join_all();
	ok(each_ran_once(), "qthread_enable_worker: all goes on (%s)", what);

	int rc = qthread_disable_worker(1);     /* number 0 of shepherd 1, or number 1 of the only one */
	ok(rc == QTHREAD_SUCCESS && qthread_num_shepherds() == 1 && qthread_num_workers() == workers / 2,
	   "qthread_disable_worker: the first takes its shepherd along (%s)", what);
	qthread_enable_worker(1);
	ok(qthread_num_shepherds() == sheps && qthread_num_workers() == workers,
	   "qthread_enable_worker: the first brings it back (%s)", what);
}

static void run(const char *what)
{
	bad_arguments(what);
	if (qthread_readstate(TOTAL_SHEPHERDS) == 2)
		shepherd(what);
	else
		skip(CHECKS_SHEPHERD, "one shepherd (%s)", what);
	qthread_enable_shepherd(1);
	if (qthread_num_workers_local(0) == 2)
		worker(what);
	else
		skip(CHECKS_WORKER, "one worker in shepherd 0 (%s)", what);
	/* qthread_finalize ends those that are out of use, too. */
	qthread_disable_shepherd(1);
	qthread_disable_worker(2);
}

int main(void)
{
	plan(every_runs() * (CHECKS_BAD + CHECKS_SHEPHERD + CHECKS_WORKER) + 3);
	ok(qthread_disable_shepherd(1) == QTHREAD_NOT_ALLOWED, "qthread_disable_shepherd: while the runtime is down");
	ok(qthread_disable_worker(1) == QTHREAD_NOT_ALLOWED, "qthread_disable_worker: while the runtime is down");
	qthread_enable_shepherd(1);
	qthread_enable_worker(1);
	ok(qthread_num_workers() == 0, "qthread_enable_worker: while the runtime is down");
	every_runtime(run);
	return done();
}
