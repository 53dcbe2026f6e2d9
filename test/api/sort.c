/* test/api/sort.c -- every sort orders every array, NaNs and zeros included, and loses nothing.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "every.h"

#include <qthread/qloop.h>
#include <qthread/qutil.h>

#include <math.h>
#include <string.h>

typedef void (*sort_f)(double *, size_t);

static const struct {
	const char *name;
	sort_f sort;
} sorts[] = { { "qutil_qsort", qutil_qsort }, { "qutil_mergesort", qutil_mergesort }, { "qt_qsort", qt_qsort } };

enum { MOST = 140000, SHAPES = 10, SORTS = 3, CHECKS_PER_RUN = SORTS * (SHAPES + 1) + SHAPES + 2 };

static double number[MOST], given[MOST];
static aligned_t word[MOST];
static uint64_t seed = 20261121, state;

static uint64_t random_word(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static const char *const shape_name[SHAPES] = { "random", "sorted", "reversed", "equal", "organ pipe", "few different",
	"all bit patterns", "normal", "half sorted", "one small at the end" };

static double shaped(int shape, size_t i, size_t n)
{
	double x;
	uint64_t bits;

	switch (shape) {
	case 0:
		return (double)(int64_t)random_word();
	case 1:
		return (double)i - 1000;
	case 2:
		return (double)(n - i);
	case 3:
		return -1.5;
	case 4:
		return (double)(i < n / 2 ? i : n - i);
	case 5:
		return (double)(random_word() % 5) - 2;
	case 6:
		bits = random_word() << random_word() % 64;
		memcpy(&x, &bits, sizeof(x));
		return x;
	case 7:
		x = 0;
		for (int k = 0; k < 12; k++)
			x += (double)(random_word() >> 11) / 9007199254740992.0 - 0.5;
		return x;
	case 8:
		return i < n / 2 ? (double)i : (double)(random_word() % n);
	default:
		return i == n - 1 ? -1 : (double)i;
	}
}

/* Where IEEE 754's total order has a number, but all NaNs last. */
static int compare(const void *a, const void *b)
{
	int64_t x, y;
	const bool x_nan = isnan(*(const double *)a), y_nan = isnan(*(const double *)b);

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	if (x_nan && y_nan && (x < 0) != (y < 0))
		return x < 0 ? 1 : -1;
	if (x_nan != y_nan)
		return x_nan - y_nan;
	if ((x < 0) != (y < 0))
		return x < 0 ? -1 : 1;
	return x < 0 ? (x < y) - (x > y) : (x > y) - (x < y);
}

/* The same bit patterns, in whatever order, give the same. */
static uint64_t digest(const void *array, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t x;
		memcpy(&x, (const char *)array + i * sizeof(x), sizeof(x));
		x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
		sum += x ^ x >> 31;
	}
	return sum;
}

static bool numbers_sorted(const double *array, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (compare(&array[i - 1], &array[i]) > 0)
			return false;
	return digest(array, n) == digest(given, n);
}

static bool words_sorted(const aligned_t *array, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (array[i - 1] > array[i])
			return false;
	return digest(array, n) == digest(given, n);
}

/* Around the sizes where something changes. */
static const size_t lengths[] = { 0, 1, 2, 3, 31, 32, 33, 100, 1000, 16383, 16384, MOST };
enum { LENGTHS = sizeof(lengths) / sizeof(lengths[0]) };

static void make(int shape, size_t n)
{
	state = seed * UINT64_C(0x9e3779b97f4a7c15) + n + (uint64_t)shape;
	for (size_t i = 0; i < n; i++)
		given[i] = shaped(shape, i, n);
	memcpy(word, given, n * sizeof(*word));
}

/* Long arrays of some shapes only where everything is slow. */
static bool too_long(int shape, size_t n)
{
	return every_is_slow() && (n > 20000 || (n > 5000 && shape % 4 != 0));
}

