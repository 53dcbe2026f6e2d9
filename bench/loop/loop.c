/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* qt_loop_balance over an array, against OpenMP's static schedule.
 *
 * --n 1000 shows what it costs to start and end a loop, large ones what becomes of memory bandwidth and arithmetic. */
#include "common/bench.h"
#include "loop/loop.h"

#include <stdlib.h>

#include <qthread/qloop.h>

static unsigned long n, loops;
static unsigned body;

enum { BODY_MEMORY, BODY_COMPUTE };
static const char *const bodies[] = { "memory", "compute", NULL };

static struct loop_arrays arrays;
static double *x, *y;

static void triad(size_t start, size_t stop, void *arg)
{
	const struct loop_arrays l = *(struct loop_arrays *)arg;

	for (size_t i = start; i < stop; i++)
		loop_triad(&l, i);
}

static void iterate(size_t start, size_t stop, void *arg)
{
	const struct loop_arrays l = *(struct loop_arrays *)arg;

	for (size_t i = start; i < stop; i++)
		loop_iterate(&l, i);
}

static void setup(void)
{
	if (n == 0)
		n = body == BODY_MEMORY ? 8000000 : 1000000;
	if (loops == 0)
		loops = n < 100000 ? 1000 : 4;
	x = malloc(n * sizeof(*x));
	y = malloc(n * sizeof(*y));
	if (!x || !y) {
		fprintf(stderr, "loop: out of memory for %lu numbers\n", n);
		exit(1);
	}
	for (size_t i = 0; i < n; i++)
		x[i] = (double)(i % 1024) / 1024;
	arrays = (struct loop_arrays){ .y = y, .x = x, .a = 0.5 };
}

static void before(void)
{
	for (size_t i = 0; i < n; i++)
		y[i] = 1;
}

static void serial(void)
{
	for (unsigned long i = 0; i < loops; i++)
		(body == BODY_MEMORY ? triad : iterate)(0, n, &arrays);
}

static void parallel(void)
{
	for (unsigned long i = 0; i < loops; i++)
		qt_loop_balance(0, n, body == BODY_MEMORY ? triad : iterate, &arrays);
}

/* Every value is a multiple of 1 / 2048 in the one case, so sums are exact; the other is computed again. */
static double expected(size_t i)
{
	double z = 0;
	const struct loop_arrays one = { .y = &z, .x = &x[i], .a = 0.5 };

	if (body == BODY_MEMORY)
		return 1 + (double)loops * 0.5 * x[i];
	loop_iterate(&one, 0);
	return z;
}

static bool check(char *why, size_t size)
{
	for (size_t i = 0; i < n; i++) {
		if (y[i] == expected(i))
			continue;
		snprintf(why, size, "index %zu has %g, not %g", i, y[i], expected(i));
		return false;
	}
	return true;
}

static double units(void)
{
	return (double)loops;
}

static void describe(char *text, size_t size)
{
	snprintf(text, size, "%lu indices, %s bound, %lu loops", n, bodies[body], loops);
}

static const struct bench_option options[] = {
	{ "body", "y[i] += a * x[i], or 64 operations for each index", BENCH_CHOICE, &body, 0, 0, bodies },
	{ "n", "indices; 8000000 or 1000000 by default", BENCH_NUMBER, &n, 1, 2000000000, NULL },
	{ "loops", "in a repetition; 1000 short or 4 long ones by default", BENCH_NUMBER, &loops, 1, 100000000, NULL },
	{ .name = NULL },
};

const struct bench_program bench_program = {
	.about = { "loop", "loop", "a balanced loop over an array" },
	.options = options,
	.default_reps = 9,
	.untimed = { setup, before },
	.timed = { serial },
	.report = { check, units, describe, NULL },
};

const struct bench_version bench_version = { .parallel = parallel };
