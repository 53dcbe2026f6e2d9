/* test/races/omp.c -- OpenMP programs with a race and without, for ThreadSanitizer.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "pairs.h"

#include <omp.h>

enum { N = 64, THREADS = 4 };

static int *a, *b, mine;                /* N each */
#pragma omp threadprivate(mine)

static int me(void)
{
	return omp_get_thread_num();
}

/* Two that call it run at the same time, or nearly so; the checker sees no order in it. */
static void meet(unsigned *here)
{
	__atomic_fetch_add(here, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < 1000 && __atomic_load_n(here, __ATOMIC_RELAXED) < 2; i++)
		sched_yield();
}

/* --- members --------------------------------------------------------------------------------------------- */

static void p_region(bool racy)
{
	#pragma omp parallel num_threads(THREADS)
	a[racy ? 0 : me()] = 1;
	for (int i = 0; i < THREADS; i++)
		b[i] = a[i];
	#pragma omp parallel num_threads(THREADS)
	b[me()] += a[(me() + 1) % THREADS];
}

static void p_reduction(bool racy)
{
	int sum = 0, all = 0;

	#pragma omp parallel for num_threads(THREADS) reduction(+ : sum)
	for (int i = 0; i < N; i++) {
		sum += i;
		if (racy)
			all += i;
	}
	a[0] = sum + all;
}

static void p_reduction_array(bool racy)
{
	int sums[8] = { 0 };
	double product = 1;

	#pragma omp parallel num_threads(THREADS)
	{
		#pragma omp for reduction(+ : sums[:8]) reduction(* : product) nowait
		for (int i = 0; i < N; i++) {
			sums[i % 8] += i;
			product *= 1.5;
		}
		if (!racy) {
			#pragma omp barrier
		}
		a[me()] = sums[0];
	}
}

static void p_critical(bool racy)
{
	int x = 0;

	#pragma omp parallel num_threads(THREADS)
	for (int i = 0; i < 10; i++) {
		if (racy) {
			x++;
		} else {
			#pragma omp critical
			x++;
		}
	}
}

static void p_names(bool racy)
{
	int x = 0;

	#pragma omp parallel num_threads(THREADS)
	for (int i = 0; i < 10; i++) {
		if (racy && me() == 0) {
			#pragma omp critical(one)
			x++;
		} else {
			#pragma omp critical(other)
			x++;
		}
	}
}

static void p_atomic(bool racy)
{
	int x = 0;
#ifdef __clang__
	double big = 0;
#else
	long double big = 0;            /* for which there is no instruction */
#endif

	#pragma omp parallel num_threads(THREADS)
	for (int i = 0; i < 10; i++) {
		#pragma omp atomic
		x++;
		if (racy) {
			big += 1;
		} else {
			#pragma omp atomic
			big += 1;
		}
	}
}

static void p_barrier(bool racy)
{
	#pragma omp parallel num_threads(THREADS)
	for (int i = 0; i < 5; i++) {
		a[me()] = i;
		#pragma omp barrier
		b[me()] = a[(me() + 1) % THREADS];
		if (!racy) {
			#pragma omp barrier
		}
	}
}

static void p_nowait(bool racy)
{
	#pragma omp parallel num_threads(THREADS)
	{
		if (racy) {
			#pragma omp for nowait
			for (int i = 0; i < N; i++)
				a[i] = i;
		} else {
			#pragma omp for schedule(dynamic, 3)
			for (int i = 0; i < N; i++)
				a[i] = i;
		}
		#pragma omp for schedule(guided)
		for (int i = 0; i < N; i++)
			b[i] = a[N - 1 - i];
	}
}

static void p_neighbour(bool racy)
{
	int *from = racy ? a : b;

	#pragma omp parallel for num_threads(THREADS) schedule(static, 1)
	for (int i = 0; i < N - 1; i++)
		a[i] = from[i + 1];
}

static void p_single(bool racy)
{
	int x = 0;

	#pragma omp parallel num_threads(THREADS)
	{
		if (racy) {
			#pragma omp single nowait
			x = 1;
		} else {
			#pragma omp single
			x = 1;
		}
		a[me()] = x;
	}
}

static void p_copyprivate(bool racy)
{
	int x;

	#pragma omp parallel num_threads(THREADS) private(x)
	for (int i = 0; i < 5; i++) {
		#pragma omp single copyprivate(x)
		x = i;
		a[racy ? 0 : me()] = x;
	}
}

static void p_master(bool racy)
{
	int x = 0;

	#pragma omp parallel num_threads(THREADS)
	{
		#pragma omp master
		x = 1;
		if (!racy) {
			#pragma omp barrier
		}
		a[me()] = x;
	}
}

static void p_sections(bool racy)
{
	int x = 0, y = 0;
	unsigned here = 0;

	#pragma omp parallel num_threads(THREADS)
	{
		#pragma omp sections
		{
			#pragma omp section
			{
				meet(&here);
				x = 1;
			}
			#pragma omp section
			{
				meet(&here);
				*(racy ? &x : &y) = 1;
			}
		}
		#pragma omp single
		a[0] = x + y;
	}
}