/* Long arrays by one name only, another one each time. */
static bool sort_length(int s, int shape, size_t n)
{
	if (n > 5000 && s != shape % SORTS)
		return true;
	memcpy(number, given, n * sizeof(*number));
	sorts[s].sort(number, n);
	return numbers_sorted(number, n);
}

static void sort_shape(const char *what, int shape)
{
	bool right[SORTS] = { true, true, true }, words_right = true;

	for (int l = 0; l < LENGTHS; l++) {
		if (too_long(shape, lengths[l]))
			continue;
		make(shape, lengths[l]);
		for (int s = 0; s < SORTS; s++)
			right[s] = sort_length(s, shape, lengths[l]) && right[s];
		qutil_aligned_qsort(word, lengths[l]);
		words_right = words_sorted(word, lengths[l]) && words_right;
	}
	for (int s = 0; s < SORTS; s++)
		ok(right[s], "%s: %s: %s numbers", sorts[s].name, what, shape_name[shape]);
	ok(words_right, "qutil_aligned_qsort: %s: %s words", what, shape_name[shape]);
}

static void zeros_and_nans(const char *what)
{
	static const double in[] = { NAN, 0.0, INFINITY, -NAN, -0.0, 1, -INFINITY, 0.0, -1, -0.0, NAN };
	enum { N = sizeof(in) / sizeof(in[0]) };

	for (int s = 0; s < SORTS; s++) {
		double x[N];
		memcpy(x, in, sizeof(x));
		sorts[s].sort(x, N);
		bool right = x[0] == -INFINITY && x[1] == -1 && x[6] == 1 && x[7] == INFINITY;
		for (int i = 2; i < 6; i++)
			right = right && x[i] == 0 && !signbit(x[i]) == (i >= 4);
		for (int i = 8; i < N; i++)
			right = right && isnan(x[i]) && !signbit(x[i]) == (i < 10);
		ok(right, "%s: %s: -0 before 0, NaNs last", sorts[s].name, what);
	}
}

/* Several at a time, from tasks: they wait in each other's workers. */
static aligned_t sort_part(void *arg)
{
	qutil_qsort(arg, MOST / 8);
	return 0;
}

static void side_by_side(const char *what)
{
	aligned_t done[8];
	bool right = true;
	const size_t n = MOST / 8;

	make(0, MOST);
	memcpy(number, given, sizeof(number));
	for (int i = 0; i < 8; i++)
		qthread_fork(sort_part, &number[i * n], &done[i]);
	for (int i = 0; i < 8; i++) {
		qthread_readFF(NULL, &done[i]);
		for (size_t j = i * n + 1; j < (i + 1) * n; j++)
			right = right && number[j - 1] <= number[j];
	}
	ok(right, "qutil_qsort: %s: in several tasks at a time", what);
}

static void outside(void *arg)
{
	const size_t n = every_is_slow() ? 20000 : MOST;

	make(0, n);
	memcpy(number, given, n * sizeof(*number));
	qutil_qsort(number, n);
	ok(numbers_sorted(number, n), "qutil_qsort: %s", (const char *)arg);
}

static void run(const char *what)
{
	char text[96];

	for (int shape = 0; shape < SHAPES; shape++)
		sort_shape(what, shape);
	zeros_and_nans(what);
	side_by_side(what);
	snprintf(text, sizeof(text), "%s: from an external thread", what);
	every_outside(outside, text);
}

int main(void)
{
	if (getenv("QTI_SEED"))
		seed = strtoull(getenv("QTI_SEED"), NULL, 0);
	diag("QTI_SEED=%llu", (unsigned long long)seed);
	plan(every_runs() * CHECKS_PER_RUN + 2);
	outside("down: the caller sorts");
	qutil_qsort(NULL, 5);
	qutil_mergesort(NULL, 5);
	qt_qsort(NULL, 5);
	qutil_aligned_qsort(NULL, 5);
	ok(true, "qutil_qsort: NULL is an array of no numbers");
	every_runtime(run);
	return done();
}
