/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "fib/fib.h"

static uint64_t fib_none(uint64_t n)
{
	uint64_t x, y;

	if (n < 2)
		return n;
#pragma omp task default(none) shared(x) firstprivate(n)
	x = fib_none(n - 1);
#pragma omp task default(none) shared(y) firstprivate(n)
	y = fib_none(n - 2);
#pragma omp taskwait
	return x + y;
}

static uint64_t fib_manual(uint64_t n, unsigned long levels)
{
	uint64_t x, y;

	if (levels == 0)
		return fib_serial(n);
	if (n < 2)
		return n;
#pragma omp task default(none) shared(x) firstprivate(n, levels)
	x = fib_manual(n - 1, levels - 1);
#pragma omp task default(none) shared(y) firstprivate(n, levels)
	y = fib_manual(n - 2, levels - 1);
#pragma omp taskwait
	return x + y;
}

static uint64_t fib_if(uint64_t n, unsigned long depth, unsigned long limit)
{
	uint64_t x, y;

	if (n < 2)
		return n;
#pragma omp task default(none) shared(x) firstprivate(n, depth, limit) if (depth < limit)
	x = fib_if(n - 1, depth + 1, limit);
#pragma omp task default(none) shared(y) firstprivate(n, depth, limit) if (depth < limit)
	y = fib_if(n - 2, depth + 1, limit);
#pragma omp taskwait
	return x + y;
}

static uint64_t fib_final(uint64_t n, unsigned long depth, unsigned long limit)
{
	uint64_t x, y;

	if (n < 2)
		return n;
#pragma omp task default(none) shared(x) firstprivate(n, depth, limit) final(depth + 1 >= limit) mergeable
	x = fib_final(n - 1, depth + 1, limit);
#pragma omp task default(none) shared(y) firstprivate(n, depth, limit) final(depth + 1 >= limit) mergeable
	y = fib_final(n - 2, depth + 1, limit);
#pragma omp taskwait
	return x + y;
}

static uint64_t fib(void)
{
	switch (bench_cutoff) {
	case BENCH_MANUAL:
		return fib_manual(fib_n, fib_depth);
	case BENCH_IF:
		return fib_if(fib_n, 0, fib_depth);
	case BENCH_FINAL:
		return fib_final(fib_n, 0, fib_depth);
	default:
		return fib_none(fib_n);
	}
}

static void parallel(void)
{
#pragma omp parallel default(none) shared(fib_result)
#pragma omp single
	fib_result = fib();
}

const struct bench_version bench_version = { .parallel = parallel };
