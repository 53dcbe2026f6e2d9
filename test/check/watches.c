/* test/check/watches.c -- core/poller.h: while anything is awaited and a worker has no work, somebody asks (PW1 to
 * PW3).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With the policy of check/boxes.h.  What is awaited has come as soon as somebody asks; then a task is ready.  Workers
 * that have tasks do not ask, so a worker that sleeps on is never woken.
 */
#include "check/instead.h"

#include "base/ticks.h"
#define qti_ticks() UINT64_C(0)

#include "core/poller.c"

static bool look_left_out;              /* PW2 */

#define qti_watch_wanted() (!look_left_out && qti_watch_wanted())

#include "check/boxes.h"

static bool fresh[TASKS];               /* atomic: awaited, and nobody has asked */

static unsigned ask(unsigned most)
{
	unsigned n = 0;

	for (unsigned i = 0; i < TASKS && n < most; i++)
		if (load_rlx(&fresh[i]) && swap_acq(&fresh[i], false)) {
			qti_ready(&task[i]);
			qti_poller_met();
			n++;
		}
	if (n == 0)
		check_pause();
	return n;
}

static const struct qti_poller asked = { .poll = ask };

static void begin_watch(void)
{
	qti_poller_come(&asked);
	turns.due = 1;                  /* for workers that have tasks */
}

static void await(unsigned i, bool suspends)
{
	make(i);
	store_rel(&fresh[i], true);
	qti_poller_await(suspends);
}

static void begin_two(void)
{
	begin_with(2);
	begin_watch();
}

/* A worker that has more to do awaits something. */
static void run_busy(unsigned thread)
{
	qti_worker_self = &worker[thread];
	if (thread == 0)
		await(0, false);
	else
		run_task(qti_idle(&worker[thread]));
	stay_busy(1);
}

/* A thread that is no worker does. */
static void run_outside(unsigned thread)
{
	if (thread == 0) {
		await(0, true);
		return;
	}
	qti_worker_self = &worker[1];
	run_task(qti_idle(&worker[1]));
}

/* A task does, and suspends: its worker has nothing else. */
static void run_suspends(unsigned thread)
{
	qti_worker_self = &worker[thread];
	if (thread == 0)
		await(0, true);
	work(thread);
}

/* One worker sleeps, and the one on watch lays it down, as it has found a task, while something more is awaited. */
static void begin_laid(void)
{
	begin_one_asleep(3);
	begin_watch();
	make(0);
	fresh[0] = true;
	qti_rt.idle.awaited = 1;
}

static void run_laid(unsigned thread)
{
	qti_worker_self = &worker[thread];
	if (thread == 0)
		await(1, false);
	else
		run_task(thread == 1 ? qti_idle(&worker[1]) : wake_up(&worker[2]));
	stay_busy(TASKS);
}

static void begin_looks_away(void)
{
	begin_two();
	look_left_out = true;
}

static void end_watch(void)
{
	end();
	check_that(qti_rt.idle.awaited == 0 && !turns.watched, "nobody asks for nothing");
}

static const struct check_spare spare[] = {
	{ "poller.c", "return !load_rlx(&turns.watched) && cas_acq_rel(&turns.watched, &seen, true);",
		"for nobody: what is asked for is under the poller's own lock" },
	{ "poller.c", "store_rel(&turns.watched, false);", "the other end of that" },
	{ NULL, NULL, NULL }
};

#define UNIT(what, n, first) \
	{ .name = #what, .threads = n, .begin = first, .run = run_##what, .end = end_watch, .switches = 3, .stale = 2, \
	  .most = 1500 }

int main(int argc, char **argv)
{
	static const struct check_unit busy = UNIT(busy, 2, begin_two), from_outside = UNIT(outside, 2, begin_two),
		suspends = UNIT(suspends, 2, begin_two), laid = UNIT(laid, 3, begin_laid);
	static const struct check_unit looks_away = { .name = "busy", .threads = 2, .begin = begin_looks_away, .run = run_busy,
		.end = end_watch, .switches = 3, .stale = 2, .most = 1500, .without = "a last look at what is awaited (PW2)" };
	static const struct check_unit *const units[] = { &busy, &from_outside, &suspends, &laid, &looks_away };
	static const char *const of[] = { "core/poller.", NULL };
	static const struct check_program program = { units, sizeof(units) / sizeof(units[0]), spare, of };

	if (!boxes_made())
		return 2;
	return check_run(&program, argc, argv);
}
