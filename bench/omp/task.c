/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Explicit tasks, in the manner of EPCC's taskbench (Bull, Reid, McDonnell, IWOMP 2012): what a task costs from its
 * creation to its end, by the shape of what surrounds it.  Tasks do nothing but count themselves; a figure is wall time
 * divided by tasks, whoever ran them. */
#include "omp/omp.h"

#include <omp.h>

enum {
	TASKS = 4096, /* in one repetition of most figures */
	FIB = 20,
	FIB_CALLS = 21890, /* below the first */
	DEPTH = 11,        /* of a binary tree of TASKS - 2 nodes below its root */
	GRID = 64,         /* by GRID tasks are a wavefront */
	PENDING = 16,      /* tasks of each thread at a barrier */
};

#define ONE_THREAD _Pragma("omp parallel") _Pragma("omp single")

static unsigned long fib(unsigned n)
{
	unsigned long a, b;

	if (n < 2)
		return n;
#pragma omp task shared(a)
	{
		body_count();
		a = fib(n - 1);
	}
#pragma omp task shared(b)
	{
		body_count();
		b = fib(n - 2);
	}
#pragma omp taskwait
	return a + b;
}

static void fib_uncut(unsigned long n, unsigned arg)
{
	for (unsigned long i = 0; i < n; i++) {
		unsigned long result = 0;
		ONE_THREAD
		result = fib(arg);
		if (result != 6765)
			body_count(); /* too many bodies now */
	}
}

static void flat(unsigned long n, unsigned arg)
{
	for (unsigned long i = 0; i < n; i++) {
		ONE_THREAD
		for (unsigned t = 0; t < arg; t++) {
#pragma omp task
			body_count();
		}
	}
}

struct payload {
	uint64_t word[8];
};

static void flat_data(unsigned long n, unsigned arg)
{
	struct payload data = { { 0 } };

	for (unsigned long i = 0; i < n; i++) {
		ONE_THREAD
		for (unsigned t = 0; t < arg; t++) {
			data.word[t % 8] = t;
#pragma omp task firstprivate(data)
			{
				bench_keep((uintptr_t)&data);
				body_count();
			}
		}
	}
}

static void flat_untied(unsigned long n, unsigned arg)
{
	for (unsigned long i = 0; i < n; i++) {
		ONE_THREAD
		for (unsigned t = 0; t < arg; t++) {
#pragma omp task untied
			body_count();
		}
	}
}

static void flat_all(unsigned long n, unsigned arg)
{
	for (unsigned long i = 0; i < n; i++) {
#pragma omp parallel
		for (unsigned t = (unsigned)omp_get_thread_num(); t < arg; t += (unsigned)omp_get_num_threads()) {
#pragma omp task
			body_count();
		}
	}
}

/* The producer is task 0 and the others wait at the end of the region: the shape of most programs. */
static void flat_wait(unsigned long n, unsigned arg)
{
	for (unsigned long i = 0; i < n; i++) {
		ONE_THREAD
		{
			for (unsigned t = 0; t < arg; t++) {
#pragma omp task
				body_count();
			}
#pragma omp taskwait
		}
	}
}

static void taskwait_each(unsigned long n, unsigned arg)
{
	(void)arg;
	ONE_THREAD
	for (unsigned long i = 0; i < n; i++) {
#pragma omp task
		body_count();
#pragma omp taskwait
	}
}

static void taskgroup_each(unsigned long n, unsigned arg)
{
	(void)arg;
	ONE_THREAD
	for (unsigned long i = 0; i < n; i++) {
#pragma omp taskgroup
		{
#pragma omp task
			body_count();
		}
	}
}

static void tree_below(unsigned depth)
{
	if (depth == 0)
		return;
	for (unsigned child = 0; child < 2; child++) {
#pragma omp task
		{
			body_count();
			tree_below(depth - 1);
		}
	}
}

static void tree(unsigned long n, unsigned arg)
{
	for (unsigned long i = 0; i < n; i++) {
		ONE_THREAD
		tree_below(arg);
	}
}

static void tree_wait_below(unsigned depth)
{
	if (depth == 0)
		return;
	for (unsigned child = 0; child < 2; child++) {
#pragma omp task
		{
			body_count();
			tree_wait_below(depth - 1);
		}
	}
#pragma omp taskwait
}

static void tree_wait(unsigned long n, unsigned arg)
{
	for (unsigned long i = 0; i < n; i++) {
		ONE_THREAD
		tree_wait_below(arg);
	}
}

static void taskyield(unsigned long n, unsigned arg)
{
	(void)arg;
	ONE_THREAD
	{
#pragma omp task
		for (unsigned long i = 0; i < n; i++) {
			body_count();
#pragma omp taskyield
		}
	}
}

static void undeferred(unsigned long n, unsigned arg)
{
	ONE_THREAD
	for (unsigned long i = 0; i < n; i++) {
#pragma omp task if (arg)
		body_count();
	}
}

/* What a task that is final makes is included in it. */
static void included(unsigned long n, unsigned arg)
{
	ONE_THREAD
	{
#pragma omp task final(!arg)
		for (unsigned long i = 0; i < n; i++) {
#pragma omp task
			body_count();
		}
	}
}

