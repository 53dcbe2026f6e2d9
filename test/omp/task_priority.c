/* test/omp/task_priority.c -- OMP_MAX_TASK_PRIORITY: who looks for a task takes one of the highest priority.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Priorities are hints to OpenMP; this is what GCC's library makes of them.  Tasks are compared that wait at the same
 * time, by the order in which one thread has taken them.
 */
#include "omp/again.h"
#include "omp/tasking.h"

enum { TASKS = 60, LEVELS = 10, MOST = 256 };

static int order[MOST], taken;

/* A task of that priority runs. */
static void note(int priority)
{
	order[bump(&taken)] = priority;
}

/* How many ran before one of a higher priority. */
static int early(int n)
{
	int wrong = 0;

	for (int i = 1; i < n; i++)
		wrong += order[i] > order[i - 1];
	return wrong + (n != now(&taken));
}

static int clamped(int priority)
{
	return priority < omp_get_max_task_priority() ? priority : omp_get_max_task_priority();
}

static void create(int n, int step)
{
	for (int i = 0; i < n; i++) {
		const int p = i * step % n % (LEVELS + 5);
#pragma omp task priority(p) firstprivate(p)
		note(clamped(p));
	}
}

static void at_taskwait(void)
{
	create(TASKS, 7);
#pragma omp taskwait
}

static void at_taskgroup(void)
{
#pragma omp taskgroup
	create(TASKS, 11);
}

/* Pieces of a loop, behind tasks without a clause and before some with one. */
static void at_taskloop(void)
{
	for (int i = 0; i < 10; i++) {
#pragma omp task
		note(0);
	}
#pragma omp taskloop nogroup grainsize(1) priority(5)
	for (int i = 0; i < 20; i++)
		note(clamped(5));
	create(20, 3);
#pragma omp taskwait
}

/* Ready at the same time, when the first has ended. */
static void at_dependences(void)
{
	int word = 0;

#pragma omp task depend(out : word) priority(LEVELS) shared(word)
	{
		word++;
		note(clamped(LEVELS));
	}
	for (int i = 0; i < 20; i++) {
#pragma omp task depend(in : word) priority(i) firstprivate(i)
		note(clamped(i));
	}
#pragma omp taskwait
}

/* One thread creates them and waits; the others do something else for as long. */
static void alone(const char *name, void (*there)(void), int n)
{
	int over = 0;

	taken = 0;
#pragma omp parallel
	{
		if (omp_get_thread_num() == 0) {
			there();
			put(&over, 1);
		} else {
			wait_until(now(&over));
		}
	}
	printf("%s=%d\n", name, early(n));
}

/* All run them, when all are there: what one thread runs has falling priorities. */
static void together(void)
{
	int created = 0, wrong = 0, ran = 0;
	static int last[MOST];

	for (int i = 0; i < MOST; i++)
		last[i] = LEVELS;
#pragma omp parallel
	{
		if (omp_get_thread_num() != 0)
			wait_until(now(&created));
		for (int i = 0; omp_get_thread_num() == 0 && i < TASKS; i++) {
			const int p = i * 7 % TASKS % LEVELS;
#pragma omp task priority(p) firstprivate(p) shared(wrong, ran)
			{
				if (p > last[omp_get_thread_num()])
					bump(&wrong);
				last[omp_get_thread_num()] = p;
				bump(&ran);
			}
		}
		put(&created, 1);
#pragma omp barrier
	}
	printf("barrier=%d\nran=%d\n", wrong, ran);
}

static int child(void)
{
	printf("most=%d\n", omp_get_max_task_priority());
	alone("taskwait", at_taskwait, TASKS);
	alone("taskgroup", at_taskgroup, TASKS);
	alone("taskloop", at_taskloop, 50);
	alone("dependences", at_dependences, 21);
	together();
	printf("taken=%d\n", taken);
	return 0;
}

static void with_priorities(void)
{
	is_int(again("run", "OMP_MAX_TASK_PRIORITY=10", NULL), 0, "OMP_MAX_TASK_PRIORITY=10: the program ends");
	is_int(again_number("most"), LEVELS, "omp_get_max_task_priority");
	is_int(again_number("taskwait"), 0, "taskwait: none before one of a higher priority; what is too high counts as the highest");
	is_int(again_number("taskgroup"), 0, "taskgroup: none before one of a higher priority");
	is_int(again_number("taskloop"), 0, "taskloop: its pieces have the loop's priority");
	is_int(again_number("dependences"), 0, "depend: of those that became ready, none before one of a higher priority");
	is_int(again_number("barrier"), 0, "barrier: no thread takes one before one of a higher priority");
	is_int(again_number("ran"), TASKS, "barrier: all ran");
}

static void two_levels(void)
{
	is_int(again("run", "OMP_MAX_TASK_PRIORITY=1", NULL), 0, "OMP_MAX_TASK_PRIORITY=1: the program ends");
	ok(again_number("taskwait") == 0 && again_number("taskgroup") == 0 && again_number("taskloop") == 0 &&
			again_number("dependences") == 0 && again_number("barrier") >= 0,
		"priority: there is one, or none");
}

static void without(void)
{
	is_int(again("run", "OMP_MAX_TASK_PRIORITY", NULL), 0, "without the setting: the program ends");
	ok(again_number("most") == 0 && again_number("ran") == TASKS && again_number("taken") == 21, "priority: nobody counts");
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		return child();
	plan(12);
	with_priorities();
	two_levels();
	without();
	return done();
}
