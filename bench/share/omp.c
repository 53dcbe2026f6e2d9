/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* In OpenMP: a program that knows no other runtime. */
#include "share/share.h"

#include <omp.h>

enum { TASKS = 16 };

static void barrier(struct share_work *work)
{
#pragma omp parallel
	for (unsigned l = 0; l < SHARE_MANY; l++) {
#pragma omp for
		for (unsigned i = 0; i < SHARE_N; i++)
			work->values[i] = share_next(work->values[i]);
	}
}

static void parallel(struct share_work *work)
{
	for (unsigned l = 0; l < SHARE_MANY; l++) {
#pragma omp parallel for
		for (unsigned i = 0; i < SHARE_N; i++)
			work->values[i] = share_next(work->values[i]);
	}
}

static uint64_t fib(unsigned k)
{
	uint64_t x, y;

	if (k < 2)
		return k;
#pragma omp task shared(x)
	x = fib(k - 1);
	y = fib(k - 2);
#pragma omp taskwait
	return x + y;
}

static void tasks(struct share_work *work)
{
#pragma omp parallel
#pragma omp single
	work->number = fib(SHARE_FIB);
}

static void flat(struct share_work *work)
{
#pragma omp parallel
	for (unsigned l = 0; l < SHARE_FEW; l++) {
#pragma omp single
		for (unsigned i = 0; i < TASKS; i++) {
#pragma omp task firstprivate(i)
			share_loop(work->values, i * SHARE_N / TASKS, (i + 1) * SHARE_N / TASKS);
		}
	}
}

static unsigned start(void)
{
	int size = 0;

#pragma omp parallel
#pragma omp single
	size = omp_get_num_threads();
	return (unsigned)size;
}

static const struct share_shape shapes[] = {
	{ "barrier", "500 loops of 2,000 values in one region, each with its barrier", barrier, SHARE_MANY },
	{ "parallel", "500 such loops, each a region of its own", parallel, SHARE_MANY },
	{ "tasks", "fib(18), every second call a task", tasks, 0 },
	{ "flat", "50 times 16 tasks of a small piece of a loop each, which a barrier ends", flat, SHARE_FEW },
	{ .name = NULL },
};

const struct share_program share_program = {
	.name = "share-omp",
	.what = "what copies of an OpenMP program get done at once, under the runtime at hand",
	.shapes = shapes,
	.start = start,
};
