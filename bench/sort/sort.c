/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Merge sort of 32-bit numbers with a parallel merge.
 *
 * Halves are sorted into alternating buffers, so that every level moves the numbers once.  A merge of two runs
 * cuts the longer one in the middle, finds where that value falls in the shorter one, and merges the two halves
 * side by side; below --merge-cutoff it merges serially, below --sort-cutoff a range is sorted serially. */
#include "common/bench.h"

#include <qthread/qthread.h>

#include <stdlib.h>
#include <string.h>

static unsigned long n = 4000000, sort_cutoff = 2048, merge_cutoff = 4096, seed = 1;
enum { INSERTION = 16 };

static uint32_t *original, *data, *spare;
static uint64_t expected_sum, expected_hash;

/* Where a sort leaves its numbers: in the array itself, or in the same place of the other buffer. */
struct sort_job {
	uint32_t *a, *b;
	size_t n;
	bool into_b;
};

struct merge_job {
	const uint32_t *x, *y;
	size_t nx, ny;
	uint32_t *out;
};

static void insertion_sort(uint32_t *a, size_t len)
{
	for (size_t i = 1; i < len; i++) {
		uint32_t v = a[i];
		size_t j = i;
		for (; j > 0 && a[j - 1] > v; j--)
			a[j] = a[j - 1];
		a[j] = v;
	}
}

static void merge_serial(const struct merge_job *m)
{
	const uint32_t *x = m->x, *y = m->y, *xe = x + m->nx, *ye = y + m->ny;
	uint32_t *out = m->out;

	while (x < xe && y < ye) {
		bool second = *y < *x;
		*out++ = second ? *y : *x;
		y += second;
		x += !second;
	}
	memcpy(out, x, (size_t)(xe - x) * sizeof(*x));
	memcpy(out + (xe - x), y, (size_t)(ye - y) * sizeof(*y));
}

static struct sort_job half_of(const struct sort_job *s, unsigned which)
{
	size_t half = s->n / 2;
	return (struct sort_job){
		.a = s->a + (which ? half : 0),
		.b = s->b + (which ? half : 0),
		.n = which ? s->n - half : half,
		.into_b = !s->into_b,
	};
}

/* The merge that completes s once both halves are sorted. */
static struct merge_job merge_of(const struct sort_job *s)
{
	const uint32_t *from = s->into_b ? s->a : s->b;
	size_t half = s->n / 2;
	return (struct merge_job){
		.x = from,
		.nx = half,
		.y = from + half,
		.ny = s->n - half,
		.out = s->into_b ? s->b : s->a,
	};
}

static void sort_serial(const struct sort_job *s)
{
	if (s->n <= INSERTION) {
		insertion_sort(s->a, s->n);
		if (s->into_b)
			memcpy(s->b, s->a, s->n * sizeof(*s->a));
		return;
	}
	for (unsigned i = 0; i < 2; i++) {
		struct sort_job half = half_of(s, i);
		sort_serial(&half);
	}
	struct merge_job merge = merge_of(s);
	merge_serial(&merge);
}

/* First place in a, sorted, whose number is not below v. */
static size_t lower_bound(const uint32_t *a, size_t len, uint32_t v)
{
	size_t lo = 0;

	while (len > 0) {
		size_t half = len / 2;
		if (a[lo + half] < v) {
			lo += half + 1;
			len -= half + 1;
		} else {
			len = half;
		}
	}
	return lo;
}

static aligned_t merge_tasks(void *arg)
{
	struct merge_job m = *(struct merge_job *)arg;
	aligned_t done;

	if (m.nx + m.ny <= merge_cutoff) {
		merge_serial(&m);
		return 0;
	}
	if (m.nx < m.ny) {
		const uint32_t *p = m.x;
		size_t np = m.nx;
		m.x = m.y, m.nx = m.ny;
		m.y = p, m.ny = np;
	}
	size_t i = m.nx / 2, j = lower_bound(m.y, m.ny, m.x[i]);
	struct merge_job low = { .x = m.x, .nx = i, .y = m.y, .ny = j, .out = m.out };
	struct merge_job high = { .x = m.x + i, .nx = m.nx - i, .y = m.y + j, .ny = m.ny - j, .out = m.out + i + j };
	qthread_fork(merge_tasks, &high, &done);
	merge_tasks(&low);
	qthread_readFF(NULL, &done);
	return 0;
}

static aligned_t sort_tasks(void *arg)
{
	struct sort_job *s = arg;
	aligned_t done;

	if (s->n <= sort_cutoff) {
		sort_serial(s);
		return 0;
	}
	struct sort_job low = half_of(s, 0), high = half_of(s, 1);
	qthread_fork(sort_tasks, &high, &done);
	sort_tasks(&low);
	qthread_readFF(NULL, &done);
	struct merge_job merge = merge_of(s);
	merge_tasks(&merge);
	return 0;
}

static uint64_t scramble(uint64_t v)
{
	v += 0x9e3779b97f4a7c15;
	v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9;
	v = (v ^ v >> 27) * 0x94d049bb133111eb;
	return v ^ v >> 31;
}

static void digest(const uint32_t *a, uint64_t *sum, uint64_t *hash)
{
	*sum = *hash = 0;
	for (size_t i = 0; i < n; i++) {
		*sum += a[i];
		*hash += scramble(a[i]);
	}
}

static void setup(void)
{
	original = malloc(n * sizeof(*original));
	data = malloc(n * sizeof(*data));
	spare = malloc(n * sizeof(*spare));
	if (!original || !data || !spare) {
		fprintf(stderr, "sort: out of memory for %lu numbers\n", n);
		exit(1);
	}
	for (size_t i = 0; i < n; i++)
		original[i] = (uint32_t)scramble(seed << 40 ^ i);
	memset(spare, 0, n * sizeof(*spare));
	digest(original, &expected_sum, &expected_hash);
}

static void before(void)
{
	memcpy(data, original, n * sizeof(*data));
}

static void serial(void)
{
	struct sort_job job = { .a = data, .b = spare, .n = n };

	sort_serial(&job);
}

static void parallel(void)
{
	struct sort_job job = { .a = data, .b = spare, .n = n };
	aligned_t done;

	qthread_fork(sort_tasks, &job, &done);
	qthread_readFF(NULL, &done);
}

static bool check(char *why, size_t size)
{
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
	snprintf(text, size, "%lu numbers, cut-offs: sort %lu, merge %lu", n, sort_cutoff, merge_cutoff);
}

static const struct bench_option options[] = {
	{ "n", "numbers to sort", BENCH_NUMBER, &n, 1, 2000000000, NULL },
	{ "sort-cutoff", "ranges up to this are sorted by one task", BENCH_NUMBER, &sort_cutoff, 2, 2000000000, NULL },
	{ "merge-cutoff", "merges up to this are done by one task", BENCH_NUMBER, &merge_cutoff, 2, 2000000000, NULL },
	{ "seed", "of the numbers", BENCH_NUMBER, &seed, 0, 1 << 20, NULL },
	{ .name = NULL },
};

const struct bench_program bench_program = {
	.about = { "sort", "number", "parallel merge sort of 32-bit numbers with a parallel merge" },
	.options = options,
	.default_reps = 5,
	.untimed = { setup, before },
	.timed = { serial },
	.report = { check, units, describe, NULL },
};

const struct bench_version bench_version = { .parallel = parallel };
