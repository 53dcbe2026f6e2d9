/* test/omp/task_constraint.c -- a thread whose tied task waits begins only what descends from that task (OpenMP 5.0,
 * 2.10.6).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * So a task finds its thread's variables after a wait as it has left them, where what it has created does not touch
 * them.  Here libqomp keeps to it by QT_TASK_CONSTRAINT alone, which has to be there before the first region.
 */
#include "omp/tasking.h"

enum { TASKS = 200, CHILDREN = 3, GRAIN = 400 };

static int mine;
#pragma omp threadprivate(mine)

static int disturbed, children;

/* Long enough for tasks to wait, and to be taken by other threads. */
static void child(void)
{
	for (volatile int i = every_scaled(GRAIN); i > 0; i--)
		continue;
	bump(&children);
}

static void create(void)
{
	for (int i = 0; i < CHILDREN; i++) {
#pragma omp task
		child();
	}
}

static void by_taskwait(void)
{
	create();
#pragma omp taskwait
}

static void by_taskgroup(void)
{
#pragma omp taskgroup
	create();
}

static void by_taskyield(void)
{
	create();
#pragma omp taskyield
}

static void by_depend(void)
{
	int word = 0;

#pragma omp task depend(out : word) shared(word)
	{
		child();
		word = 1;
	}
	create();
#pragma omp task if (0) depend(in : word) shared(word)
	child();
#pragma omp taskwait
}

static void by_critical(void)
{
	create();
#pragma omp critical
	child();
}

static omp_lock_t lock;

static void by_lock(void)
{
	create();
	omp_set_lock(&lock);
	child();
	omp_unset_lock(&lock);
}

/* With more of the same kind beneath it. */
static void by_all(void)
{
	by_taskgroup();
	by_taskyield();
	by_critical();
	by_taskwait();
}

static void task(int number, void (*waits)(void))
{
	mine = number;
	waits();
	if (mine != number)
		bump(&disturbed);
}

static void siblings(void (*waits)(void), int each, const char *how)
{
	const int tasks = every_scaled(TASKS);

	disturbed = children = 0;
#pragma omp parallel
	{
#pragma omp single
		for (int t = 1; t <= tasks; t++) {
#pragma omp task
			task(t, waits);
		}
	}
	is_int(disturbed, 0, "task: no sibling has run where one waits %s", how);
	is_int(children, tasks * each, "task: and all children have");
}

/* The implicit task is tied, too. */
static void implicit_task(void)
{
	disturbed = 0;
#pragma omp parallel
	{
		int number = omp_get_thread_num() + 1;
		for (int t = 0; t < TASKS / 4; t++) {
#pragma omp task
			mine = -1;
#pragma omp taskwait
			mine = number;
#pragma omp taskyield
			if (mine != number)
				bump(&disturbed);
		}
	}
	is_int(disturbed, 0, "taskyield: no task of another thread has run where an implicit task gives way");
}

int main(void)
{
	setenv("QT_TASK_CONSTRAINT", "yes", 1);
	omp_init_lock(&lock);
	plan(15);
	siblings(by_taskwait, CHILDREN, "in a taskwait");
	siblings(by_taskgroup, CHILDREN, "for a taskgroup");
	siblings(by_taskyield, CHILDREN, "in a taskyield");
	siblings(by_depend, CHILDREN + 2, "for a dependence");
	siblings(by_critical, CHILDREN + 1, "for a critical section");
	siblings(by_lock, CHILDREN + 1, "for a lock");
	siblings(by_all, 4 * CHILDREN + 1, "for one after the other");
	implicit_task();
	omp_destroy_lock(&lock);
	return done();
}
