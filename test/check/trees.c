/* test/check/trees.c -- omp/team/tree.h: a barrier along a tree comes after all tasks and all that members wrote (TB1
 * to TB5).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check/barriers.h"

static unsigned told;                   /* atomic */

static void begin_with(unsigned members)
{
	team_begin(members);
	team.is_tree = true;
	qomp_tree_reset(&team);
}

static void begin_two(void)
{
	begin_with(2);
}

static void begin_three(void)
{
	begin_with(3);
}

static void begin_four(void)
{
	begin_with(4);
}

/* Member 3 is below 1, which is below 0. */
static void run_four(unsigned thread)
{
	round_of(thread);
}

/* --- termination ------------------------------------------------------------------------------------------ */

static void run_task_below(unsigned thread)
{
	create_and_wait(thread, 1);
}

/* From a leaf to its root's other child. */
static void run_task_across(unsigned thread)
{
	create_and_wait(thread, 2);
}

/* A task creates another one while sums are on their way: each runs anywhere. */
static void spawns(void *record_of)
{
	struct qomp_task *t = record_of;

	task_push(task_new(&t->frame, task_runs, NULL));
}

static void run_spawns(unsigned thread)
{
	if (thread == 1)
		task_push(task_new(frame_of(1), spawns, &record[0]));
	qomp_barrier(frame_of(thread));
	check_that(ran == 1, "what the task has created has ended");
}

/* --- sleeping --------------------------------------------------------------------------------------------- */

/* The thread of a member that sleeps runs the task: the member tells its parent. */
static void begin_asleep(void)
{
	begin_with(2);
	no_help = 3;
	helps_asleep = 2;
}

static void run_asleep(unsigned thread)
{
	create_and_wait(thread, 0);
}

/* The same at the second barrier: the mark of the first one has been taken off. */
static void run_asleep_again(unsigned thread)
{
	qomp_barrier(frame_of(thread));
	create_and_wait(thread, 0);
}

/* A thread that is not of the team fulfils a task's event, as the last thing that happens. */
static void begin_elsewhere(void)
{
	begin_with(2);
	struct qomp_task *t = task_with_event();
	qomp_task_count(t);
	(void)event_too(t);
}

static void run_elsewhere(unsigned thread)
{
	if (thread == 2) {
		done[2] = 1;
		qomp_task_fulfil(record[0].frame.extra);
		return;
	}
	qomp_barrier(frame_of(thread));
	check_that(done[2] == 1, "all that came before the event");
}

/* A task in the team's list, which member 1 has to find, though it may sleep. */
static void begin_listed(void)
{
	begin_with(2);
	team.uses_scheduler = false;
	help_too = list_help;
}

static void task_tells(void *unused)
{
	(void)unused;
	ran++;
	store_rlx(&told, 1);
}

static void run_listed(unsigned thread)
{
	if (thread == 0) {
		task_list(task_new(frame_of(0), task_tells, NULL));
		while (!load_rlx(&told))
			check_pause();
	}
	qomp_barrier(frame_of(thread));
	check_that(ran == 1, "the task has ended");
}

/* The region is cancelled: who sleeps goes on. */
static void run_cancel(unsigned thread)
{
	if (thread == 0) {
		done[0] = 1;
		qomp_cancel(frame_of(0), QOMP_CANCEL_PARALLEL);
		return;
	}
	check_that(qomp_barrier_cancel(frame_of(thread)), "a cancelled region's barrier is not passed");
	check_that(done[0] == 1, "all that came before the cancellation");
}

static void end(void)
{
	team_end();
	for (unsigned i = 0; i < team.n; i++)
		check_that(!member[i].tree.sleeper, "nobody sleeps");
}

static void nothing(void)
{
}

static const struct check_spare spare[] = {
	{ "tree.c", "if (qti_unlikely(r != NULL) && (r = swap_acq_rel(&t->sleeper, NULL)) != NULL)",
		"whose record is taken learns of it when it is woken (W1)" },
	{ "tree_wait.c", "if (!should_wake(g) || !swap_acq_rel(&own->sleeper, NULL))",
		"the record is the member's own; if it is gone already, who has it wakes the member (W1)" },
	{ "tree_wait.c", "s.finished += load_acq(&g->team->elsewhere);",
		"the root tells its children before it goes on, and the fence there acquires the same" },
	{ "tree.c", "struct qomp_member **member = load_acq(&team->member);", "T6: test/check/regions.c" },
	{ NULL, NULL, NULL }
};

#define UNIT(what, n, first, last) \
	{ .name = #what, .threads = n, .begin = first, .run = run_##what, .end = last, .switches = 3, \
	  .stale = 2, .most = 600 }

int main(int argc, char **argv)
{
	static const struct check_unit two = UNIT(two, 2, begin_two, end), three = UNIT(three, 3, begin_three, end),
		four = UNIT(four, 4, begin_four, end), task = UNIT(task, 2, begin_two, end),
		below = UNIT(task_below, 3, begin_three, end), across = UNIT(task_across, 3, begin_three, end),
		grows = UNIT(spawns, 2, begin_two, end), late = UNIT(late, 2, begin_two, end),
		asleep = UNIT(asleep, 2, begin_asleep, end), again = UNIT(asleep_again, 2, begin_asleep, end),
		elsewhere = UNIT(elsewhere, 3, begin_elsewhere, nothing), listed = UNIT(listed, 2, begin_listed, end),
		cancelled = UNIT(cancel, 3, begin_three, nothing);
	static const struct check_unit *const units[] = { &two, &three, &four, &task, &below, &across, &grows, &late, &asleep,
		&again, &elsewhere, &listed, &cancelled };
	static const char *const of[] = { "omp/team/tree.", "omp/team/tree_wait.c", NULL };
	static const struct check_program program = { units, sizeof(units) / sizeof(units[0]), spare, of };

	store_rlx(&qti_poll_rate, 0);
	qomp_settings.cancellation = true;
	return check_run(&program, argc, argv);
}
