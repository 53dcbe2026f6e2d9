/* test/api/allpairs.c -- every pair of elements once.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "every.h"

#include <qthread/allpairs.h>

#include <string.h>

enum { CHECKS_PER_RUN = 7, OTHER_CHECKS = 2, MOST = 90000 };

/* Each element knows its index; pair (i, j) counts at i * columns + j. */
static size_t columns;
static aligned_t runs[MOST];

static void count_pair(void const *unit1, void const *unit2)
{
	qthread_incr(&runs[*(size_t const *)unit1 * columns + *(size_t const *)unit2], 1);
}

static void store_pair(void const *unit1, void const *unit2, void *restrict out)
{
	const uint32_t pair[2] = { (uint32_t)*(size_t const *)unit1, (uint32_t)*(size_t const *)unit2 };

	memcpy(out, pair, sizeof(pair));
}

static qarray *numbered(size_t n, distribution_t d)
{
	qarray *a = qarray_create_configured(n, 24, d, 0, 1);

	if (!a)
		bail_out("no memory for an array");
	for (size_t i = 0; i < n; i++)
		*(size_t *)qarray_elem(a, i) = i;
	return a;
}

static bool each_once(size_t n)
{
	for (size_t i = 0; i < MOST; i++) {
		if (runs[i] != (i < n)) {
			diag("pair (%zu, %zu) %d times", i / columns, i % columns, (int)runs[i]);
			return false;
		}
	}
	return true;
}

static bool pairs_right(const qarray *x, const qarray *y)
{
	memset(runs, 0, sizeof(runs));
	columns = y->count;
	qt_allpairs(x, y, count_pair);
	return each_once(x->count * y->count);
}

static bool output_right(const qarray *x, const qarray *y, size_t outsize)
{
	void **row = malloc(x->count * sizeof(*row));
	bool right = true;

	for (size_t i = 0; i < x->count; i++) {
		row[i] = malloc(y->count * outsize);
		memset(row[i], 0xee, y->count * outsize);
	}
	qt_allpairs_output(x, y, store_pair, row, outsize);
	for (size_t i = 0; i < x->count; i++) {
		for (size_t j = 0; j < y->count; j++) {
			const char *out = (char *)row[i] + j * outsize;
			uint32_t pair[2];
			memcpy(pair, out, sizeof(pair));
			right = right && pair[0] == i && pair[1] == j;
			for (size_t b = sizeof(pair); b < outsize; b++)
				right = right && (unsigned char)out[b] == 0xee;
		}
		free(row[i]);
	}
	free(row);
	return right;
}

static void shapes(const char *what)
{
	const size_t big = every_scaled(300);
	const struct {
		size_t rows, columns;
		distribution_t x, y;
	} shape[] = {
		{ big, big, FIXED_HASH, FIXED_HASH }, { 1, 9 * big, FIXED_FIELDS, DIST }, { 9 * big, 1, DIST, ALL_LEAST },
		{ 3, 7 * big, ALL_RAND, FIXED_HASH }, { 1, 1, DIST_LEAST, DIST_RAND },
	};
	bool pairs = true, output = true;

	for (size_t s = 0; s < sizeof(shape) / sizeof(shape[0]); s++) {
		qarray *x = numbered(shape[s].rows, shape[s].x), *y = numbered(shape[s].columns, shape[s].y);
		pairs = pairs_right(x, y) && pairs;
		output = output_right(x, y, 8) && output_right(x, y, 13) && output;
		qarray_destroy(x);
		qarray_destroy(y);
	}
	ok(pairs, "%s: qt_allpairs calls once for each pair", what);
	ok(output, "%s: qt_allpairs_output stores each result in its place", what);
}

static void one_array(const char *what)
{
	qarray *x = numbered(every_scaled(250), DIST_STRIPES);

	ok(pairs_right(x, x), "%s: qt_allpairs of an array with itself", what);
	qarray_destroy(x);
}

static void bad_arguments(const char *what)
{
	qarray *x = numbered(10, FIXED_HASH);
	void *row[10] = { NULL };

	memset(runs, 0, sizeof(runs));
	columns = 10;
	qt_allpairs(NULL, x, count_pair);
	qt_allpairs(x, NULL, count_pair);
	qt_allpairs(x, x, NULL);
	ok(each_once(0), "%s: qt_allpairs without an array or a function does nothing", what);
	qt_allpairs_output(NULL, x, store_pair, row, 8);
	qt_allpairs_output(x, NULL, store_pair, row, 8);
	qt_allpairs_output(x, x, NULL, row, 8);
	qt_allpairs_output(x, x, store_pair, NULL, 8);
	ok(each_once(0), "%s: qt_allpairs_output without an array, a function or an output does nothing", what);
	qarray_destroy(x);
}

static void outside(void *arg)
{
	qarray *x = numbered(70, FIXED_FIELDS), *y = numbered(400, FIXED_HASH);

	ok(pairs_right(x, y), "%s: qt_allpairs from an external thread", (const char *)arg);
	ok(output_right(x, y, 8), "%s: qt_allpairs_output from an external thread", (const char *)arg);
	qarray_destroy(x);
	qarray_destroy(y);
}

static void run(const char *what)
{
	shapes(what);
	one_array(what);
	bad_arguments(what);
	every_outside(outside, (void *)what);
}

static void no_runtime(void)
{
	every_start("mts", "4", "1");
	qarray *x = numbered(100, DIST), *y = numbered(50, ALL_SAME);
	ok(pairs_right(x, y), "qt_allpairs: with four shepherds");
	qthread_finalize();
	ok(pairs_right(x, y), "qt_allpairs: without a runtime the caller runs the pairs");
	qarray_destroy(x);
	qarray_destroy(y);
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN + OTHER_CHECKS);
	no_runtime();
	every_runtime(run);
	return done();
}
