/* omp/abi/kmpc_schedule.h -- how clang numbers schedules, and loops with inclusive bounds.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_KMPC_SCHEDULE_H
#define QOMP_KMPC_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

/* A member's chunks may come in any order or not, which the program says in two high bits;
 * before OpenMP 5 it says neither. */
enum {
	KMPC_STATIC_CHUNKED = 33,
	KMPC_STATIC = 34,
	KMPC_DYNAMIC = 35,
	KMPC_GUIDED = 36,
	KMPC_RUNTIME = 37,
	KMPC_AUTO = 38,
	KMPC_TRAPEZOIDAL = 39,
	KMPC_STATIC_GREEDY = 40,        /* to 44: as users may set them, in LLVM's words */
	KMPC_STATIC_EVEN = 41,
	KMPC_GUIDED_ITERATIVE = 42,
	KMPC_GUIDED_ANALYTICAL = 43,
	KMPC_STATIC_STEAL = 44,
	KMPC_STATIC_BALANCED = 45,      /* blocks are multiples of the chunk, a number of vector lanes */
	KMPC_GUIDED_SIMD = 46,
	KMPC_RUNTIME_SIMD = 47,
	KMPC_ORDERED = 64,              /* to 76: KMPC_STATIC_CHUNKED and so on, in order, less KMPC_ORDERED_LESS */
	KMPC_ORDERED_LESS = 32,
	KMPC_DISTRIBUTE_CHUNKED = 91,
	KMPC_DISTRIBUTE = 92,
	KMPC_MONOTONIC = 1 << 29,
	KMPC_NONMONOTONIC = 1 << 30,
	KMPC_SCHEDULE_MASK = ~(KMPC_MONOTONIC | KMPC_NONMONOTONIC),
};

/* Iterations from `lower` to `upper`, inclusively, where `bits` is how many the type of the loop's variable has.  0:
 * none.  That is also what a loop over all values comes to: compilers say so of a loop without iterations. */
static inline uint64_t kmpc_iterations(bool is_signed, unsigned bits, uint64_t lower, uint64_t upper, int64_t step)
{
	uint64_t mask = UINT64_MAX >> (64 - bits), stride = step < 0 ? -(uint64_t)step : (uint64_t)step;
	uint64_t from = step < 0 ? upper : lower, to = step < 0 ? lower : upper;

	if (step == 0 || (is_signed ? (int64_t)from > (int64_t)to : from > to))
		return 0;
	return (((to - from) & mask) / stride + 1) & mask;
}

#endif
