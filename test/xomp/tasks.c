/* test/xomp/tasks.c -- tasks and threadprivate variables as ROSE lowers them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "xomp/constructs.h"
#include "xomp/load.h"

#include "tap.h"

enum { DEPTH = 12, TASKS = 400 };

static void copies(void)
{
	double want = 0;

	for (int i = 0; i < TASKS; i++) {
		struct load l = load_make(i);
		want += load_weigh(&l) * (i * 0.5);
	}
	ok(task_copies(TASKS) == want, "firstprivate: a task has what there was when it was created");
}

int main(void)
{
	int wrong = 0;
	const long sum = (long)TASKS * (TASKS - 1) / 2;

	plan(8);
	ok(task_tree(DEPTH) == 1L << DEPTH, "task, if, untied, taskwait: a tree of tasks");
	ok(task_tree_outside(DEPTH) == 1L << DEPTH, "the same outside of regions");
	copies();
	ok(task_undeferred(TASKS, &wrong) == TASKS && wrong == 0, "if(0): a task ends before the next statement");
	ok(task_children(TASKS) == TASKS, "taskwait: all children have ended");
	ok(task_in_loops(TASKS) == 11 * sum, "tasks made in loops, taskwait where there may be none");
	ok(task_barrier(TASKS) == 2 * TASKS, "barrier: all tasks of the team have ended, those of tasks, too");
	ok(threadprivate_kept(10) && threadprivate_kept(1), "threadprivate: a thread has its own from region to region");
	return done();
}
