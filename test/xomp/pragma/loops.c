/* test/xomp/pragma/loops.c -- loops; see test/xomp/constructs.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "xomp/constructs.h"

#define OMP(...) _Pragma(#__VA_ARGS__)

/* Which way a loop goes has to be seen from its text. */
#define LOOP_BODY(...) \
	if (step > 0) { \
		OMP(omp for __VA_ARGS__) \
		for (int i = from; i < to; i += step) \
			__atomic_fetch_add(&count[i], 1, __ATOMIC_RELAXED); \
	} else { \
		OMP(omp for __VA_ARGS__) \
		for (int i = from; i > to; i += step) \
			__atomic_fetch_add(&count[i], 1, __ATOMIC_RELAXED); \
	}

void loop_default(int from, int to, int step, int *count)
{
#pragma omp parallel
	{
		LOOP_BODY()
	}
}

#define LOOP(name, clause) \
	void loop_##name(int from, int to, int step, int chunk, int *count) \
	{ \
		(void)chunk; \
		OMP(omp parallel) \
		{ \
			LOOP_BODY(clause) \
		} \
	}

LOOP(static, schedule(static, chunk))
LOOP(dynamic, schedule(dynamic, chunk))
LOOP(guided, schedule(guided, chunk))
LOOP(runtime, schedule(runtime))
LOOP(auto, schedule(auto))

void loop_static_threads(int n, int chunk, int *thread)
{
#pragma omp parallel
#pragma omp for schedule(static, chunk)
	for (int i = 0; i < n; i++)
		thread[i] = omp_get_thread_num();
}

void loop_runtime_threads(int n, int *thread)
{
#pragma omp parallel
#pragma omp for schedule(runtime)
	for (int i = 0; i < n; i++)
		thread[i] = omp_get_thread_num();
}

#define LAST(name, clause, begin, condition, change) \
	long loop_last_##name(int n, int *last) \
	{ \
		long sum = 0; \
		int l = *last, i; \
		OMP(omp parallel if (n > 2)) \
		{ \
			OMP(omp for reduction(+ : sum) lastprivate(l) clause) \
			for (i = begin; condition; change) { \
				sum += i; \
				l = 2 * i; \
			} \
		} \
		if (n > 0) \
			*last = l; \
		return sum; \
	}

LAST(default, , 0, i < n, i++)
LAST(static, schedule(static, 4), 0, i < n, i++)
LAST(dynamic, schedule(dynamic), 0, i < n, i++)
LAST(guided, schedule(guided, 3), 0, i < n, i++)
LAST(down, schedule(dynamic, 2), n - 1, i >= 0, i--)

long loop_first(int n, int f)
{
	long sum = 0;
#pragma omp parallel
#pragma omp for firstprivate(f) reduction(+ : sum)
	for (int i = 0; i < n; i++)
		sum += i + f;
	return sum;
}

void loop_down_and_up(int n, int *v)
{
	int i;
#pragma omp parallel num_threads(3)
	{
#pragma omp for schedule(guided, 2) nowait
		for (i = n - 1; i >= 0; i -= 3)
			v[i] += 100;
#pragma omp barrier
#pragma omp for schedule(dynamic)
		for (i = 0; i < n; i++)
			v[i] += 1;
	}
}

static void count(int *counter)
{
#pragma omp atomic
	(*counter)++;
}

void loop_ahead(int threads, int rounds, int n, int *ran)
{
#pragma omp parallel num_threads(threads)
	for (int r = 0; r < rounds; r++) {
#pragma omp for schedule(dynamic, 2) nowait
		for (int i = 0; i < n; i++)
			count(&ran[0]);
#pragma omp for schedule(guided) nowait
		for (int i = n; i > 0; i--)
			count(&ran[1]);
#pragma omp for schedule(static, 1) nowait
		for (int i = 0; i < n; i++)
			count(&ran[2]);
#pragma omp sections nowait
		{
#pragma omp section
			count(&ran[3]);
#pragma omp section
			count(&ran[3]);
		}
#pragma omp single nowait
		count(&ran[4]);
	}
}

long loop_collapsed(int n, int m)
{
	long sum = 0;
#pragma omp parallel
#pragma omp for collapse(2) reduction(+ : sum)
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			sum += i * 1000 + j;
	return sum;
}

void loop_orphan(int n, int *count)
{
#pragma omp for schedule(dynamic, 3)
	for (int i = 0; i < n; i++)
		count[i]++;
}

void loop_orphan_in_region(int n, int *count)
{
#pragma omp parallel
	loop_orphan(n, count);
}
