/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* qutil_qsort and qutil_double_sum; the serial twins are qsort of the C library and a plain loop. */
#include "common/bench.h"

#include <stdlib.h>
#include <string.h>

#include <qthread/qutil.h>

static unsigned long n = 10000000, seed = 1;
static unsigned what, numbers;

enum { WHAT_SORT, WHAT_SUM };
static const char *const whats[] = { "sort", "sum", NULL };

enum { NUMBERS_RANDOM, NUMBERS_SORTED, NUMBERS_REVERSED, NUMBERS_FEW };
static const char *const kinds[] = { "random", "sorted", "reversed", "few", NULL };

static double *original, *data, sum;
static uint64_t expected_hash;

static uint64_t scramble(uint64_t v)
{
	v += 0x9e3779b97f4a7c15;
	v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9;
	v = (v ^ v >> 27) * 0x94d049bb133111eb;
	return v ^ v >> 31;
}

/* Whole numbers below 2^32, so that sums are exact in any order. */
static double number(size_t i)
{
	switch (numbers) {
	case NUMBERS_SORTED:
		return (double)i;
	case NUMBERS_REVERSED:
		return (double)(n - i);
	case NUMBERS_FEW:
		return (double)(scramble(seed << 40 ^ i) % 100);
	default:
		return (double)(scramble(seed << 40 ^ i) >> 32);
	}
}

static uint64_t digest(const double *a)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < n; i++)
		hash += scramble((uint64_t)a[i]);
	return hash;
}

static void setup(void)
{
	original = malloc(n * sizeof(*original));
	data = malloc(n * sizeof(*data));
	if (!original || !data) {
		fprintf(stderr, "qutil: out of memory for %lu numbers\n", n);
		exit(1);
	}
	for (size_t i = 0; i < n; i++)
		original[i] = number(i);
	expected_hash = digest(original);
}

static void before(void)
{
	memcpy(data, original, n * sizeof(*data));
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double plain_sum(void)
{
	double all = 0;

	for (size_t i = 0; i < n; i++)
		all += data[i];
	return all;
}

static void serial(void)
{
	if (what == WHAT_SORT)
		qsort(data, n, sizeof(*data), compare);
	else
		sum = plain_sum();
}

static void parallel(void)
{
	if (what == WHAT_SORT)
		qutil_qsort(data, n);
	else
		sum = qutil_double_sum(data, n, 0);
}

static bool check(char *why, size_t size)
{
	if (what == WHAT_SUM) {
		snprintf(why, size, "the sum is %.17g, not %.17g", sum, plain_sum());
		return sum == plain_sum();
	}
	for (size_t i = 1; i < n; i++) {
		if (data[i - 1] <= data[i])
			continue;
		snprintf(why, size, "not sorted at %zu: %g before %g", i, data[i - 1], data[i]);
		return false;
	}
	snprintf(why, size, "sorted, but not the numbers that were given");
	return digest(data) == expected_hash;
}

static double units(void)
{
	return (double)n;
}

static void describe(char *text, size_t size)
{
	snprintf(text, size, "%s of %lu doubles, %s", whats[what], n, kinds[numbers]);
}

static const struct bench_option options[] = {
	{ "what", "sort them, or add them up", BENCH_CHOICE, &what, 0, 0, whats },
	{ "numbers", "their order", BENCH_CHOICE, &numbers, 0, 0, kinds },
	{ "n", "how many", BENCH_NUMBER, &n, 1, 2000000000, NULL },
	{ "seed", "of the numbers", BENCH_NUMBER, &seed, 0, 1 << 20, NULL },
	{ .name = NULL },
};

const struct bench_program bench_program = {
	.about = { "qutil", "number", "sorting and adding up doubles" },
	.options = options,
	.default_reps = 5,
	.untimed = { setup, before },
	.timed = { serial },
	.report = { check, units, describe, NULL },
};

const struct bench_version bench_version = { .parallel = parallel };
