/* test/xomp/pragma/regions.c -- regions; see test/xomp/constructs.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "xomp/constructs.h"

int region_global;

int region_default(int *visits)
{
	int size = 0;
#pragma omp parallel shared(size, visits)
	{
		visits[omp_get_thread_num()]++;
#pragma omp master
		size = omp_get_num_threads();
	}
	return size;
}

int region_if(int condition, int *visits)
{
	int size = 0;
#pragma omp parallel if (condition)
	{
		visits[omp_get_thread_num()]++;
#pragma omp master
		size = omp_get_num_threads();
	}
	return size;
}

int region_threads(int threads, int *visits)
{
	int size = 0;
#pragma omp parallel num_threads(threads)
	{
		visits[omp_get_thread_num()]++;
#pragma omp master
		size = omp_get_num_threads();
	}
	return size;
}

int region_if_threads(int condition, int threads, int *visits)
{
	int size = 0;
#pragma omp parallel if (condition) num_threads(threads)
	{
		visits[omp_get_thread_num()]++;
#pragma omp master
		size = omp_get_num_threads();
	}
	return size;
}

void region_nothing(void)
{
#pragma omp parallel
	{
#pragma omp atomic
		region_global++;
	}
}

int region_data(int threads, int f, int *out)
{
	int p = -1;
#pragma omp parallel num_threads(threads) private(p) firstprivate(f) shared(out)
	{
		p = omp_get_thread_num() * 10;
		f = f * 100 + p;
		out[omp_get_thread_num()] = f + 1;
	}
	return f * 10 + p;
}

void region_reduction(int threads, long *sum, long *product, int *top)
{
	long s = *sum, x = *product;
	int m = *top;
#pragma omp parallel num_threads(threads) reduction(+ : s) reduction(* : x) reduction(max : m)
	{
		s += omp_get_thread_num() + 1;
		x *= 2;
		if (m < omp_get_thread_num())
			m = omp_get_thread_num();
	}
	*sum = s;
	*product = x;
	*top = m;
}

int region_nested(int outer, int inner, int *numbers)
{
	int ran = 0;
#pragma omp parallel num_threads(outer) shared(ran, numbers)
	{
#pragma omp parallel num_threads(inner) shared(ran, numbers)
		{
#pragma omp critical
			{
				ran++;
				numbers[omp_get_thread_num()]++;
			}
		}
	}
	return ran;
}
