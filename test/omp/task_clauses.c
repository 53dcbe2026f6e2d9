/* test/omp/task_clauses.c -- if, final, mergeable, untied, priority; the team and regions seen from a task.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/tasking.h"

#include <string.h>

enum { MANY = 1000, SOME = 200 };

static int runs[MANY];

static void clear_runs(void)
{
	memset(runs, 0, sizeof(runs));
}

/* --- if, final, mergeable, untied, priority ------------------------------------------------------------- */

static void if_false(void)
{
	int late = 0, elsewhere = 0, copied = 0;

#pragma omp parallel
	for (int i = 0; i < 50; i++) {
		int done = 0, value = i;
		const int me = omp_get_thread_num();
#pragma omp task shared(done, elsewhere) firstprivate(value) if (0)
		{
			value++;
			done = 1;
			if (omp_get_thread_num() != me)
				bump(&elsewhere);
		}
		if (!done)
			bump(&late);
		if (value != i)
			bump(&copied);
	}
	is_int(late, 0, "task if(0): has run when the construct ends");
	is_int(elsewhere, 0, "task if(0): runs on the thread that met it");
	is_int(copied, 0, "task if(0): firstprivate is a copy all the same");
}

static void if_false_children(void)
{
	int ran = 0, wrong = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp task if (0)
		{
			for (int i = 0; i < 100; i++) {
#pragma omp task
				bump(&ran);
			}
			if (omp_in_final())
				bump(&wrong);
#pragma omp taskwait
			if (now(&ran) != 100)
				bump(&wrong);
		}
	}
	is_int(wrong, 0, "task if(0): its children are ordinary tasks for which it can wait");
	is_int(ran, 100, "task if(0): its children run once");
}

/* One in another, each of which does before and after the inner one what only it may see: its lock, its control
 * variables, its children.  The innermost makes the first children that outlive their parent. */
static void nest(int depth, int *ran, int *wrong)
{
	int own = 0;
	omp_nest_lock_t lock;

	omp_init_nest_lock(&lock);
	omp_set_nest_lock(&lock);
	if (depth % 3 == 0)
		omp_set_num_threads(depth + 2);
	const int threads = omp_get_max_threads();
	if (depth > 0) {
#pragma omp task if (0) shared(lock) firstprivate(depth, ran, wrong)
		{
			if (omp_test_nest_lock(&lock))
				bump(wrong);
			nest(depth - 1, ran, wrong);
		}
	}
	if (omp_get_max_threads() != threads)
		bump(wrong);
	for (int i = 0; i < 10; i++) {
#pragma omp task firstprivate(ran)
		bump(ran);
	}
	if (depth % 2) {
		for (int i = 0; i < 10; i++) {
#pragma omp task shared(own)
			bump(&own);
		}
#pragma omp taskwait
		if (now(&own) != 10)
			bump(wrong);
	}
	if (omp_test_nest_lock(&lock) != 2)
		bump(wrong);
	omp_unset_nest_lock(&lock);
	omp_unset_nest_lock(&lock);
	omp_destroy_nest_lock(&lock);
}

static void if_false_nested(void)
{
	enum { DEPTH = 12 };
	int ran = 0, wrong = 0, threads = omp_get_max_threads();

#pragma omp parallel
	{
#pragma omp taskgroup
#pragma omp task if (0)
		nest(DEPTH, &ran, &wrong);
		bump(&ran);
	}
	is_int(wrong, 0, "task if(0): one in another keeps its lock, its control variables and its children");
	is_int(ran % (1 + 10 * (DEPTH + 1)), 0, "task if(0): children that outlive them run once");
	is_int(omp_get_max_threads(), threads, "task if(0): control variables set inside are not seen outside");
}

static void if_evaluated(void)
{
	int late = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 100; i++) {
		int done = 0;
#pragma omp task if (task: i % 2) shared(done)
		put(&done, 1);
		if (i % 2 == 0 && !now(&done))
			late++;
#pragma omp taskwait
	}
	is_int(late, 0, "task if(task: expression): undeferred whenever it is false");
}

static void final_true(void)
{
	int not_final = 0, late = 0, elsewhere = 0, leaves = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 50; i++) {
#pragma omp task final(i >= 0)
		{
			const int me = omp_get_thread_num();
			int below = 0;
			if (!omp_in_final())
				bump(&not_final);
#pragma omp task shared(below)
			{
				if (!omp_in_final())
					bump(&not_final);
				if (omp_get_thread_num() != me)
					bump(&elsewhere);
#pragma omp task shared(below)
				{
					if (!omp_in_final())
						bump(&not_final);
					below = 1;
					bump(&leaves);
				}
				if (!below)
					bump(&late);
				below = 2;
			}
			if (below != 2)
				bump(&late);
		}
	}
	is_int(not_final, 0, "task final(1): omp_in_final in it and in all below it");
	is_int(late, 0, "task final(1): its descendants are undeferred");
	is_int(elsewhere, 0, "task final(1): its descendants run on its thread");
	is_int(leaves, 50, "task final(1): its descendants run once");
}