/* Here and below a task that starts too early counts itself twice. */
static void chain(unsigned long n, unsigned arg)
{
	for (unsigned long i = 0; i < n; i++) {
		unsigned link = 0;
		ONE_THREAD
		for (unsigned t = 0; t < arg; t++) {
#pragma omp task depend(inout : link) shared(link)
			{
				body_count();
				if (link++ != t)
					body_count();
			}
		}
	}
}

/* No two tasks depend on each other. */
static void depend_apart(unsigned long n, unsigned arg)
{
	static unsigned words[TASKS];

	for (unsigned long i = 0; i < n; i++) {
		ONE_THREAD
		for (unsigned t = 0; t < arg; t++) {
#pragma omp task depend(inout : words[t])
			{
				body_count();
				words[t]++;
			}
		}
	}
}

/* A task waits for those above and to the left of it. */
static void wavefront(unsigned long n, unsigned arg)
{
	static unsigned long cell[GRID + 1][GRID + 1], turn;

	for (unsigned long i = 0; i < n; i++) {
		turn++;
		for (unsigned x = 0; x <= arg; x++)
			cell[0][x] = cell[x][0] = turn;
		ONE_THREAD
		for (unsigned y = 1; y <= arg; y++) {
			for (unsigned x = 1; x <= arg; x++) {
#pragma omp task depend(in : cell[y - 1][x], cell[y][x - 1]) depend(out : cell[y][x])
				{
					body_count();
					if (cell[y - 1][x] != turn || cell[y][x - 1] != turn)
						body_count();
					cell[y][x] = turn;
				}
			}
		}
	}
}

static void taskloop_fine(unsigned long n, unsigned arg)
{
	for (unsigned long i = 0; i < n; i++) {
		ONE_THREAD
		{
#pragma omp taskloop grainsize(1)
			for (unsigned t = 0; t < arg; t++)
				body_count();
		}
	}
}

static void taskloop(unsigned long n, unsigned arg)
{
	ONE_THREAD
	for (unsigned long i = 0; i < n; i++) {
#pragma omp taskloop
		for (unsigned t = 0; t < arg; t++)
			body_count();
	}
}

static void barrier_pending(unsigned long n, unsigned arg)
{
#pragma omp parallel
	for (unsigned long i = 0; i < n; i++) {
		for (unsigned t = 0; t < arg; t++) {
#pragma omp task
			body_count();
		}
#pragma omp barrier
	}
}

#define MANY { TASKS, TASKS, false }
#define TREE { TASKS - 2, TASKS - 2, false }
#define ONE { 1, 1, false }

const struct figure figures_task[] = {
	{ "fib", "ns/task", "Fibonacci number 20, every call a task, both waited for", fib_uncut, .arg = FIB,
		.count = { FIB_CALLS, FIB_CALLS, false }, .target = { { 25, 15 }, NULL } },
	{ "flat", "ns/task", "one thread makes them, all run them", flat, .arg = TASKS, .count = MANY,
		.target = { { 15, 15 }, NULL } },
	{ "flat_all", "ns/task", "all threads make them", flat_all, .arg = TASKS, .count = MANY },
	{ "flat_data", "ns/task", "one thread makes them, with 64 bytes of data each", flat_data, .arg = TASKS,
		.count = MANY },
	{ "flat_untied", "ns/task", "one thread makes them, untied", flat_untied, .arg = TASKS, .count = MANY },
	{ "flat_wait", "ns/task", "one thread makes them, then waits for all at once", flat_wait, .arg = TASKS,
		.count = MANY },
	{ "taskwait_each", "ns/task", "one thread waits for each of them", taskwait_each, .count = ONE,
		.target = { { 0, 60 }, NULL } },
	{ "taskgroup_each", "ns/task", "each in a group of its own", taskgroup_each, .count = ONE },
	{ "tree", "ns/task", "each makes two more and waits for none", tree, .arg = DEPTH, .count = TREE },
	{ "tree_wait", "ns/task", "each makes two more and waits for both", tree_wait, .arg = DEPTH, .count = TREE },
	{ "taskyield", "ns", "taskyield with nothing else to run", taskyield, .count = ONE },
	{ "if0", "ns/task", "task if(0)", undeferred, .arg = 0, .count = ONE },
	{ "final", "ns/task", "included in a final task", included, .arg = 0, .count = ONE },
	{ "chain", "ns/task", "each depends on the one before", chain, .arg = TASKS, .count = MANY,
		.target = { { 0, 100 }, NULL } },
	{ "depend_apart", "ns/task", "each depends on a word of its own", depend_apart, .arg = TASKS, .count = MANY },
	{ "wavefront", "ns/task", "each depends on the two above and to the left", wavefront, .arg = GRID,
		.count = { GRID * GRID, GRID * GRID, false } },
	{ "taskloop_fine", "ns/task", "taskloop grainsize(1)", taskloop_fine, .arg = TASKS, .count = MANY },
	{ "taskloop", "ns/loop", "taskloop of 64 iterations, pieces as the runtime likes", taskloop, .arg = 64,
		.count = { 1, 64, false } },
	{ "barrier_pending", "ns", "a barrier, 16 tasks of each thread before it", barrier_pending, .arg = PENDING,
		.count = { 1, PENDING, true } },
	{ .name = NULL },
};
