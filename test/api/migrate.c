/* test/api/migrate.c -- tasks move to a shepherd and stay there; who waits for them does not move along.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "waiting.h"

enum { CHECKS_PER_RUN = 11, OTHER_CHECKS = 2 };

static const int loops = 5;

static bool is_at(qthread_shepherd_id_t s)
{
	qthread_shepherd_id_t seen = NO_SHEPHERD;
	const qthread_worker_id_t local = qthread_worker_local(&seen);

	return qthread_shep() == s && seen == s && local < qthread_num_workers_local(s);
}

static bool stays_at(qthread_shepherd_id_t s)
{
	bool there = is_at(s);

	for (int i = 0; i < loops; i++) {
		qthread_yield();
		there = there && is_at(s);
	}
	return there;
}

/* ---- Moving --------------------------------------------------------------------------------------------------- */

static aligned_t go_round(void *arg)
{
	const int n = qthread_num_shepherds();
	volatile double x = 1.5;        /* lives on the stack that moves */
	bool right = true;

	(void)arg;
	for (int i = 0; i < 3 * n; i++) {
		const qthread_shepherd_id_t to = (qthread_shepherd_id_t)((i * 5 + 1) % n);

		right = right && qthread_migrate_to(to) == QTHREAD_SUCCESS && stays_at(to);
		right = right && qthread_migrate_to(to) == QTHREAD_SUCCESS && is_at(to);
		x += 0.5;
	}
	return right && x == 1.5 + 0.5 * 3 * n;
}

static aligned_t unpin(void *arg)
{
	const qthread_shepherd_id_t last = (qthread_shepherd_id_t)(qthread_num_shepherds() - 1);
	bool right = qthread_migrate_to(NO_SHEPHERD) == QTHREAD_SUCCESS;

	(void)arg;
	right = right && qthread_migrate_to(last) == QTHREAD_SUCCESS && is_at(last);
	right = right && qthread_migrate_to(NO_SHEPHERD) == QTHREAD_SUCCESS && is_at(last);
	qthread_yield();        /* to wherever */
	return right && qthread_shep() != NO_SHEPHERD && qthread_migrate_to(0) == QTHREAD_SUCCESS && stays_at(0);
}

static void tasks_move(const char *what)
{
	enum { TASKS = 8 };
	aligned_t ret[TASKS];
	bool right = true;

	for (int i = 0; i < TASKS; i++)
		qthread_fork_to(i % 4 == 3 ? unpin : go_round, NULL, &ret[i], i % 2 ? NO_SHEPHERD : 0);
	for (int i = 0; i < TASKS; i++) {
		qthread_readFF(NULL, &ret[i]);
		right = right && ret[i] == 1;
	}
	ok(right, "%s: tasks go where they say, stay there, and can be unpinned", what);
}

/* ---- What is refused ------------------------------------------------------------------------------------------ */

static aligned_t bad_targets(void *arg)
{
	const qthread_shepherd_id_t n = qthread_num_shepherds(), here = qthread_shep();

	(void)arg;
	return qthread_migrate_to(n) == QTHREAD_BADARGS && qthread_migrate_to((qthread_shepherd_id_t)(n + 1)) == QTHREAD_BADARGS &&
		qthread_migrate_to(NO_SHEPHERD - 1) == QTHREAD_BADARGS && stays_at(here);
}

static aligned_t not_allowed(void *arg)
{
	(void)arg;
	return qthread_migrate_to(0) == QTHREAD_NOT_ALLOWED &&
		qthread_migrate_to((qthread_shepherd_id_t)(qthread_num_shepherds() - 1)) == QTHREAD_NOT_ALLOWED &&
		qthread_migrate_to(NO_SHEPHERD) == QTHREAD_NOT_ALLOWED;
}

static void not_allowed_outside(void *right)
{
	*(aligned_t *)right = not_allowed(NULL);
}

static void refusals(const char *what)
{
	aligned_t ret = 0, outside = 0;

	qthread_fork_to(bad_targets, NULL, &ret, 0);
	qthread_readFF(NULL, &ret);
	ok(ret == 1, "%s: a shepherd that does not exist is refused and nothing moves", what);
	ok(not_allowed(NULL) && is_at(0), "%s: the main task may not move", what);
	qthread_spawn(not_allowed, NULL, 0, &ret, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_SIMPLE);
	qthread_readFF(NULL, &ret);
	ok(ret == 1, "%s: nor may a simple task", what);
	every_outside(not_allowed_outside, &outside);
	ok(outside == 1, "%s: nor a pthread", what);
}

/* ---- A child that moves while its parent waits for it --------------------------------------------------------- */

static pthread_t main_thread;

/* To the last shepherd, then on to a grandchild that goes back, and so on; each checks that it is where it belongs
 * after its own child has moved. */
static aligned_t move_and_wait(void *arg)
{
	const intptr_t depth = (intptr_t)arg;
	const qthread_shepherd_id_t to = (qthread_shepherd_id_t)(depth % qthread_num_shepherds());
	aligned_t ret = 0;

	if (qthread_migrate_to(to) != QTHREAD_SUCCESS)
		return 1;
	if (depth == 0)
		return 0;
	qthread_fork(move_and_wait, (void *)(depth - 1), &ret);
	qthread_readFF(NULL, &ret);
	return ret == 0 && is_at(to) ? 0 : 1;
}

