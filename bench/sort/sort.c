/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "sort/sort.h"

#include <string.h>

static unsigned long n, seed = 1;
static uint32_t *original;
static uint64_t expected_sum, expected_hash;

struct sort_range sort_all;
unsigned long sort_cutoff = 131072;

size_t sort_grain(void)
{
	return bench_cutoff == BENCH_MANUAL && sort_cutoff > SORT_LEAF ? sort_cutoff : SORT_LEAF;
}

static void digest(const uint32_t *a, uint64_t *sum, uint64_t *hash)
{
	*sum = *hash = 0;
	for (size_t i = 0; i < n; i++) {
		*sum += a[i];
		*hash += bench_scramble(a[i]);
	}
}

static void setup(void)
{
	static const unsigned long sizes[BENCH_SIZES] = { 20000, 2000000, 33554432, 33554432 };

	n = bench_by_size(n, sizes);
	original = bench_room("sort", n, sizeof(*original));
	sort_all.a = bench_room("sort", n, sizeof(*sort_all.a));
	sort_all.spare = bench_room("sort", n, sizeof(*sort_all.spare));
	sort_all.n = n;
	for (size_t i = 0; i < n; i++)
		original[i] = (uint32_t)bench_scramble(seed << 40 ^ i);
	memset(sort_all.spare, 1, n * sizeof(*sort_all.spare)); /* so that its pages are there */
	digest(original, &expected_sum, &expected_hash);
}

static void before(void)
{
	memcpy(sort_all.a, original, n * sizeof(*original));
}

static void serial(void)
{
	sort_serial(&sort_all);
}

static bool check(char *why, size_t size)
{
	const uint32_t *data = sort_all.a;
	uint64_t sum, hash;

	for (size_t i = 1; i < n; i++) {
		if (data[i - 1] <= data[i])
			continue;
		snprintf(why, size, "not sorted at %zu: %u before %u", i, data[i - 1], data[i]);
		return false;
	}
	digest(data, &sum, &hash);
	if (sum == expected_sum && hash == expected_hash)
		return true;
	snprintf(why, size, "sorted, but not the numbers that were given");
	return false;
}

static double units(void)
{
	return (double)n;
}

static void describe(char *text, size_t size)
{
	if (bench_cutoff == BENCH_NONE)
		snprintf(text, size, "%lu numbers", n);
	else
		snprintf(text, size, "%lu numbers, tasks down to %lu", n, sort_cutoff);
}

static const struct bench_option options[] = {
	{ "n", "numbers to sort; 20000, 2000000, 33554432 by size", BENCH_NUMBER, &n, 1, 2000000000, NULL },
	{ "cutoff-size", "numbers up to which there are no tasks", BENCH_NUMBER, &sort_cutoff, 1, 2000000000, NULL },
	{ "seed", "of the numbers", BENCH_NUMBER, &seed, 0, 1 << 20, NULL },
	{ .name = NULL },
};

const struct bench_program bench_program = {
	.about = { "sort", "number", "parallel merge sort of 32-bit numbers with a parallel merge" },
	.options = options,
	.takes = { .size = true, .cutoff = true },
	.default_reps = 5,
	.untimed = { setup, before },
	.timed = { serial },
	.report = { check, units, describe, NULL },
};
