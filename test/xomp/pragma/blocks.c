/* test/xomp/pragma/blocks.c -- sections, single, master, exclusion, barriers; see test/xomp/constructs.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "xomp/constructs.h"

int sections_last(int *ran)
{
	int x = -1;
#pragma omp parallel
#pragma omp sections lastprivate(x)
	{
#pragma omp section
		{
			x = 10;
			ran[0]++;
		}
#pragma omp section
		{
			x = 20;
			ran[1]++;
		}
#pragma omp section
		{
			x = 30;
			ran[2]++;
		}
	}
	return x;
}

static void count(int *counter)
{
#pragma omp atomic
	(*counter)++;
}

void sections_many(int rounds, int *ran)
{
#pragma omp parallel
	for (int r = 0; r < rounds; r++) {
#pragma omp sections nowait
		{
			count(&ran[0]);
#pragma omp section
			count(&ran[1]);
#pragma omp section
			count(&ran[2]);
#pragma omp section
			count(&ran[3]);
#pragma omp section
			count(&ran[4]);
		}
	}
}

int single_barrier(int rounds)
{
	int ran = 0, wrong = 0;
#pragma omp parallel
	for (int r = 0; r < rounds; r++) {
#pragma omp single
		ran++;
		if (ran != r + 1) {
#pragma omp atomic
			wrong++;
		}
#pragma omp barrier
	}
	return ran - wrong;
}

int single_nowait(int rounds)
{
	int ran = 0;
#pragma omp parallel
	for (int r = 0; r < rounds; r++) {
#pragma omp single nowait
		count(&ran);
	}
	return ran;
}

int master_only(int rounds, int *number)
{
	int ran = 0;
#pragma omp parallel
	for (int r = 0; r < rounds; r++) {
#pragma omp master
		{
			ran++;
			*number += omp_get_thread_num();
		}
	}
	return ran;
}

long critical_unnamed(int rounds)
{
	long sum = 0;
#pragma omp parallel
	for (int r = 0; r < rounds; r++) {
#pragma omp critical
		sum++;
	}
	return sum;
}

long critical_named(int rounds, long *other)
{
	long sum = 0, x = 0;
#pragma omp parallel
	for (int r = 0; r < rounds; r++) {
#pragma omp critical(upd)
		{
			sum++;
#pragma omp critical(inner)
			x += 2;
		}
#pragma omp critical(inner)
		x++;
	}
	*other = x;
	return sum;
}

long atomic_added(int rounds)
{
	long sum = 0;
#pragma omp parallel
	for (int r = 0; r < rounds; r++) {
#pragma omp atomic
		sum += 3;
	}
	return sum;
}

int barrier_phases(int rounds)
{
	int done[THREADS_MOST] = { 0 }, wrong = 0;
#pragma omp parallel
	for (int r = 1; r <= rounds; r++) {
		done[omp_get_thread_num()] = r;
#pragma omp barrier
		for (int t = 0; t < omp_get_num_threads(); t++)
			if (done[t] != r)
				count(&wrong);
#pragma omp barrier
	}
	return wrong;
}

int flush_published(void)
{
	int data = 0, ready = 0, read = 0;
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0) {
			data = 42;
#pragma omp flush
			__atomic_store_n(&ready, 1, __ATOMIC_RELAXED);
		}
#pragma omp barrier
		if (omp_get_thread_num() == omp_get_num_threads() - 1 && __atomic_load_n(&ready, __ATOMIC_RELAXED)) {
#pragma omp flush
			read = data;
		}
	}
	return read;
}
