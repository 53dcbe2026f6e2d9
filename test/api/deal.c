/* test/api/deal.c -- tasks that pin themselves where they start are spread evenly over the shepherds.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A task that waits after it has pinned itself keeps its shepherd, so each check counts tasks that are all there at once.
 */
#include "every.h"

#include <qthread/barrier.h>

enum { MOST_SHEPHERDS = 8, FEW = 64, MANY = 400, CHECKS_PER_RUN = 6 };

static aligned_t on[MOST_SHEPHERDS], gate;

static void count_here(void)
{
	qthread_incr(&on[qthread_shep()], 1);
}

static aligned_t pin_and_wait(void *arg)
{
	const qthread_shepherd_id_t here = qthread_shep();

	(void)arg;
	if (qthread_migrate_to(here) != QTHREAD_SUCCESS || qthread_shep() != here)
		return 1;
	count_here();
	qthread_readFF(NULL, &gate);
	return qthread_shep() == here ? 0 : 1;
}

/* The largest share less the smallest; -1: not all of them. */
static int spread_of(aligned_t n)
{
	aligned_t most = on[0], least = on[0], sum = 0;

	for (int i = 0; i < qthread_num_shepherds(); i++) {
		most = on[i] > most ? on[i] : most;
		least = on[i] < least ? on[i] : least;
		sum += on[i];
	}
	return sum == n ? (int)(most - least) : -1;
}

static void shares_begin(void)
{
	memset(on, 0, sizeof(on));
	qthread_empty(&gate);
}

static aligned_t arrived(void)
{
	aligned_t sum = 0;

	for (int i = 0; i < qthread_num_shepherds(); i++)
		sum += qthread_incr(&on[i], 0);
	return sum;
}

/* Forks n tasks, waits until all of them wait, lets them go; returns the spread, or -1 if one of them was moved. */
static int shares_of(int n)
{
	aligned_t *ret = calloc((size_t)n, sizeof(*ret));
	bool stayed = true;

	shares_begin();
	for (int i = 0; i < n; i++)
		qthread_fork(pin_and_wait, NULL, &ret[i]);
	while (arrived() != (aligned_t)n)
		qthread_yield();
	const int spread = spread_of((aligned_t)n);
	qthread_fill(&gate);
	for (int i = 0; i < n; i++) {
		qthread_readFF(NULL, &ret[i]);
		stayed = stayed && ret[i] == 0;
	}
	free(ret);
	return stayed ? spread : -1;
}

static aligned_t shares_from_task(void *arg)
{
	return (aligned_t)shares_of((int)(intptr_t)arg);
}

struct outside {
	int n, spread;
};

static void shares_from_outside(void *arg)
{
	struct outside *o = arg;

	o->spread = shares_of(o->n);
}

/* ---- Functions whose tasks seldom pin themselves -------------------------------------------------------------- */

/* One in a hundred pins itself. */
static aligned_t seldom_pin(void *arg)
{
	if ((uintptr_t)arg % 100 == 0)
		return qthread_migrate_to(qthread_shep()) == QTHREAD_SUCCESS ? 0 : 1;
	return 0;
}

static aligned_t pin_elsewhere(void *arg)
{
	const qthread_shepherd_id_t to = (qthread_shepherd_id_t)((uintptr_t)arg % qthread_num_shepherds());

	for (int i = 0; i < 2; i++) {
		if (qthread_migrate_to(to) != QTHREAD_SUCCESS || qthread_shep() != to)
			return 1;
		qthread_yield();
	}
	return qthread_shep() == to ? 0 : 1;
}

static aligned_t all_of(qthread_f f, uintptr_t n)
{
	aligned_t *ret = calloc(n, sizeof(*ret)), wrong = 0;

	for (uintptr_t i = 0; i < n; i++)
		qthread_fork(f, (void *)i, &ret[i]);
	for (uintptr_t i = 0; i < n; i++) {
		qthread_readFF(NULL, &ret[i]);
		wrong += ret[i];
	}
	free(ret);
	return wrong;
}

/* ---- One runtime ---------------------------------------------------------------------------------------------- */

static void run_with(const char *what)
{
	const int n = every_scaled(FEW), many = every_scaled(MANY), sheps = qthread_num_shepherds();
	aligned_t ret = 0;

	/* Each other worker may have started a task before the first one has pinned itself. */
	const int first = shares_of(n);
	ok(first >= 0 && first <= (sheps > 1 ? 1 + qthread_num_workers() : 0), "%s: the first %d tasks that pin themselves: %d",
		what, n, first);
	const int next = shares_of(many);
	ok(next >= 0 && next <= (sheps > 1 ? 1 + first : 0), "%s: the next %d, forked by the main task: %d", what, many, next);
	qthread_fork_to(shares_from_task, (void *)(intptr_t)n, &ret, (qthread_shepherd_id_t)(sheps - 1));
	qthread_readFF(NULL, &ret);
	ok((int)ret >= 0 && (int)ret <= sheps, "%s: %d of a task: %d", what, n, (int)ret);
	struct outside o = { n, -1 };
	every_outside(shares_from_outside, &o);
	ok(o.spread >= 0 && o.spread <= sheps, "%s: %d of an outside thread: %d", what, n, o.spread);
	is_int(all_of(seldom_pin, (uintptr_t)many), 0, "%s: tasks of which few pin themselves all run", what);
	is_int(all_of(pin_elsewhere, (uintptr_t)many), 0, "%s: tasks that pin themselves elsewhere get there", what);
}

/* ---- More shepherds than CPUs; a shepherd that is off duty ---------------------------------------------------- */

static void many_shepherds(const char *scheduler, const char *shepherds)
{
	every_start(scheduler, shepherds, "1");
	const int n = every_scaled(MANY), sheps = qthread_num_shepherds();
	const int first = shares_of(sheps), next = shares_of(n);
	ok(first >= 0 && next >= 0 && first <= 2 && next <= 1 + first, "%s %s x 1: one task each: %d; %d tasks: %d", scheduler,
		shepherds, first, n, next);
	qthread_finalize();
}

static void off_duty(const char *scheduler)
{
	every_start(scheduler, "3", "1");
	const int n = 3 * every_scaled(FEW);
	const int before = shares_of(n);
	qthread_disable_shepherd(2);
	const int during = shares_of(n);
	const aligned_t there = on[2], others = on[0] > on[1] ? on[0] - on[1] : on[1] - on[0];
	qthread_enable_shepherd(2);
	const int after = shares_of(n);
	ok(before >= 0 && during >= 0 && there == 0 && others <= 5, "%s: a shepherd that is off duty gets none: %d %d %d", scheduler,
		(int)on[0], (int)on[1], (int)there);
	ok(after >= 0 && after <= 3, "%s: when it is back it gets its share and no more: %d", scheduler, after);
	qthread_finalize();
}

int main(void)
{
	const int few = every_is_brief() ? 1 : EVERY_SCHEDULERS;

	plan(every_runs() * CHECKS_PER_RUN + few * 4);
	every_runtime(run_with);
	for (int s = 0; s < few; s++) {
		const char *scheduler = few == 1 ? "mts" : every_scheduler[s];

		many_shepherds(scheduler, "4");
		many_shepherds(scheduler, "8");
		off_duty(scheduler);
	}
	return done();
}
