/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "fft/fft.h"

#include <math.h>
#include <string.h>

enum { LEVELS = 16 };

unsigned long fft_depth = 2;
static unsigned long n, seed = 1;

static struct fft_number *original, *in, *out, *twin;
static struct fft_number *roots[LEVELS]; /* of levels above the leaves */

struct fft_number *fft_roots(unsigned level)
{
	return roots[level];
}

struct fft_step fft_whole(void)
{
	return (struct fft_step){ in, out, n, 0 };
}

/* Of the two parts of a number, at 2 * i and 2 * i + 1: between -1 and 1. */
static double random_part(uint64_t i)
{
	return (double)(int64_t)bench_scramble((seed << 40) ^ i) * 0x1p-63;
}

static void setup(void)
{
	static const unsigned long sizes[BENCH_SIZES] = { 1 << 13, 1 << 20, 1 << 22, 1 << 25 };
	unsigned level = 0;

	n = bench_by_size(n, sizes);
	if (n & (n - 1))
		bench_usage("fft", "--n %lu: must be a power of two", n);
	original = bench_room("fft", n, sizeof(*original));
	in = bench_room("fft", n, sizeof(*in));
	out = bench_room("fft", n, sizeof(*out));
	for (size_t i = 0; i < n; i++)
		original[i] = (struct fft_number){ random_part(2 * i), random_part(2 * i + 1) };
	for (size_t size = n; size > FFT_LEAF; size /= FFT_RADIX)
		roots[level++] = bench_room("fft", size / FFT_RADIX, sizeof(**roots));
	fft_leaf_roots();
}

static void before(void)
{
	memcpy(in, original, n * sizeof(*in));
	memset(out, 0, n * sizeof(*out));
}

static void serial(void)
{
	const struct fft_step whole = fft_whole();
	struct fft_step s = whole;

	for (; s.n > FFT_LEAF; s = fft_below(&s, 0))
		fft_coefficients(&s, 0, s.n / FFT_RADIX);
	fft_serial(&whole);
}

/* Some numbers of the twin's answer, added up as the definition has it. */
static bool check_twin(char *why, size_t size)
{
	const size_t places[] = { 1 % n, n / 3, n - 1 };

	for (unsigned p = 0; p < sizeof(places) / sizeof(places[0]); p++) {
		const size_t k = places[p];
		double re = 0, im = 0;

		for (size_t i = 0; i < n; i++) {
			const double angle = -2 * M_PI * (double)((i * k) & (n - 1)) / (double)n;
			const double c = cos(angle), s = sin(angle);
			re += original[i].re * c - original[i].im * s;
			im += original[i].re * s + original[i].im * c;
		}
		if (hypot(twin[k].re - re, twin[k].im - im) <= 1e-9 * sqrt((double)n))
			continue;
		snprintf(why, size, "number %zu of the serial twin's is %g + %g i, must be %g + %g i", k, twin[k].re,
			twin[k].im, re, im);
		return false;
	}
	return true;
}

static bool learn_answer(char *why, size_t size)
{
	struct fft_number *keep = out;

	twin = bench_room("fft", n, sizeof(*twin));
	out = twin;
	before();
	serial();
	out = keep;
	return check_twin(why, size);
}

static bool check(char *why, size_t size)
{
	if (!twin && !learn_answer(why, size))
		return false;
	for (size_t i = 0; i < n; i++)
		if (memcmp(&out[i], &twin[i], sizeof(*out)) != 0) {
			snprintf(why, size, "number %zu is %g + %g i, the serial twin has %g + %g i", i, out[i].re,
				out[i].im, twin[i].re, twin[i].im);
			return false;
		}
	return true;
}

static double units(void)
{
	return (double)n;
}

static void describe(char *text, size_t size)
{
	if (bench_cutoff == BENCH_NONE)
		snprintf(text, size, "%lu complex numbers", n);
	else
		snprintf(text, size, "%lu complex numbers, tasks down to depth %lu", n, fft_depth);
}

static double range_tasks(size_t places)
{
	return places <= FFT_GRAIN ? 0 : 2 + 2 * range_tasks(places / 2);
}

static double tasks(void)
{
	const unsigned long limit = bench_cutoff == BENCH_NONE ? LEVELS : fft_depth;
	double count = 0, transforms = 1;
	unsigned level = 0;

	for (size_t size = n; size > FFT_LEAF; size /= FFT_RADIX, transforms *= FFT_RADIX, level++) {
		count += range_tasks(size / FFT_RADIX);
		if (level < limit)
			count += transforms * (2 * range_tasks(size / FFT_RADIX) + FFT_RADIX);
	}
	return count;
}

static const struct bench_option options[] = {
	{ "n", "how many numbers, a power of two; 2^13, 2^20, 2^22, 2^25 by size", BENCH_NUMBER, &n, 1, 1ul << 32,
		NULL },
	{ "cutoff-depth", "how deep the cut-off lies; each level has an eighth of the size", BENCH_NUMBER, &fft_depth,
		1, LEVELS, NULL },
	{ "seed", "of the numbers", BENCH_NUMBER, &seed, 0, 1 << 20, NULL },
	{ .name = NULL },
};

const struct bench_program bench_program = {
	.about = { "fft", "number", "Fourier transform of complex numbers; every transform in it is a task" },
	.options = options,
	.takes = { .size = true, .cutoff = true },
	.default_reps = 5,
	.untimed = { setup, before },
	.timed = { serial },
	.report = { check, units, describe, tasks },
};
