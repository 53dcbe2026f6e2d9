/* test/check/rows.c -- sched/rows.c: who takes tasks from a row excludes its owner, and misses none (XQ1 to XQ3).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * And of sched/balance.c: a request is served once at most, and is in the way of none (NA1, NA2).  Nobody sleeps here:
 * test/check/parks.c has that.
 */
#include "check/instead.h"

#include "core/worker.c"
#include "sched/victims.c"
#include "sched/rows.c"
#include "sched/balance.c"

enum { WORKERS = 3, TASKS = 5, SLOTS = 2 };

static struct qti_worker worker[WORKERS];
static struct qti_shepherd shepherd;
static struct qti_task task[TASKS];
static unsigned made;                   /* by begin */
static unsigned came[TASKS];            /* atomic: how often each was taken */

static void put(unsigned from, unsigned to, unsigned i, unsigned flags)
{
	task[i].flags = flags;
	task[i].arg = &task[i];
	row_put(&worker[from], &worker[to], &task[i]);
}

static void take(struct qti_task *t)
{
	if (!t)
		return;
	check_that(t->arg == t, "a task is whole");
	check_that(add_rlx(&came[t - task], 1) == 0, "a task is taken once");
}

/* The ring from its worker to itself is full, with an open task behind another, and two have been spilled. */
static void begin_full(void)
{
	rows.all_open = false;
	for (made = 0; made < SLOTS + 2; made++)
		put(0, 0, made, made == 0 ? 0 : QTI_TASK_OPEN);
}

static void run_pop(unsigned thread)
{
	for (unsigned i = 0; i < 2; i++)
		take(thread == 0 ? qti_rows_pop(&worker[0]) : qti_rows_steal(&worker[thread], true));
}

/* What finds no room goes into a list that others take from; who waits for a child claims it. */
static void run_spill(unsigned thread)
{
	if (thread != 0) {
		take(qti_rows_steal(&worker[thread], true));
		return;
	}
	put(0, 0, made, QTI_TASK_OPEN);
	task[made].ret = &came;
	take(qti_rows_claim(&worker[0], &came));
	take(qti_rows_pop(&worker[0]));
}

static void end_full(void)
{
	struct qti_task *t;

	while ((t = qti_rows_pop(&worker[0])) != NULL || (t = qti_rows_pop(&worker[1])) != NULL ||
		(t = qti_rows_pop(&worker[2])) != NULL)
		take(t);
	for (unsigned i = 0; i < made; i++)
		check_that(came[i] == 1, "each has been taken");
	check_that(!qti_rows_any(), "none is left");
}

/* An open task waits for a worker that is busy, while another one comes and goes: from worker 0 to worker 1. */
static void begin_waits(void)
{
	rows.all_open = false;
	put(0, 0, 0, QTI_TASK_OPEN);
	made = 2;
}

static void run_waits(unsigned thread)
{
	if (thread == 0)
		put(0, 1, 1, QTI_TASK_OPEN);
	else if (thread == 1)
		take(qti_rows_pop(&worker[1]));
	else
		check_that(qti_rows_any(), "who looks learns of it");
}

static uint32_t waits_in(const struct view *view)
{
	return view->sent - view->taken;
}

/* The same of its shepherd's rows, and of its row alone. */
static void run_waits_there(unsigned thread)
{
	if (thread == 0) {
		put(0, 1, 1, QTI_TASK_OPEN);
		return;
	}
	if (thread == 1) {
		take(qti_rows_pop(&worker[1]));
		return;
	}
	struct row *r = row_of(&worker[2]);
	bool any = view_shepherds(r->shepherd);
	view_rows(r->view, &shepherd);
	check_that(any && waits_in(&r->view[0]) == 1 && waits_in(&r->view[1]) <= 1, "and where it is");
}

/* Two ask worker 0, which has tasks, for one each. */
static void begin_asks(void)
{
	rows.all_open = true;
	qti_rt.env.n_steal = 1;
	for (made = 0; made < 3; made++)
		put(0, 0, made, 0);
}

static void run_asks(unsigned thread)
{
	if (thread != 0) {
		request_send(&worker[thread], &worker[0]);
		take(qti_rows_pop(&worker[thread]));
		return;
	}
	for (unsigned points = 0; points < 3; points++)
		balance_attend(&worker[0]);
}

static void end_asks(void)
{
	uint64_t asked = worker[1].stats.requests + worker[2].stats.requests;

	balance_attend(&worker[0]);
	check_that(worker[0].stats.requests_handled <= asked, "none is served twice");
	uint64_t before = worker[0].stats.requests_handled;
	request_send(&worker[1], &worker[0]);
	balance_attend(&worker[0]);
	check_that(worker[0].stats.requests_handled == before + 1, "who asks later is heard");
	end_full();
}

#define UNIT(what, n, first) \
	{ .name = #what, .threads = n, .begin = first, .run = run_##what, .end = end_full, .switches = 3, .stale = 2, \
	  .most = 800 }

/* Outside of the executions: the rings and rows stay. */
static bool rows_made(void)
{
	static const struct qti_sched rows_alone = { .name = "rows", .pop = qti_rows_pop };

	qti_rt.sched = &rows_alone;
	qti_rt.workers = worker;
	qti_rt.shepherds = &shepherd;
	qti_rt.nworkers = WORKERS;
	qti_rt.nshepherds = 1;
	qti_rt.env.ring = SLOTS;
	shepherd.workers = worker;
	shepherd.nworkers = WORKERS;
	for (unsigned i = 0; i < WORKERS; i++) {
		worker[i].shepherd = &shepherd;
		worker[i].id = worker[i].local = i;
	}
	return balance_init(false) == QTHREAD_SUCCESS;
}

int main(int argc, char **argv)
{
	static const struct check_unit pop = UNIT(pop, 2, begin_full), pop_of_three = { .name = "pop_of_three", .threads = 3,
		.begin = begin_full, .run = run_pop, .end = end_full, .switches = 3, .stale = 2, .most = 800 },
		spill = UNIT(spill, 2, begin_full), waits = UNIT(waits, 3, begin_waits),
		waits_there = UNIT(waits_there, 3, begin_waits);
	static const struct check_unit asks = { .name = "asks", .threads = 3, .begin = begin_asks, .run = run_asks,
		.end = end_asks, .switches = 3, .stale = 2, .most = 800 };
	static const struct check_unit *const units[] = { &pop, &pop_of_three, &spill, &waits, &waits_there, &asks };
	static const char *const of[] = { "sched/rows.c", NULL };
	static const struct check_program program = { units, sizeof(units) / sizeof(units[0]), NULL, of };

	store_rlx(&qti_poll_rate, 0);
	if (!rows_made())
		return 2;
	return check_run(&program, argc, argv);
}
