/* test/omp/outside.c -- constructs outside of any region, which a team of one does, and in functions called from both.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/every.h"

#include <pthread.h>

#define OMP(...) _Pragma(#__VA_ARGS__)

enum { N = 50 };

static volatile int v_n = N;

/* Everything a function can do without knowing its team; each place is to be hit by one member. */
static void work(int *loops, int *parts, int *chosen, int *all)
{
#define LOOP(...)                                                                                                      \
	OMP(omp for __VA_ARGS__)                                                                                       \
	for (int i = 0; i < v_n; i++) {                                                                                \
		OMP(omp atomic)                                                                                        \
		loops[i]++;                                                                                            \
	}
	LOOP()
	LOOP(schedule(static, 3))
	LOOP(schedule(dynamic))
	LOOP(schedule(dynamic, 7) nowait)
	LOOP(schedule(monotonic : dynamic))
	LOOP(schedule(guided) nowait)
	LOOP(schedule(runtime))
#pragma omp for schedule(dynamic)
	for (unsigned long long i = 0; i < (unsigned long long)v_n; i++) {
#pragma omp atomic
		loops[i]++;
	}
#pragma omp for ordered schedule(dynamic, 2)
	for (int i = 0; i < v_n; i++) {
#pragma omp ordered
		loops[i]++;
	}
#pragma omp sections
	{
		parts[0]++;
#pragma omp section
		parts[1]++;
	}
#pragma omp single
	(*chosen)++;
#pragma omp single nowait
	{
#pragma omp atomic
		(*chosen)++;
	}
	int told = 0;
#pragma omp single copyprivate(told)
	told = 6;
#pragma omp master
	{
#pragma omp atomic
		(*chosen)++;
	}
#pragma omp barrier
#pragma omp critical
	(*all) += told;
#pragma omp flush
#pragma omp barrier
}

static void twice(const char *where, bool in_region)
{
	int loops[N] = {0}, parts[2] = {0}, chosen = 0, all = 0;
	const int members = in_region ? omp_get_max_threads() : 1;

	if (in_region) {
#pragma omp parallel
		work(loops, parts, &chosen, &all);
	} else {
		work(loops, parts, &chosen, &all);
	}
	ok(every_is(loops, N, 9), "for, %s: each iteration once", where);
	ok(every_is(parts, 2, 1), "sections, %s: each once", where);
	is_int(chosen, 3, "single, master, %s: once", where);
	is_int(all, 6 * members, "barrier, critical, copyprivate, %s: all members", where);
}

static void numbers(void)
{
	ok(omp_get_num_threads() == 1 && omp_get_thread_num() == 0, "outside: thread 0 of 1");
	ok(omp_get_level() == 0 && omp_get_active_level() == 0 && !omp_in_parallel() && !omp_in_final(),
		"outside: level 0");
}

static void values(void)
{
	static int last, sum = 1, scoped = 2;

#pragma omp for lastprivate(last) reduction(+ : sum) schedule(dynamic)
	for (int i = 0; i < v_n; i++) {
		last = i;
		sum += i;
	}
#pragma omp scope reduction(+ : scoped)
	scoped += 3;
	ok(last == N - 1 && sum == 1 + N * (N - 1) / 2 && scoped == 5, "for lastprivate reduction, scope, outside");
}

static void doacross(void)
{
	int value[N] = {0};

#pragma omp for ordered(1) schedule(dynamic)
	for (int i = 0; i < v_n; i++) {
#pragma omp ordered depend(sink : i - 1)
		value[i] = i ? value[i - 1] + 1 : 1;
#pragma omp ordered depend(source)
	}
	is_int(value[N - 1], N, "for ordered(1), outside");
}

/* In a thread that is the program's and has met no region. */
static void *elsewhere(void *arg)
{
	int loops[N] = {0}, parts[2] = {0}, chosen = 0, all = 0;

	work(loops, parts, &chosen, &all);
	*(bool *)arg = every_is(loops, N, 9) && every_is(parts, 2, 1) && chosen == 3 && all == 6;
	return NULL;
}

static void in_a_pthread(void)
{
	pthread_t thread;
	bool good = false;

	if (pthread_create(&thread, NULL, elsewhere, &good) != 0)
		bail_out("pthread_create failed");
	pthread_join(thread, NULL);
	ok(good, "outside: in another pthread");
}

/* Before main(), when the settings are those of the environment already. */
static int early_members, early_most;

__attribute__((constructor)) static void early(void)
{
	early_most = omp_get_max_threads();
#pragma omp parallel reduction(+ : early_members)
	early_members++;
}

/* Each member of the inner teams of one has the whole work to itself. */
static void in_serial_regions(void)
{
	static int loops[8][N], parts[8][2];
	int chosen = 0, all = 0, members = 0;
	bool good = true;

#pragma omp parallel num_threads(3) reduction(+ : chosen, all, members)
	{
		const int me = omp_get_thread_num();

		members++;
#pragma omp parallel if (0)
		work(loops[me], parts[me], &chosen, &all);
	}
	for (int i = 0; i < 3; i++)
		good = every_is(loops[i], N, 9) && every_is(parts[i], 2, 1) && good;
	ok(good && chosen == 3 * members && all == 6 * members, "in regions of one: all of it for each");
}

int main(void)
{
	plan(2 + 1 + 4 * 4 + 1 + 1 + 1 + 1);
	omp_set_dynamic(0);
	numbers();
	ok(early_members == atoi(getenv("OMP_NUM_THREADS")) && early_members == early_most,
		"parallel: in a constructor, before main()");
	twice("outside after a region", false);
	twice("in a region", true);
	twice("outside between regions", false);
	twice("in a region again", true);
	values();
	doacross();
	in_a_pthread();
	in_serial_regions();
	return done();
}