static void p_temporary(bool racy)
{
	int shared = 0, last = 0;

	#pragma omp parallel for num_threads(THREADS) lastprivate(last)
	for (int i = 0; i < N; i++) {
		int own, *t = racy ? &shared : &own;
		*t = i;
		last = a[i] = *t;
	}
	b[0] = last;
}

static void p_lock(bool racy)
{
	omp_lock_t lock[2];
	int x = 0;

	omp_init_lock(&lock[0]);
	omp_init_lock(&lock[1]);
	#pragma omp parallel num_threads(THREADS)
	for (int i = 0; i < 10; i++) {
		omp_lock_t *l = &lock[racy && me() == 0];
		if (i % 2)
			omp_set_lock(l);
		else
			while (!omp_test_lock(l))
				continue;
		x++;
		omp_unset_lock(l);
	}
	omp_destroy_lock(&lock[0]);
	omp_destroy_lock(&lock[1]);
}

static void p_nest_lock(bool racy)
{
	omp_nest_lock_t l;
	int x = 0;

	omp_init_nest_lock(&l);
	#pragma omp parallel num_threads(THREADS)
	for (int i = 0; i < 10; i++) {
		omp_set_nest_lock(&l);
		omp_set_nest_lock(&l);
		omp_unset_nest_lock(&l);
		if (!racy)
			x++;
		omp_unset_nest_lock(&l);
		if (racy)
			x++;
	}
	omp_destroy_nest_lock(&l);
}

static void p_ordered(bool racy)
{
	int x = 0;

	#pragma omp parallel for num_threads(THREADS) ordered schedule(static, 1)
	for (int i = 0; i < N; i++) {
		#pragma omp ordered
		{
			if (!racy)
				x += i;
		}
		if (racy)
			x += i;
	}
}

static void p_doacross(bool racy)
{
	int far = racy ? 1 : 2;

	a[0] = a[1] = 0;
	#pragma omp parallel for num_threads(THREADS) ordered(1) schedule(static, 1)
	for (int i = 2; i < N; i++) {
		#pragma omp ordered depend(sink : i - 2)
		a[i] = a[i - far] + 1;
		#pragma omp ordered depend(source)
	}
}

static void p_cancel(bool racy)
{
	int x = 0, y = 0;

	#pragma omp parallel num_threads(THREADS)
	{
		#pragma omp for
		for (int i = 0; i < N; i++) {
			#pragma omp critical
			x++;
			if (racy)
				y++;
			#pragma omp cancel for if (i == N / 2)
		}
		#pragma omp master
		x = 0;
	}
	a[0] = x + y;
}

static void p_nested(bool racy)
{
	int all = 0;

	#pragma omp parallel num_threads(2)
	{
		int x = 0;
		#pragma omp parallel num_threads(3)
		{
			#pragma omp critical
			x++;
			if (racy)
				all++;
		}
		a[me()] = x;
	}
}

static void p_threadprivate(bool racy)
{
	int *others = NULL;

	#pragma omp parallel num_threads(THREADS)
	{
		mine = me();
		#pragma omp barrier
		#pragma omp single nowait
		for (int i = 0; i < N; i++) {
			#pragma omp task
			mine++;
		}
		#pragma omp single
		others = a;
		if (racy)
			others[0] = mine;
	}
	#pragma omp parallel num_threads(THREADS) copyin(mine)
	mine++;
}

/* --- tasks ----------------------------------------------------------------------------------------------- */

#define TASKS _Pragma("omp parallel num_threads(THREADS)") _Pragma("omp single")

static void p_siblings(bool racy)
{
	int x = 0;

	TASKS
	{
		#pragma omp task
		x++;
		if (!racy) {
			#pragma omp taskwait
		}
		#pragma omp task
		x++;
	}
}

static int fib(int n, bool racy)
{
	int x, y;

	if (n < 2)
		return n;
	#pragma omp task shared(x)
	x = fib(n - 1, racy);
	#pragma omp task shared(y)
	y = fib(n - 2, racy);
	if (racy && n == 6)
		y = 0;
	#pragma omp taskwait
	return x + y;
}

static void p_fib(bool racy)
{
	TASKS
	a[0] = fib(9, racy);
}

static void p_grandchild(bool racy)
{
	TASKS
	{
		int x = 0;
		#pragma omp taskgroup
		{
			#pragma omp task shared(x)
			{
				#pragma omp task shared(x)
				x++;
			}
			#pragma omp taskwait
			if (racy)
				x++;
		}
		x++;
	}
}

static void p_group(bool racy)
{
	int x = 0;

	TASKS
	{
		if (racy) {
			#pragma omp task
			x++;
		}
		#pragma omp taskgroup
		{
			if (!racy) {
				#pragma omp task
				x++;
			}
			#pragma omp task
			a[0]++;
		}
		b[0] = x + a[0];
		#pragma omp taskwait
	}
}

