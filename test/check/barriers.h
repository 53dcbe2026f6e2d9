/* test/check/barriers.h -- what a barrier promises, whether members come to a gate (gates.c) or along a tree (trees.c).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef CHECK_BARRIERS_H
#define CHECK_BARRIERS_H

#include "check/omp.h"

static unsigned done[MEMBERS], ran;

static void task_runs(void *unused)
{
	(void)unused;
	ran++;
}

/* All that members have written is seen, and nobody goes on before all have come. */
static void round_of(unsigned thread)
{
	done[thread]++;
	qomp_barrier(frame_of(thread));
	for (unsigned i = 0; i < team.n; i++)
		check_that(done[i] == done[thread], "all have come to the barrier");
}

static void run_two(unsigned thread)
{
	round_of(thread);
	qomp_barrier(frame_of(thread));
	round_of(thread);
}

static void run_three(unsigned thread)
{
	round_of(thread);
}

/* A task that one member has created, and any runs. */
static void create_and_wait(unsigned thread, unsigned creator)
{
	if (thread == creator)
		task_push(task_new(frame_of(creator), task_runs, NULL));
	qomp_barrier(frame_of(thread));
	check_that(ran == 1, "the task has ended");
}

static void run_task(unsigned thread)
{
	create_and_wait(thread, 0);
}

/* A member runs it before it comes, the other has come: what that has counted is old. */
static void run_late(unsigned thread)
{
	if (thread == 0)
		task_push(task_new(frame_of(0), task_runs, NULL));
	else
		team_help(frame_of(thread));
	qomp_barrier(frame_of(thread));
	check_that(ran == 1, "the task has ended");
}

/* A thread that is not of the team fulfils the event of this task. */
static struct qomp_task *task_with_event(void)
{
	struct qomp_task *t = task_new(frame_of(0), task_runs, NULL);
	void *handle;

	qomp_event_prepare(t, &handle, NULL);
	return t;
}

#endif
