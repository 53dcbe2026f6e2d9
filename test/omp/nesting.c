/* test/omp/nesting.c -- regions within regions, and regions that several threads open at once.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/every.h"

#include <pthread.h>
#include <string.h>

static void one_level_by_default(void)
{
	int sizes = 0, levels = 0, active = 0, regions = 0, outer_in_parallel = 0;

	omp_set_max_active_levels(1);
#pragma omp parallel num_threads(3) reduction(+ : sizes, levels, active, regions, outer_in_parallel)
	{
		const int outer = omp_get_thread_num();

#pragma omp parallel num_threads(4) reduction(+ : sizes, levels, active, regions, outer_in_parallel)
		{
			regions++;
			sizes += omp_get_num_threads();
			levels += omp_get_level();
			active += omp_get_active_level();
			outer_in_parallel += omp_in_parallel() && omp_get_ancestor_thread_num(1) == outer;
		}
	}
	is_int(regions, 3, "nested: with max_active_levels 1 an inner region is its caller's alone");
	is_int(sizes, 3, "nested: its team is of one");
	ok(levels == 6 && active == 3, "nested: at level 2, active level 1");
	is_int(outer_in_parallel, 3, "nested: within the outer region, whose thread numbers are told");
}

/* Members of members: every pair of numbers once. */
static void products(int outer, int inner)
{
	int seen[16] = {0}, wrong = 0;

	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(outer)
	{
		const int o = omp_get_thread_num();

#pragma omp parallel num_threads(inner)
		{
			const int i = omp_get_thread_num();

#pragma omp atomic
			seen[o * inner + i]++;
			if (omp_get_level() != 2 || omp_get_active_level() != (outer > 1) + (inner > 1) ||
				omp_get_ancestor_thread_num(1) != o || omp_get_ancestor_thread_num(2) != i ||
				omp_get_team_size(1) != outer || omp_get_team_size(2) != inner ||
				omp_get_num_threads() != inner) {
#pragma omp atomic
				wrong++;
			}
		}
		if (omp_get_thread_num() != o || omp_get_num_threads() != outer || omp_get_level() != 1) {
#pragma omp atomic
			wrong++;
		}
	}
	ok(every_is(seen, outer * inner, 1), "nested %d x %d: each pair of numbers once", outer, inner);
	is_int(wrong, 0, "nested %d x %d: levels, sizes, ancestors", outer, inner);
	omp_set_max_active_levels(1);
}

static void ancestors(void)
{
	ok(omp_get_ancestor_thread_num(0) == 0 && omp_get_team_size(0) == 1, "ancestors: level 0 is a team of one");
	ok(omp_get_ancestor_thread_num(1) == -1 && omp_get_team_size(1) == -1 &&
			omp_get_ancestor_thread_num(-1) == -1 && omp_get_team_size(-1) == -1,
		"ancestors: -1 for levels that are not there");
}

/* Four levels of two, each with loops, barriers and reductions of its own. */
static int depth_first(int level)
{
	int leaves = 0;

	if (level == 0)
		return 1;
#pragma omp parallel num_threads(2) reduction(+ : leaves)
	{
		leaves += depth_first(level - 1);
#pragma omp barrier
		int trips = 0;
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 10; i++)
			trips++;
#pragma omp atomic
		leaves += 0 * trips;
	}
	return leaves;
}

static void deep(void)
{
	omp_set_max_active_levels(4);
	is_int(depth_first(4), 16, "nested: four levels of two are sixteen");
	omp_set_max_active_levels(2);
	is_int(depth_first(4), 4, "nested: of which max_active_levels 2 leaves four");
	omp_set_max_active_levels(0);
	is_int(depth_first(3), 1, "nested: and 0 one");
	omp_set_max_active_levels(1);
}

static void levels(void)
{
	omp_set_max_active_levels(3);
	is_int(omp_get_max_active_levels(), 3, "max_active_levels: what was set is told");
	omp_set_max_active_levels(-4);
	is_int(omp_get_max_active_levels(), 3, "max_active_levels: negative numbers are ignored");
	omp_set_max_active_levels(1);

	int level = 0, active = 0;
#pragma omp parallel num_threads(1)
#pragma omp parallel if (0)
#pragma omp parallel num_threads(2)
#pragma omp master
	{
		level = omp_get_level();
		active = omp_get_active_level();
	}
	ok(level == 3 && active == 1, "nested: teams of one are levels, but not active ones");
}

static void numbers_of_threads_to_come(void)
{
	const int was = omp_get_max_threads();
	int members = 0, inner = 0, kept = 0, others = 0;

	omp_set_num_threads(5);
	is_int(omp_get_max_threads(), 5, "set_num_threads: what was set is told");
#pragma omp parallel reduction(+ : members)
	members++;
	is_int(members, 5, "set_num_threads: the next region has that many");

	omp_set_max_active_levels(2);
	omp_set_num_threads(3);
#pragma omp parallel reduction(+ : inner, kept, others)
	{
		/* Each implicit task has its own. */
		omp_set_num_threads(omp_get_thread_num() + 1);
#pragma omp barrier
		kept += omp_get_max_threads() == omp_get_thread_num() + 1;
#pragma omp parallel reduction(+ : inner, others)
		{
			inner++;
			others += omp_get_max_threads() == omp_get_ancestor_thread_num(1) + 1;
		}
	}
	is_int(kept, 3, "set_num_threads: in a region, for the task that calls it");
	ok(inner == 1 + 2 + 3 && others == inner, "set_num_threads: whose inner regions inherit it");
	is_int(omp_get_max_threads(), 3, "set_num_threads: but not the region's caller");
	omp_set_max_active_levels(1);
	omp_set_num_threads(was);
}

