/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "loop/loop.h"

static const char *const bodies[] = { "memory", "compute", NULL };
static double *x, *y;

unsigned long loop_n, loop_loops;
unsigned loop_body;
struct loop_arrays loop_arrays;

static void setup(void)
{
	static const unsigned long indices[2][BENCH_SIZES] = {
		{ 1000, 2000000, 8000000, 64000000 },
		{ 1000, 250000, 1000000, 8000000 },
	};
	static const unsigned long loops[BENCH_SIZES] = { 10, 8, 16, 16 };

	if (loop_loops == 0)
		loop_loops = loop_n > 0 && loop_n < 100000 ? 1000 : loops[bench_size];
	loop_n = bench_by_size(loop_n, indices[loop_body]);
	x = bench_room("loop", loop_n, sizeof(*x));
	y = bench_room("loop", loop_n, sizeof(*y));
	for (size_t i = 0; i < loop_n; i++)
		x[i] = (double)(i % 1024) / 1024;
	loop_arrays = (struct loop_arrays){ .y = y, .x = x, .a = 0.5 };
}

static void before(void)
{
	for (size_t i = 0; i < loop_n; i++)
		y[i] = 1;
}

static void serial(void)
{
	for (unsigned long i = 0; i < loop_loops; i++)
		loop_range(&loop_arrays, loop_body, 0, loop_n);
}

/* Every value is a multiple of 1 / 2048 in the one case, so sums are exact; the other is computed again. */
static double expected(size_t i)
{
	double z = 0;
	const struct loop_arrays one = { .y = &z, .x = &x[i], .a = 0.5 };

	if (loop_body == LOOP_MEMORY)
		return 1 + (double)loop_loops * 0.5 * x[i];
	loop_iterate(&one, 0);
	return z;
}

static bool check(char *why, size_t size)
{
	for (size_t i = 0; i < loop_n; i++) {
		if (y[i] == expected(i))
			continue;
		snprintf(why, size, "index %zu has %g, not %g", i, y[i], expected(i));
		return false;
	}
	return true;
}

static double units(void)
{
	return (double)loop_loops;
}

static void describe(char *text, size_t size)
{
	snprintf(text, size, "%lu indices, %s bound, %lu loops", loop_n, bodies[loop_body], loop_loops);
}

static const struct bench_option options[] = {
	{ "body", "y[i] += a * x[i], or 64 operations for each index", BENCH_CHOICE, &loop_body, 0, 0, bodies },
	{ "n", "indices; 1000 to 64000000 by size and body", BENCH_NUMBER, &loop_n, 1, 2000000000, NULL },
	{ "loops", "in a repetition; by size, or 1000 short ones", BENCH_NUMBER, &loop_loops, 1, 100000000, NULL },
	{ .name = NULL },
};

const struct bench_program bench_program = {
	.about = { "loop", "loop", "a balanced loop over an array" },
	.options = options,
	.takes = { .size = true },
	.default_reps = 9,
	.untimed = { setup, before },
	.timed = { serial },
	.report = { check, units, describe, NULL },
};
