/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* What the loops of bench/loop do to each index: the same whoever runs them. */
#ifndef BENCH_LOOP_LOOP_H
#define BENCH_LOOP_LOOP_H

#include <stddef.h>

struct loop_arrays {
	double *restrict y;
	const double *restrict x;
	double a;
};

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

/* OpenMP's twins, and who runs them. */
void loop_omp_triad(const struct loop_arrays *l, size_t n);
void loop_omp_iterate(const struct loop_arrays *l, size_t n);
const char *loop_omp_name(void);

#endif