static void dynamic(void)
{
	int members = 0, told = 0;

	omp_set_dynamic(1);
	ok(omp_get_dynamic(), "set_dynamic: what was set is told");
#pragma omp parallel num_threads(4) reduction(+ : members) reduction(max : told)
	{
		members++;
		told = omp_get_num_threads();
	}
	ok(members >= 1 && members <= 4 && members == told, "set_dynamic: a team may be smaller, never larger");
	omp_set_dynamic(0);
	ok(!omp_get_dynamic(), "set_dynamic: and what was taken back too");
}

/* Work sharing of an inner team while the outer team shares other work. */
static void sharing_on_two_levels(void)
{
	int outer_trips[20] = {0}, inner_trips[20 * 30] = {0}, singles = 0;

	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3)
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < 20; i++) {
#pragma omp atomic
			outer_trips[i]++;
#pragma omp parallel num_threads(2)
			{
#pragma omp for schedule(dynamic) nowait
				for (int j = 0; j < 30; j++) {
#pragma omp atomic
					inner_trips[i * 30 + j]++;
				}
#pragma omp single
				{
#pragma omp atomic
					singles++;
				}
			}
		}
	}
	ok(every_is(outer_trips, 20, 1) && every_is(inner_trips, 600, 1), "nested for: each iteration of both once");
	is_int(singles, 20, "nested single: once in each inner region");
	omp_set_max_active_levels(1);
}

struct client {
	pthread_t thread;
	int number;
	int wrong;
};

/* What an OS thread of the program does with OpenMP while others do the same. */
static void *client_run(void *arg)
{
	struct client *c = arg;
	const int rounds = every_scaled(40);

	c->wrong += omp_in_parallel() || omp_get_level() != 0 || omp_get_thread_num() != 0;
	for (int r = 0; r < rounds; r++) {
		int seen[5] = {0}, trips[50] = {0}, chosen = 0;

#pragma omp parallel num_threads(1 + (r + c->number) % 5)
		{
#pragma omp atomic
			seen[omp_get_thread_num()]++;
#pragma omp for schedule(dynamic, 3)
			for (int i = 0; i < 50; i++) {
#pragma omp atomic
				trips[i]++;
			}
#pragma omp single
			chosen++;
		}
		c->wrong += !every_is(seen, 1 + (r + c->number) % 5, 1) || !every_is(trips, 50, 1) || chosen != 1;
	}
	return NULL;
}

static void *client_once(void *arg)
{
	struct client *c = arg;
	int in = 0;

#pragma omp parallel num_threads(1 + c->number % 4) reduction(+ : in)
	in++;
	c->wrong = in != 1 + c->number % 4;
	return NULL;
}

static void several_callers(void)
{
	struct client clients[4];
	int wrong = 0;

	memset(clients, 0, sizeof(clients));
	for (int i = 0; i < 4; i++) {
		clients[i].number = i;
		if (pthread_create(&clients[i].thread, NULL, client_run, &clients[i]) != 0)
			bail_out("pthread_create failed");
	}
	for (int i = 0; i < 4; i++) {
		pthread_join(clients[i].thread, NULL);
		wrong += clients[i].wrong;
	}
	is_int(wrong, 0, "four pthreads at once: each has regions of its own");

	struct client again = {.number = 1};
	client_run(&again);
	is_int(again.wrong, 0, "four pthreads at once: and the main thread after them");
}

static void callers_come_and_go(void)
{
	const int rounds = every_scaled(100);
	int wrong = 0;

	for (int i = 0; i < rounds; i++) {
		struct client c = {.number = i};

		if (pthread_create(&c.thread, NULL, client_once, &c) != 0)
			bail_out("pthread_create failed");
		pthread_join(c.thread, NULL);
		wrong += c.wrong;
	}
	is_int(wrong, 0, "%d pthreads in a row: each has its region", rounds);
}

static void *critical_adds(void *arg)
{
	long *total = arg;

#pragma omp parallel num_threads(3)
	for (int i = 0; i < 100; i++) {
#pragma omp critical(across)
		(*total)++;
	}
	return NULL;
}

static void critical_across_callers(void)
{
	pthread_t threads[3];
	long total = 0;

	for (int i = 0; i < 3; i++)
		if (pthread_create(&threads[i], NULL, critical_adds, &total) != 0)
			bail_out("pthread_create failed");
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	is_int(total, 900, "critical: excludes the regions of other pthreads too");
}

static void crowds(void)
{
	const int most = every_scaled(64) < 16 ? 16 : 64;
	int seen[64] = {0}, after[64] = {0}, wrong = 0;

#pragma omp parallel num_threads(most) reduction(+ : wrong)
	{
		const int me = omp_get_thread_num();

		seen[me]++;
#pragma omp barrier
		wrong += seen[(me + 1) % most] != 1;
#pragma omp barrier
		after[me] = seen[(me + most - 1) % most];
	}
	ok(every_is(seen, most, 1) && every_is(after, most, 1) && wrong == 0,
		"parallel: many more threads than CPUs, with barriers");

	int in = 0;
	for (int i = 0; i < 20; i++) {
#pragma omp parallel num_threads(16) reduction(+ : in)
		in++;
	}
	is_int(in, 320, "parallel: again and again");
}

int main(void)
{
	plan(40);
	omp_set_dynamic(0);
	one_level_by_default();
	products(2, 2);
	products(4, 4);
	products(2, 8);
	products(8, 2);
	products(1, 3);
	products(3, 1);
	ancestors();
	deep();
	levels();
	numbers_of_threads_to_come();
	dynamic();
	sharing_on_two_levels();
	several_callers();
	callers_come_and_go();
	critical_across_callers();
	crowds();
	return done();
}
