/* test/xomp/mixed.c -- a program that two have translated: ROSE some of its constructs, the compiler the others.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "libxomp.h"

#include "tap.h"

#include <omp.h>

enum { ROUNDS = 100, N = 30 };

static void in_region(unsigned threads, void (*func)(void *), void *data)
{
	XOMP_parallel_start(func, data, 1, threads, "mixed.c", 1);
	XOMP_parallel_end("mixed.c", 2);
}

/* --- teams ----------------------------------------------------------------------------------------------- */

static void count_inner(void *data)
{
#pragma omp atomic
	*(int *)data += 1 + 100 * omp_get_level() + 10000 * omp_get_num_threads();
}

static void count_outer(void *data)
{
#pragma omp parallel num_threads(2)
	count_inner(data);
}

static void teams(void)
{
	int one = 0, other = 0;

	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3)
	in_region(2, count_inner, &one);
	in_region(3, count_outer, &other);
	ok(one == 6 * 20201, "a translated region within one of the compiler's");
	ok(other == 6 * 20201, "and the other way round");
}

/* --- work sharing ---------------------------------------------------------------------------------------- */

static void add(int *counter, int n)
{
#pragma omp atomic
	*counter += n;
}

static void translated_constructs(int *ran)
{
	long from, to;

	XOMP_loop_dynamic_init(0, N - 1, 1, 2);
	if (XOMP_loop_dynamic_start(0, N - 1, 1, 2, &from, &to)) {
		do {
			for (long i = from; i <= to; i++)
				add(&ran[0], 1);
		} while (XOMP_loop_dynamic_next(&from, &to));
	}
	XOMP_loop_end_nowait();
	if (XOMP_single())
		add(&ran[1], 1);
	for (int s = XOMP_sections_init_next(3); s >= 0; s = XOMP_sections_next())
		add(&ran[2], 1);
	XOMP_sections_end_nowait();
}

static void compiled_constructs(int *ran)
{
#pragma omp for schedule(dynamic, 3) nowait
	for (int i = 0; i < N; i++)
		add(&ran[3], 1);
#pragma omp sections nowait
	{
		add(&ran[4], 1);
#pragma omp section
		add(&ran[4], 1);
	}
#pragma omp single nowait
	add(&ran[5], 1);
#pragma omp for schedule(guided) nowait
	for (int i = 0; i < N; i++)
		add(&ran[3], 1);
}

static void constructs_in_turn(void *data)
{
	for (int r = 0; r < ROUNDS; r++) {
		translated_constructs(data);
		compiled_constructs(data);
	}
}

static bool all_ran(const int *ran)
{
	return ran[0] == ROUNDS * N && ran[1] == ROUNDS && ran[2] == 3 * ROUNDS && ran[3] == 2 * ROUNDS * N &&
	       ran[4] == 2 * ROUNDS && ran[5] == ROUNDS;
}

static void sharing(void)
{
	int one[6] = { 0 }, other[6] = { 0 };

	in_region(0, constructs_in_turn, one);
#pragma omp parallel
	constructs_in_turn(other);
	ok(all_ran(one), "loops, sections, singles of both in turn, without barriers, in a translated region");
	ok(all_ran(other), "and in one of the compiler's");
}

/* --- barriers, tasks, exclusion -------------------------------------------------------------------------- */

static void half_a_barrier(void *data)
{
	int *arrived = data, n = omp_get_num_threads();

	for (int r = 1; r <= ROUNDS; r++) {
		add(&arrived[0], 1);
		if (omp_get_thread_num() % 2) {
			XOMP_barrier();
		} else {
#pragma omp barrier
		}
		if (__atomic_load_n(&arrived[0], __ATOMIC_RELAXED) < r * n)
			add(&arrived[1], 1);
		XOMP_barrier();
	}
}

static void barriers(void)
{
	int arrived[2] = { 0 };

	in_region(0, half_a_barrier, arrived);
	ok(arrived[1] == 0, "threads meet at a barrier, by either call");
}

struct task_data {
	int *ended;
};

static void end_task(void *data)
{
	add(((struct task_data *)data)->ended, 1);
}

static void make_tasks(void *data)
{
	struct task_data mine = { data };
	int ended = 0, *counter = data;

	for (int i = 0; i < N; i++) {
		struct task_data own = { &ended };
		XOMP_task(end_task, &own, 0, sizeof(own), 4, 1, 0);
	}
#pragma omp taskwait
	if (ended == N)
		add(counter, 1);
#pragma omp task shared(ended)
	add(&ended, 1);
	XOMP_taskwait();
	if (ended == N + 1)
		add(counter, 1);
#pragma omp taskgroup
	XOMP_task(end_task, &mine, 0, sizeof(mine), 4, 1, 0);
#pragma omp task firstprivate(mine)
	XOMP_task(end_task, &mine, 0, sizeof(mine), 4, 1, 0);
	XOMP_barrier();
	if (__atomic_load_n(counter, __ATOMIC_RELAXED) < 4 * omp_get_num_threads())
		add(counter, -1000000);
}

static void tasks(void)
{
	int counter = 0;

	in_region(0, make_tasks, &counter);
	ok(counter == 4 * omp_get_max_threads(), "tasks of either, and who waits for them by either call");
}

static long double total;

static void add_half(void *unused)
{
	(void)unused;
	for (int r = 0; r < ROUNDS; r++) {
#pragma omp atomic
		total += 0.5L;
		XOMP_atomic_start();
		total += 0.5L;
		XOMP_atomic_end();
	}
}

static void exclusion(void)
{
	in_region(0, add_half, NULL);
	ok(total == (long double)ROUNDS * omp_get_max_threads(), "atomic updates of both exclude each other");
}

int main(int argc, char **argv)
{
	XOMP_init(argc, argv);
	plan(7);
	teams();
	sharing();
	barriers();
	tasks();
	exclusion();
	XOMP_terminate(0);
	return done();
}
