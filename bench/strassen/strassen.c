/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "strassen/strassen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

unsigned long strassen_depth = 3;
static unsigned long n, seed = 1;

static struct strassen_matrix a, b, c, twin;

struct strassen_product strassen_whole(void)
{
	return (struct strassen_product){ a, b, c, n, 0 };
}

static struct strassen_matrix matrix_room(void)
{
	return (struct strassen_matrix){ bench_room("strassen", n * n, sizeof(double)), n };
}

/* Number i of many, between -1 and 1. */
static double random_number(uint64_t i)
{
	return (double)(int64_t)bench_scramble((seed << 40) ^ i) * 0x1p-63;
}

static void setup(void)
{
	static const unsigned long sizes[BENCH_SIZES] = { 256, 1024, 2048, 8192 };

	n = bench_by_size(n, sizes);
	if (n < STRASSEN_BASE || (n & (n - 1)))
		bench_usage("strassen", "--n %lu: must be a power of two, %d at least", n, STRASSEN_BASE);
	a = matrix_room();
	b = matrix_room();
	c = matrix_room();
	for (size_t i = 0; i < n * n; i++) {
		a.at[i] = random_number(2 * i);
		b.at[i] = random_number(2 * i + 1);
	}
}

static void before(void)
{
	memset(c.at, 0, n * n * sizeof(*c.at));
}

static void serial(void)
{
	const struct strassen_product whole = strassen_whole();

	strassen_serial(&whole);
}

/* y = m * x */
static void apply(const struct strassen_matrix *m, double *y, const double *x)
{
	for (size_t i = 0; i < n; i++) {
		double sum = 0;
		for (size_t j = 0; j < n; j++)
			sum += m->at[i * m->step + j] * x[j];
		y[i] = sum;
	}
}

/* Does the twin's product do to some x what b and then a do to it? */
static bool check_twin(char *why, size_t size)
{
	double *room = bench_room("strassen", 4 * n, sizeof(*room));
	double *x = room, *half = x + n, *whole = half + n, *product = whole + n, off = 0, most = 0;

	for (size_t i = 0; i < n; i++)
		x[i] = random_number(i);
	apply(&b, half, x);
	apply(&a, whole, half);
	apply(&twin, product, x);
	for (size_t i = 0; i < n; i++) {
		off = fmax(off, fabs(whole[i] - product[i]));
		most = fmax(most, fabs(whole[i]));
	}
	free(room);
	if (off <= 1e-9 * most)
		return true;
	snprintf(why, size, "(A B) x is off A (B x) by %g of its greatest", off / most);
	return false;
}

static bool learn_answer(char *why, size_t size)
{
	const struct strassen_matrix keep = c;

	twin = matrix_room();
	c = twin;
	serial();
	c = keep;
	return check_twin(why, size);
}

static bool check(char *why, size_t size)
{
	if (!twin.at && !learn_answer(why, size))
		return false;
	for (size_t i = 0; i < n * n; i++)
		if (memcmp(&c.at[i], &twin.at[i], sizeof(*c.at)) != 0) {
			snprintf(why, size, "row %zu, column %zu is %g, the serial twin has %g", i / n, i % n, c.at[i],
				twin.at[i]);
			return false;
		}
	return true;
}

/* Products down to a depth, the whole one left out. */
static double products(unsigned long depth)
{
	double count = 0, of_size = 1;

	for (size_t size = n; size > STRASSEN_BASE && depth > 0; size /= 2, depth--)
		count += of_size *= STRASSEN_PARTS;
	return count;
}

static double units(void)
{
	return products(n) + 1;
}

static double tasks(void)
{
	return products(bench_cutoff == BENCH_NONE ? n : strassen_depth);
}

static void describe(char *text, size_t size)
{
	if (bench_cutoff == BENCH_NONE)
		snprintf(text, size, "%lu x %lu numbers", n, n);
	else
		snprintf(text, size, "%lu x %lu numbers, tasks down to depth %lu", n, n, strassen_depth);
}

static const struct bench_option options[] = {
	{ "n", "rows and columns, a power of two; 256, 1024, 2048, 8192 by size", BENCH_NUMBER, &n, STRASSEN_BASE,
		1 << 17, NULL },
	{ "cutoff-depth", "how deep the cut-off lies; each level halves the size", BENCH_NUMBER, &strassen_depth, 1, 16,
		NULL },
	{ "seed", "of the numbers", BENCH_NUMBER, &seed, 0, 1 << 20, NULL },
	{ .name = NULL },
};

const struct bench_program bench_program = {
	.about = { "strassen", "product", "product of matrices; every product of parts of them is a task" },
	.options = options,
	.takes = { .size = true, .cutoff = true },
	.default_reps = 5,
	.untimed = { setup, before },
	.timed = { serial },
	.report = { check, units, describe, tasks },
};
