/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* A balanced loop over an array, divided evenly among the workers: what it costs to start and end one, and what becomes
 * of memory bandwidth and arithmetic. */
#ifndef BENCH_LOOP_LOOP_H
#define BENCH_LOOP_LOOP_H

#include "common/bench.h"

#ifdef __cplusplus
extern "C" {
#endif

struct loop_arrays {
	double *__restrict y;
	const double *__restrict x;
	double a;
};

extern struct loop_arrays loop_arrays;
extern unsigned long loop_n, loop_loops; /* indices, and loops in a repetition */

enum loop_body { LOOP_MEMORY, LOOP_COMPUTE };
extern unsigned loop_body;

/* Three words of memory traffic, two operations. */
static inline void loop_triad(const struct loop_arrays *l, size_t i)
{
	l->y[i] = l->y[i] + l->a * l->x[i];
}

/* One word of memory traffic, 64 operations, each of which waits for the one before. */
static inline void loop_iterate(const struct loop_arrays *l, size_t i)
{
	double z = l->x[i];

	/* Straight code: how a short loop happens to be aligned would decide the race. */
#pragma GCC unroll 32
	for (int k = 0; k < 32; k++)
		z = z * z - 0.75;
	l->y[i] = z;
}

/* Indices from start to before stop, of arrays that the compiler may take for a function's own. */
static inline void loop_range(const struct loop_arrays *arrays, unsigned body, size_t start, size_t stop)
{
	const struct loop_arrays l = *arrays;

	if (body == LOOP_MEMORY)
		for (size_t i = start; i < stop; i++)
			loop_triad(&l, i);
	else
		for (size_t i = start; i < stop; i++)
			loop_iterate(&l, i);
}

#ifdef __cplusplus
}
#endif

#endif
