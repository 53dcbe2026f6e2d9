/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "stream/stream.h"

#include <math.h>
#include <stdlib.h>

double *restrict stream_a, *restrict stream_b, *restrict stream_c;
unsigned long stream_n, stream_rounds = 10;

static unsigned chosen;
static bool touched;
static const char *const loops[] = { "all", "copy", "scale", "add", "triad", NULL };

bool stream_wants(enum stream_loop loop)
{
	return chosen == STREAM_ALL || chosen == loop;
}

/* Not zeroed: that would touch it. */
static double *room(void)
{
	double *array = stream_n <= SIZE_MAX / sizeof(*array) ? malloc(stream_n * sizeof(*array)) : NULL;

	if (!array)
		bench_fail("stream", "out of memory for three arrays of %lu numbers", stream_n);
	return array;
}

static void setup(void)
{
	static const unsigned long sizes[BENCH_SIZES] = { 10000, 2000000, 10000000, 80000000 };

	stream_n = bench_by_size(stream_n, sizes);
	stream_a = room();
	stream_b = room();
	stream_c = room();
}

static void before(void)
{
	if (!touched)
		stream_fill();
	touched = true;
	for (size_t i = 0; i < stream_n; i++)
		stream_fill_at(i);
}

static void serial(void)
{
	for (unsigned long round = 0; round < stream_rounds; round++) {
		for (size_t i = 0; stream_wants(STREAM_COPY) && i < stream_n; i++)
			stream_copy_at(i);
		for (size_t i = 0; stream_wants(STREAM_SCALE) && i < stream_n; i++)
			stream_scale_at(i);
		for (size_t i = 0; stream_wants(STREAM_ADD) && i < stream_n; i++)
			stream_add_at(i);
		for (size_t i = 0; stream_wants(STREAM_TRIAD) && i < stream_n; i++)
			stream_triad_at(i);
	}
}

struct values {
	double a, b, c;
};

/* What becomes of every index. */
static struct values follow_one(void)
{
	struct values v = { .a = 1, .b = 2, .c = 0 };

	for (unsigned long round = 0; round < stream_rounds; round++) {
		v.c = stream_wants(STREAM_COPY) ? v.a : v.c;
		v.b = stream_wants(STREAM_SCALE) ? STREAM_SCALAR * v.c : v.b;
		v.c = stream_wants(STREAM_ADD) ? v.a + v.b : v.c;
		v.a = stream_wants(STREAM_TRIAD) ? v.b + STREAM_SCALAR * v.c : v.a;
	}
	return v;
}

/* One compiler may round where another, or the same elsewhere, does not. */
static bool near(double x, double right)
{
	return fabs(x - right) <= 1e-10 * fabs(right);
}

static bool check(char *why, size_t size)
{
	const struct values right = follow_one();

	for (size_t i = 0; i < stream_n; i++) {
		if (near(stream_a[i], right.a) && near(stream_b[i], right.b) && near(stream_c[i], right.c))
			continue;
		snprintf(why, size, "index %zu has %g, %g and %g, not %g, %g and %g", i, stream_a[i], stream_b[i],
			stream_c[i], right.a, right.b, right.c);
		return false;
	}
	return true;
}

/* What the loops name is counted, as STREAM does: no caches, and no reading of lines before they are written. */
static double units(void)
{
	const unsigned words = 2 * stream_wants(STREAM_COPY) + 2 * stream_wants(STREAM_SCALE) +
			       3 * stream_wants(STREAM_ADD) + 3 * stream_wants(STREAM_TRIAD);

	return 1e-3 * sizeof(double) * words * (double)stream_n * (double)stream_rounds;
}

static void describe(char *text, size_t size)
{
	snprintf(text, size, "arrays of %lu numbers, %lu rounds, loops: %s", stream_n, stream_rounds, loops[chosen]);
}

static const struct bench_option options[] = {
	{ "n", "numbers in an array; 10000, 2000000, 10000000, 80000000 by size", BENCH_NUMBER, &stream_n, 1,
		100000000000, NULL },
	{ "rounds", "of the loops, in a repetition", BENCH_NUMBER, &stream_rounds, 1, 100, NULL },
	{ "loop", "which one alone", BENCH_CHOICE, &chosen, 0, 0, loops },
	{ .name = NULL },
};

const struct bench_program bench_program = {
	.about = { "stream", "kB", "loops over arrays that memory bounds; a million kB a second is a GB" },
	.options = options,
	.takes = { .size = true },
	.default_reps = 9,
	.untimed = { setup, before },
	.timed = { serial },
	.report = { check, units, describe, NULL },
};