static void p_depend(bool racy)
{
	int x = 0, y = 0, other = 0, *source = racy ? &other : &x;

	TASKS
	for (int i = 0; i < 10; i++) {
		#pragma omp task depend(out : x)
		x = i;
		#pragma omp task depend(in : *source) depend(out : y)
		y = x;
		#pragma omp task depend(in : x)
		a[i] = x;
		#pragma omp task depend(in : y)
		b[i] = y;
	}
}

/* Dependences order siblings alone. */
static void p_cousins(bool racy)
{
	int x = 0;
	unsigned here = 0;

	TASKS
	if (racy) {
		for (int i = 0; i < 2; i++) {
			#pragma omp task shared(x, here)
			{
				meet(&here);
				#pragma omp task depend(out : x) shared(x)
				x++;
				#pragma omp taskwait
			}
		}
	} else {
		#pragma omp task shared(x)
		{
			for (int i = 0; i < 2; i++) {
				#pragma omp task depend(out : x) shared(x)
				x++;
			}
			#pragma omp taskwait
			x++;
		}
	}
	a[0] = x;
}

static void p_readers(bool racy)
{
	int x = 0;

	TASKS
	{
		#pragma omp task depend(in : x)
		a[0] = x;
		#pragma omp task depend(in : x)
		a[1] = x;
		if (racy) {
			#pragma omp task depend(in : x)
			x = 1;
		} else {
			#pragma omp task depend(out : x)
			x = 1;
		}
		#pragma omp task depend(inout : x)
		x++;
		#pragma omp taskwait depend(in : x)
		a[2] = x;
	}
}

static void p_mutexinoutset(bool racy)
{
	int x = 0, y = 0;

	TASKS
	{
		#pragma omp task depend(out : x)
		x = y = 1;
		for (int i = 0; i < 5; i++) {
			if (racy) {
				#pragma omp task depend(in : x)
				y++;
			} else {
				#pragma omp task depend(mutexinoutset : x)
				y++;
			}
		}
		#pragma omp task depend(in : x)
		a[0] = racy ? 0 : y;
	}
}

static void p_firstprivate(bool racy)
{
	int many[40] = { 0 };

	TASKS
	for (int i = 0; i < N; i++) {
		int *far = racy ? &many[0] : &a[i];
		#pragma omp task firstprivate(many)
		{
			many[i % 40] = i;
			*far = many[i % 40];
		}
	}
}

static void p_undeferred(bool racy)
{
	int x = 0;

	TASKS
	{
		#pragma omp task if (racy)
		x = 1;
		x++;
		#pragma omp task final(1)
		{
			#pragma omp task
			a[0] = 1;
			a[0] = 2;
		}
		#pragma omp taskwait
		a[0]++;
	}
}

static void p_taskloop(bool racy)
{
	int sum = 0;

	TASKS
	{
		if (racy) {
			#pragma omp taskloop nogroup grainsize(4)
			for (int i = 0; i < N; i++)
				a[i] = i;
		} else {
			#pragma omp taskloop grainsize(4)
			for (int i = 0; i < N; i++)
				a[i] = i;
		}
		#pragma omp taskloop reduction(+ : sum)
		for (int i = 0; i < N; i++)
			sum += a[i];
		b[0] = sum;
	}
}

static void p_task_reduction(bool racy)
{
	int sum = 0;

	TASKS
	{
		#pragma omp taskgroup task_reduction(+ : sum)
		for (int i = 0; i < N; i++) {
			#pragma omp task in_reduction(+ : sum)
			{
				sum += i;
				a[i] = i;
			}
			if (racy)
				a[i] = 0;
		}
		b[0] = sum;
	}
}

static void p_detach(bool racy)
{
	omp_event_handle_t event;

	TASKS
	{
		#pragma omp task detach(event)
		a[1] = 1;
		#pragma omp task shared(event)
		{
			a[0] = 1;
			omp_fulfill_event(event);
			if (racy)
				a[2] = 1;
		}
		if (!racy) {
			#pragma omp taskwait
		} else {
			a[2] = 2;
		}
		b[0] = racy ? 0 : a[0] + a[1];
	}
}

/* --- all of them ----------------------------------------------------------------------------------------- */

static void renew(void)
{
	a = calloc(N, sizeof(*a));
	b = calloc(N, sizeof(*b));
}

static const struct pair pair[] = {
	PAIR(region), PAIR(reduction), PAIR(reduction_array), PAIR(critical), PAIR(names), PAIR(atomic), PAIR(barrier),
	PAIR(nowait), PAIR(neighbour), PAIR(single), PAIR(copyprivate), PAIR(master), PAIR(sections), PAIR(temporary),
	PAIR(lock), PAIR(nest_lock), PAIR(ordered), PAIR(doacross), PAIR(cancel), PAIR(nested), PAIR(threadprivate),
	PAIR(siblings), PAIR(fib), PAIR(grandchild), PAIR(group), PAIR(depend), PAIR(cousins), PAIR(readers), PAIR(mutexinoutset),
	PAIR(firstprivate), PAIR(undeferred), PAIR(taskloop), PAIR(task_reduction), PAIR(detach),
};

int main(int argc, char **argv)
{
	return run_pairs(pair, sizeof(pair) / sizeof(pair[0]), renew, argc, argv);
}
