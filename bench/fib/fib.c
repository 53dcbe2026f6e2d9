/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "fib/fib.h"

unsigned long fib_n, fib_depth = 10;
uint64_t fib_result;

__attribute__((noinline)) uint64_t fib_serial(uint64_t n)
{
	if (n < 2)
		return n;
	uint64_t a = fib_serial(n - 1), b = fib_serial(n - 2);
	bench_keep(b); /* or the compiler makes a loop of one of the two calls */
	return a + b;
}

static void setup(void)
{
	static const unsigned long sizes[BENCH_SIZES] = { 15, 27, 30, 35 };

	fib_n = bench_by_size(fib_n, sizes);
}

static void serial(void)
{
	fib_result = fib_serial(fib_n);
}

static bool check(char *why, size_t size)
{
	if (fib_result == fib_number(fib_n))
		return true;
	snprintf(why, size, "fib(%lu) came out as %lu, is %lu", fib_n, (unsigned long)fib_result,
		(unsigned long)fib_number(fib_n));
	return false;
}

static double units(void)
{
	return fib_calls(fib_n);
}

static void describe(char *text, size_t size)
{
	if (bench_cutoff == BENCH_NONE)
		snprintf(text, size, "fib(%lu)", fib_n);
	else
		snprintf(text, size, "fib(%lu), tasks down to depth %lu", fib_n, fib_depth);
}

static double tasks_below(unsigned long n, unsigned long depth)
{
	return n < 2 || depth == 0 ? 0 : 2 + tasks_below(n - 1, depth - 1) + tasks_below(n - 2, depth - 1);
}

static double tasks(void)
{
	return bench_cutoff == BENCH_NONE ? fib_calls(fib_n) - 1 : tasks_below(fib_n, fib_depth);
}

static const struct bench_option options[] = {
	{ "n", "which number; 15, 27, 30, 35 by size", BENCH_NUMBER, &fib_n, 1, 60, NULL },
	{ "cutoff-depth", "how deep the cut-off lies", BENCH_NUMBER, &fib_depth, 1, 30, NULL },
	{ .name = NULL },
};

const struct bench_program bench_program = {
	.about = { "fib", "call", "Fibonacci numbers the slow way; every call is a task" },
	.options = options,
	.takes = { .size = true, .cutoff = true },
	.default_reps = 5,
	.untimed = { setup, NULL },
	.timed = { serial },
	.report = { check, units, describe, tasks },
};
