/* test/omp/task.c -- explicit tasks: each runs once, when it may and has to, wherever it was made.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/fib.h"
#include "omp/tasking.h"

#include <string.h>
#include <sys/resource.h>

enum { FLAT = 1000, MANY = 100000, LISTED = 200 };

static int runs[FLAT];

static void clear_runs(void)
{
	memset(runs, 0, sizeof(runs));
}

/* --- who makes them ------------------------------------------------------------------------------------- */

static void made_by_one(void)
{
	clear_runs();
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < FLAT; i++) {
#pragma omp task firstprivate(i)
		bump(&runs[i]);
	}
	ok(every_is(runs, FLAT, 1), "task: each of %d made by one thread runs once", FLAT);
}

static void made_by_all(void)
{
	int made = 0, ran = 0;

#pragma omp parallel
	for (int i = 0; i < 300; i++) {
		bump(&made);
#pragma omp task
		bump(&ran);
	}
	ok(made >= 300 && ran == made, "task: each of those that all threads make runs once");
}

static void a_hundred_thousand(void)
{
	const int n = every_scaled(MANY);
	int ran = 0;
	long sum = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < n; i++) {
#pragma omp task
		{
			bump(&ran);
			__atomic_fetch_add(&sum, i, __ATOMIC_RELAXED);
		}
	}
	ok(ran == n && sum == (long)n * (n - 1) / 2, "task: 100000 from one thread, without a wait in between");
}

static void made_outside_of_regions(void)
{
	int ran = 0;

#pragma omp task shared(ran)
	bump(&ran);
#pragma omp taskwait
	is_int(ran, 1, "task: one made outside of any region has run after taskwait");
}

static void made_in_a_region_of_one(void)
{
	int before = 0, child = 0, after = 0;

#pragma omp parallel num_threads(1)
	{
#pragma omp task
		before = 1;
#pragma omp taskwait
#pragma omp task
		child = before + 1;
	}
	after = child + 1;
	is_int(after, 3, "task: in a region of one thread");
}

static void made_in_nested_regions(void)
{
	int ran = 0, made = 0, early = 0;

	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	{
		int mine = 0;
#pragma omp parallel num_threads(2) shared(mine)
		for (int i = 0; i < 10; i++) {
			bump(&made);
#pragma omp task
			{
				bump(&ran);
				bump(&mine);
			}
		}
		if (mine != 20 && mine != 10)
			bump(&early);
	}
	omp_set_max_active_levels(1);
	ok(made == ran && made >= 20, "task: those of nested regions run once");
	is_int(early, 0, "task: the end of a nested region has waited for its tasks");
}

static void made_in_a_serialized_region(void)
{
	int missing = 0;

#pragma omp parallel
	{
		int ran = 0;
#pragma omp parallel if (0) shared(ran)
		for (int i = 0; i < 20; i++) {
#pragma omp task
			bump(&ran);
		}
		if (now(&ran) != 20)
			bump(&missing);
	}
	is_int(missing, 0, "task: the end of a serialized inner region has waited for its tasks");
}

/* --- where they are made -------------------------------------------------------------------------------- */

static void made_in_loops(void)
{
	clear_runs();
#pragma omp parallel
#pragma omp for schedule(dynamic, 3)
	for (int i = 0; i < FLAT; i++) {
#pragma omp task firstprivate(i)
		bump(&runs[i]);
	}
	ok(every_is(runs, FLAT, 1), "task: one in each iteration of a dynamic loop");

	clear_runs();
#pragma omp parallel for schedule(static, 1)
	for (int i = 0; i < LISTED; i++) {
#pragma omp task
		bump(&runs[i]);
#pragma omp taskwait
		bump(&runs[i]);
	}
	ok(every_is(runs, LISTED, 2), "task: one and a taskwait in each iteration of a static loop");

	clear_runs();
#pragma omp parallel for ordered schedule(dynamic)
	for (int i = 0; i < LISTED; i++) {
#pragma omp ordered
		{
#pragma omp task
			bump(&runs[i]);
		}
	}
	ok(every_is(runs, LISTED, 1), "task: one in the ordered region of each iteration");
}

static void made_in_sections(void)
{
	int ran = 0, in_time = 0;

#pragma omp parallel
	{
#pragma omp sections
		{
#pragma omp section
			for (int i = 0; i < 10; i++) {
#pragma omp task
				bump(&ran);
			}
#pragma omp section
			{
#pragma omp task
				bump(&ran);
			}
#pragma omp section
			{
#pragma omp task
				bump(&ran);
#pragma omp taskwait
			}
		}
		if (now(&ran) == 12)
			bump(&in_time);
#pragma omp barrier
#pragma omp single
		in_time -= omp_get_num_threads();
	}
	is_int(ran, 12, "task: those made in sections run once");
	is_int(in_time, 0, "task: the end of sections has waited for them");
}

