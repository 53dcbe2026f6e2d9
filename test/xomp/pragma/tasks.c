/* test/xomp/pragma/tasks.c -- tasks, threadprivate; see test/xomp/constructs.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "xomp/constructs.h"
#include "xomp/load.h"

static long tree(int n)
{
	long a = 0, b;

	if (n < 1)
		return 1;
#pragma omp task untied shared(a) firstprivate(n) if (n > 3)
	a = tree(n - 1);
	b = tree(n - 1);
#pragma omp taskwait
	return a + b;
}

long task_tree(int n)
{
	long res = 0;
#pragma omp parallel
#pragma omp single
	res = tree(n);
	return res;
}

long task_tree_outside(int n)
{
	return tree(n);
}

double task_copies(int tasks)
{
	double sum = 0;
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < tasks; i++) {
		struct load load = load_make(i);
		double factor = i * 0.5;
#pragma omp task firstprivate(load, factor) shared(sum)
		{
			double x = load_weigh(&load) * factor;
#pragma omp critical
			sum += x;
		}
		load_spoil(&load);
		factor = -1e9;
	}
	return sum;
}

int task_undeferred(int n, int *wrong)
{
	int ran = 0;
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < n; i++) {
		int ended = 0;
#pragma omp task if (0) shared(ended, ran)
		{
			ended = 1;
			ran++;
		}
		if (!ended)
			(*wrong)++;
	}
	return ran;
}

int task_children(int n)
{
	int ended = 0, seen = 0;
#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < n; i++) {
#pragma omp task shared(ended)
			{
#pragma omp atomic
				ended++;
			}
		}
#pragma omp taskwait
		seen = ended;
	}
	return seen;
}

long task_in_loops(int n)
{
	long sum = 0;
#pragma omp parallel
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i) shared(sum)
			{
#pragma omp atomic
				sum += i;
			}
		}
#pragma omp taskwait
#pragma omp for schedule(guided) nowait
		for (int i = 0; i < n; i++) {
#pragma omp task untied firstprivate(i) shared(sum)
			{
#pragma omp atomic
				sum += 10 * i;
			}
		}
#pragma omp taskwait
#pragma omp barrier
	}
	return sum;
}

int task_barrier(int n)
{
	int ended = 0, seen = 0;
#pragma omp parallel
	{
		if (omp_get_thread_num() == 0)
			for (int i = 0; i < n; i++) {
#pragma omp task shared(ended)
				{
#pragma omp task shared(ended)
					{
#pragma omp atomic
						ended++;
					}
#pragma omp atomic
					ended++;
				}
			}
#pragma omp barrier
#pragma omp master
		seen = ended;
	}
	return seen;
}

static int own;
#pragma omp threadprivate(own)

bool threadprivate_kept(int regions)
{
	bool same = true;
	int before = own;

	for (int r = 0; r < regions; r++) {
#pragma omp parallel
		own++;
	}
#pragma omp parallel
	{
		if (own != before + regions) {
#pragma omp critical
			same = false;
		}
	}
	return same && own == before + regions;
}