static void final_false(void)
{
	int in_final = omp_in_final(), ran = 0;

#pragma omp parallel
	{
		if (omp_in_final())
			bump(&in_final);
#pragma omp single
		for (int i = 0; i < 50; i++) {
#pragma omp task final(i < 0)
			{
				if (omp_in_final())
					bump(&in_final);
#pragma omp task
				{
					if (omp_in_final())
						bump(&in_final);
					bump(&ran);
				}
			}
		}
	}
	is_int(in_final, 0, "task final(0): omp_in_final is false, as it is outside of tasks");
	is_int(ran, 50, "task final(0): its children run once");
}

static void final_ends_with_its_task(void)
{
	int wrong = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 20; i++) {
#pragma omp task if (0) final(1)
		wrong += !omp_in_final();
		wrong += omp_in_final();
	}
	is_int(wrong, 0, "omp_in_final: false again after an undeferred final task");
}

static void mergeable(void)
{
	int sum = 0;

#pragma omp parallel
#pragma omp single
	{
		for (int i = 1; i <= 100; i++) {
#pragma omp task mergeable if (i % 3)
			__atomic_fetch_add(&sum, i, __ATOMIC_RELAXED);
		}
#pragma omp task mergeable final(1)
		{
#pragma omp task mergeable
			__atomic_fetch_add(&sum, 1000, __ATOMIC_RELAXED);
		}
	}
	is_int(sum, 6050, "task mergeable: with if and final, each runs once");
}

static void untied(void)
{
	int sum = 0, out_of_range = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 100; i++) {
#pragma omp task untied
		{
			int child = 0;
#pragma omp task untied shared(child)
			put(&child, 1);
#pragma omp taskyield
#pragma omp taskwait
			__atomic_fetch_add(&sum, now(&child), __ATOMIC_RELAXED);
			if (omp_get_thread_num() < 0 || omp_get_thread_num() >= omp_get_num_threads())
				bump(&out_of_range);
		}
	}
	is_int(sum, 100, "task untied: goes on behind taskyield and taskwait");
	is_int(out_of_range, 0, "task untied: omp_get_thread_num is a number of the team");
}

static void priority(void)
{
	clear_runs();
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < MANY; i++) {
#pragma omp task priority(i % 7) firstprivate(i)
		bump(&runs[i]);
	}
	ok(every_is(runs, MANY, 1), "task priority(n): each runs once");

	clear_runs();
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < SOME; i++) {
#pragma omp task priority(1000000 * (i % 2)) final(i % 5 == 0) if (i % 3) untied mergeable
		bump(&runs[i]);
	}
	ok(every_is(runs, SOME, 1), "task priority(n): above the highest, with if, final, untied, mergeable");
}

static void affinity_and_allocate(void)
{
	int sum = 0, value = 7;

#pragma omp parallel
#pragma omp single
	{
#pragma omp task affinity(sum) firstprivate(value) allocate(omp_default_mem_alloc: value) shared(sum)
		sum = value;
	}
	is_int(sum, 7, "task affinity, allocate: the task sees its value");
}

/* --- the team seen from a task -------------------------------------------------------------------------- */

static void region_of_a_task(void)
{
	int wrong = 0, members = 0;

#pragma omp parallel
	{
#pragma omp single
		members = omp_get_num_threads();
		for (int i = 0; i < 20; i++) {
#pragma omp task
			if (omp_get_num_threads() != members || omp_get_level() != 1 ||
				omp_get_thread_num() >= members ||
				omp_get_ancestor_thread_num(1) != omp_get_thread_num() ||
				omp_get_team_size(1) != members || omp_in_parallel() != (members > 1) ||
				omp_get_active_level() != (members > 1))
				bump(&wrong);
		}
	}
	is_int(wrong, 0, "task: level, team size and numbers are those of the region");
}

static void region_in_a_task(void)
{
	int ran = 0, want = 0, wrong = 0;

	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 6; i++) {
#pragma omp task
		{
			const int me = omp_get_thread_num();
			int inner = 0, size = 0;
#pragma omp parallel num_threads(2) shared(inner, size)
			{
#pragma omp single
				size = omp_get_num_threads();
				if (omp_get_level() != 2 || omp_get_ancestor_thread_num(1) != me)
					bump(&wrong);
#pragma omp task
				bump(&inner);
			}
			__atomic_fetch_add(&ran, inner, __ATOMIC_RELAXED);
			__atomic_fetch_add(&want, size, __ATOMIC_RELAXED);
			if (omp_get_thread_num() != me || omp_get_level() != 1)
				bump(&wrong);
		}
	}
	omp_set_max_active_levels(1);
	ok(ran == want && ran >= 6, "parallel in a task: its tasks are done at its end");
	is_int(wrong, 0, "parallel in a task: levels and numbers, inside and after");
}

int main(void)
{
	plan(25);
	if_false();
	if_false_children();
	if_false_nested();
	if_evaluated();
	final_true();
	final_false();
	final_ends_with_its_task();
	mergeable();
	untied();
	priority();
	affinity_and_allocate();
	region_of_a_task();
	region_in_a_task();
	return done();
}