static void made_in_master_and_masked(void)
{
	int ran = 0;

#pragma omp parallel
	{
#pragma omp master
		for (int i = 0; i < 10; i++) {
#pragma omp task
			bump(&ran);
		}
#pragma omp masked filter(omp_get_num_threads() - 1)
		for (int i = 0; i < 10; i++) {
#pragma omp task
			bump(&ran);
		}
	}
	is_int(ran, 20, "task: those made in master and masked regions run once");
}

struct node {
	struct node *next;
	int value;
};

static void made_while_walking_a_list(void)
{
	static struct node nodes[LISTED];
	int bad = 0;

	for (int i = 0; i < LISTED; i++)
		nodes[i] = (struct node){ i + 1 < LISTED ? &nodes[i + 1] : NULL, i };
#pragma omp parallel
#pragma omp single nowait
	for (struct node *p = nodes; p; p = p->next) {
#pragma omp task untied
		p->value = -p->value - 1;
	}
	for (int i = 0; i < LISTED; i++)
		bad += nodes[i].value != -i - 1;
	is_int(bad, 0, "task: one for each node of a list, from single nowait");
}

/* --- families ------------------------------------------------------------------------------------------- */

static void fibonacci(void)
{
	const bool slow = every_scaled(10) < 10;
	int got = 0;

#pragma omp parallel
#pragma omp single
	got = fib(slow ? 9 : 17);
	is_int(got, slow ? 34 : 1597, "task: fib, every call a task");
}

/* A subtree of 2n/3 and one of n/3: n leaves however uneven the depth. */
static void uneven(int n, int *leaves)
{
	if (n < 2) {
		__atomic_fetch_add(leaves, n, __ATOMIC_RELAXED);
		return;
	}
#pragma omp task
	uneven(n * 2 / 3, leaves);
#pragma omp task
	uneven(n - n * 2 / 3, leaves);
}

static void uneven_tree(void)
{
	const int n = every_scaled(5000);
	int leaves = 0;

#pragma omp parallel
#pragma omp single
	uneven(n, &leaves);
	is_int(leaves, n, "task: a tree of uneven depth whose parents do not wait");
}

static int linear(int depth)
{
	int below = 0;

	if (depth == 0)
		return 0;
#pragma omp task shared(below)
	below = linear(depth - 1);
#pragma omp taskwait
	return below + 1;
}

static void deep(void)
{
	int got = 0;

#pragma omp parallel
#pragma omp single
	got = linear(1000);
	is_int(got, 1000, "task: 1000 tasks each of which waits for its child");
}

static int undeferred_linear(int depth)
{
	int below = 0;

	if (depth == 0)
		return 0;
#pragma omp task shared(below) if (0)
	below = undeferred_linear(depth - 1);
	return below + 1;
}

/* Each one is a call within the one before, which takes stack in any runtime: 1 KiB is plenty for one. */
static void deep_undeferred(void)
{
	struct rlimit stack;
	int got = 0, depth = 2000;

	if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur / 2048 < (rlim_t)depth)
		depth = (int)(stack.rlim_cur / 2048);
#pragma omp parallel
#pragma omp single
	got = undeferred_linear(depth);
	is_int(got, depth, "task if(0): many inside of one another");
}

static void orphans(int depth, int *ran)
{
	bump(ran);
	if (depth > 0)
		for (int i = 0; i < 3; i++) {
#pragma omp task
			orphans(depth - 1, ran);
		}
}

static void parents_end_first(void)
{
	int ran = 0;

#pragma omp parallel
	{
#pragma omp single nowait
		{
#pragma omp task
			orphans(6, &ran);
		}
	}
	is_int(ran, 1093, "task: children outlive their parents, and the region waits for them");
}

int main(void)
{
	plan(20);
	made_by_one();
	made_by_all();
	a_hundred_thousand();
	made_outside_of_regions();
	made_in_a_region_of_one();
	made_in_nested_regions();
	made_in_a_serialized_region();
	made_in_loops();
	made_in_sections();
	made_in_master_and_masked();
	made_while_walking_a_list();
	fibonacci();
	uneven_tree();
	deep();
	deep_undeferred();
	parents_end_first();
	return done();
}
