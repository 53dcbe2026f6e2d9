/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* The OpenMP version as ROSE lowers it. */
#include "fib/fib.h"
#include "libxomp.h"

struct call {
	uint64_t n;
	unsigned long levels;
	uint64_t *result_p;
};

static uint64_t fib_none(uint64_t n);

static void fib_none_task(void *data)
{
	const struct call *c = data;

	*c->result_p = fib_none(c->n);
}

static uint64_t fib_none(uint64_t n)
{
	uint64_t x, y;

	if (n < 2)
		return n;
	struct call first = { .n = n - 1, .result_p = &x };
	XOMP_task(fib_none_task, &first, 0, sizeof(first), _Alignof(struct call), 1, 0);
	struct call second = { .n = n - 2, .result_p = &y };
	XOMP_task(fib_none_task, &second, 0, sizeof(second), _Alignof(struct call), 1, 0);
	XOMP_taskwait();
	return x + y;
}

static uint64_t fib_manual(uint64_t n, unsigned long levels);

static void fib_manual_task(void *data)
{
	const struct call *c = data;

	*c->result_p = fib_manual(c->n, c->levels);
}

static uint64_t fib_manual(uint64_t n, unsigned long levels)
{
	uint64_t x, y;

	if (levels == 0)
		return fib_serial(n);
	if (n < 2)
		return n;
	struct call first = { .n = n - 1, .levels = levels - 1, .result_p = &x };
	XOMP_task(fib_manual_task, &first, 0, sizeof(first), _Alignof(struct call), 1, 0);
	struct call second = { .n = n - 2, .levels = levels - 1, .result_p = &y };
	XOMP_task(fib_manual_task, &second, 0, sizeof(second), _Alignof(struct call), 1, 0);
	XOMP_taskwait();
	return x + y;
}

static void region(void *data)
{
	(void)data;
	if (XOMP_single())
		fib_result = bench_cutoff == BENCH_MANUAL ? fib_manual(fib_n, fib_depth) : fib_none(fib_n);
	XOMP_barrier();
}

static void parallel(void)
{
	XOMP_parallel_start(region, NULL, 1, 0, NULL, 0);
	XOMP_parallel_end(NULL, 0);
}

const struct bench_version bench_version = { .parallel = parallel };
