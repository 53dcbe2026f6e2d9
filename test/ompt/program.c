/* test/ompt/program.c -- one of each construct, so that test/ompt/events.sh knows how often each event comes.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <omp.h>
#include <stdio.h>

/* GCC's library does not have it. */
#ifndef __clang__
int omp_control_tool(int command, int modifier, void *arg) __attribute__((weak));
#endif

enum { TASKS = 20, TURNS = 24 };

static int sum, unnamed_count, named_count, reduced, multiplied;
static unsigned chain;

static void add(int n)
{
#pragma omp atomic
	sum += n;
}

static void work_sharing(void)
{
#pragma omp parallel
	{
#pragma omp for schedule(dynamic, 2)
		for (int i = 0; i < TURNS; i++)
			add(1);
#pragma omp for schedule(guided) nowait
		for (int i = 0; i < TURNS; i++)
			add(1);
#pragma omp sections
		{
			add(1);
#pragma omp section
			add(1);
		}
#pragma omp for ordered schedule(dynamic)
		for (int i = 0; i < TURNS; i++) {
#pragma omp ordered
			chain = chain * 3 + (unsigned)i;
		}
#pragma omp single
		add(1);
#pragma omp barrier
#pragma omp master
		add(1);
#pragma omp flush
#pragma omp for reduction(+ : reduced, multiplied)
		for (int i = 0; i < TURNS; i++) {
			reduced++;
			multiplied += 2;
		}
	}
}

static void tasks(void)
{
	int a = 0, b = 0;
	volatile long mark = 0x6d61726b65647461;        /* test/ompt/checker.c looks for it */

#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < TASKS; i++)
#pragma omp task firstprivate(mark)
			add(mark != 0);
#pragma omp taskwait
#pragma omp taskgroup
		{
#pragma omp task
			{
#pragma omp task
				add(1);
			}
		}
#pragma omp task if (0)
		add(1);
#pragma omp task final(1)
		{
#pragma omp task
			add(1);
		}
#pragma omp task depend(out : a)
		a = 1;
#pragma omp task depend(in : a) depend(out : b)
		b = a + 1;
#pragma omp task depend(in : a, b)
		add(a + b);
#pragma omp taskgroup
		{
#pragma omp task
			{
#pragma omp cancel taskgroup
			}
		}
#pragma omp taskloop num_tasks(5)
		for (int i = 0; i < TURNS; i++)
			add(1);
	}
}

static void exclusion(void)
{
	omp_lock_t lock;
	omp_nest_lock_t nest;

	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
#pragma omp parallel
	{
#pragma omp critical
		unnamed_count++;
#pragma omp critical(named)
		named_count++;
		omp_set_lock(&lock);
		omp_unset_lock(&lock);
		omp_set_nest_lock(&nest);
		omp_set_nest_lock(&nest);
		omp_unset_nest_lock(&nest);
		omp_unset_nest_lock(&nest);
	}
	if (omp_test_lock(&lock))
		omp_unset_lock(&lock);
	if (omp_test_nest_lock(&nest))
		omp_unset_nest_lock(&nest);
	omp_destroy_nest_lock(&nest);
	omp_destroy_lock(&lock);
}

static void inner(void)
{
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
	{
#pragma omp task
		add(1);
	}
}

int main(void)
{
	int threads = omp_get_max_threads();

	work_sharing();
	tasks();
	exclusion();
	inner();
	if (omp_control_tool)
		omp_control_tool(1, 0, NULL);
	sum += reduced + multiplied;
	int expected = (2 + 1 + 2) * TURNS + 4 + (TASKS + 3 + 3 + TURNS) + 2 * threads + 4;
	sum += unnamed_count + named_count;
	if (sum != expected)
		printf("%d instead of %d\n", sum, expected);
	return sum != expected;
}