/* The same under a parent that may run anywhere. */
static aligned_t wait_for_mover(void *arg)
{
	aligned_t ret = 9;

	qthread_fork(move_and_wait, arg, &ret);
	qthread_readFF(NULL, &ret);
	return ret == 0 && qthread_shep() != NO_SHEPHERD ? 0 : 1;
}

static aligned_t wait_pinned_for_mover(void *arg)
{
	const qthread_shepherd_id_t here = qthread_shep();

	return wait_for_mover(arg) == 0 && stays_at(here) ? 0 : 1;
}

static bool main_is_at_home(void)
{
	qthread_shepherd_id_t s;

	return pthread_equal(pthread_self(), main_thread) && qthread_worker(&s) == 0 && s == 0 && qthread_worker_unique(NULL) == 1;
}

static void parents_stay(const char *what)
{
	aligned_t ret[3];
	bool home = true;

	main_thread = pthread_self();
	for (intptr_t depth = 0; depth < 6; depth++) {
		ret[0] = 9;
		qthread_fork(move_and_wait, (void *)depth, &ret[0]);
		qthread_readFF(NULL, &ret[0]);
		home = home && ret[0] == 0 && main_is_at_home();
	}
	ok(home, "%s: the main task stays on its OS thread while a child that it reads moves", what);

	qthread_fork(wait_for_mover, (void *)5, &ret[0]);
	qthread_fork_to(wait_pinned_for_mover, (void *)5, &ret[1], 0);
	qthread_fork_to(wait_pinned_for_mover, (void *)4, &ret[2], (qthread_shepherd_id_t)(qthread_num_shepherds() - 1));
	for (int i = 0; i < 3; i++)
		qthread_readFF(NULL, &ret[i]);
	ok(ret[0] == 0, "%s: a free parent goes on somewhere", what);
	ok(ret[1] == 0 && ret[2] == 0, "%s: a pinned parent goes on where it is pinned", what);
}

/* Many at once, some of which wait on the way. */
static aligned_t gate;

static aligned_t wander(void *arg)
{
	const unsigned me = (unsigned)(uintptr_t)arg, n = qthread_num_shepherds();
	aligned_t ret = 0;

	for (unsigned i = 0; i < 10; i++) {
		const qthread_shepherd_id_t to = (qthread_shepherd_id_t)((me + i) % n);

		if (qthread_migrate_to(to) != QTHREAD_SUCCESS)
			return 1;
		if (i == me % 10)
			qthread_readFF(NULL, &gate);
		if (i % 3 == 0) {
			qthread_fork(move_and_wait, (void *)(intptr_t)(me % 3), &ret);
			qthread_readFF(NULL, &ret);
		}
		if (ret != 0 || !is_at(to))
			return 1;
	}
	return 0;
}

static void many_wander(const char *what)
{
	enum { TASKS = 100 };
	const int n = every_scaled(TASKS);
	aligned_t ret[TASKS], wrong = 0;

	qthread_empty(&gate);
	for (int i = 0; i < n; i++)
		qthread_fork(wander, (void *)(uintptr_t)i, &ret[i]);
	until_quiet();
	qthread_fill(&gate);
	for (int i = 0; i < n; i++) {
		qthread_readFF(NULL, &ret[i]);
		wrong += ret[i];
	}
	is_int(wrong, 0, "%s: %d tasks wander, wait and join on the way", what, n);
}

/* Who is woken by an outsider goes back to where it is pinned. */
static aligned_t wait_at_gate(void *arg)
{
	const qthread_shepherd_id_t here = (qthread_shepherd_id_t)(uintptr_t)arg;

	if (qthread_migrate_to(here) != QTHREAD_SUCCESS)
		return 1;
	qthread_readFF(NULL, &gate);
	return is_at(here) ? 0 : 1;
}

static void open_gate(void *arg)
{
	(void)arg;
	qthread_fill(&gate);
}

static void woken_from_elsewhere(const char *what)
{
	enum { TASKS = 10 };
	aligned_t ret[TASKS], wrong = 0;

	for (int outside = 0; outside <= 1; outside++) {
		qthread_empty(&gate);
		for (uintptr_t i = 0; i < TASKS; i++)
			qthread_fork(wait_at_gate, (void *)(i % qthread_num_shepherds()), &ret[i]);
		until_quiet();
		if (outside)
			every_outside(open_gate, NULL);
		else
			open_gate(NULL);
		for (int i = 0; i < TASKS; i++) {
			qthread_readFF(NULL, &ret[i]);
			wrong += ret[i];
		}
	}
	is_int(wrong, 0, "%s: a task that moved and waits is woken where it is pinned", what);
}

static void run_with(const char *what)
{
	tasks_move(what);
	refusals(what);
	parents_stay(what);
	many_wander(what);
	woken_from_elsewhere(what);
	ok(main_is_at_home(), "%s: the main task is where it was", what);
}

int main(void)
{
	plan(2 * every_runs() * CHECKS_PER_RUN + OTHER_CHECKS);
	ok(qthread_migrate_to(0) == QTHREAD_NOT_ALLOWED, "before qthread_initialize nobody moves");
	setenv("QT_INLINE_JOIN", "1", 1);
	every_runtime(run_with);
	diag("QT_INLINE_JOIN=0 from here on");
	setenv("QT_INLINE_JOIN", "0", 1);
	every_runtime(run_with);
	ok(qthread_migrate_to(0) == QTHREAD_NOT_ALLOWED, "nor after qthread_finalize");
	return done();
}
