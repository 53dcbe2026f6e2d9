/* test/api/reduce.c -- sums, products and extremes of arrays, under both sets of names.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "every.h"

#include <qthread/qloop.h>
#include <qthread/qutil.h>

#include <math.h>
#include <string.h>

enum { MOST = 1 << 16, ARRAYS = 12, CHECKS_PER_RUN = 24 + 12 + 2 };

typedef double (*double_f)(double *, size_t, int);
typedef double (*double_const_f)(double const *, size_t, int);
typedef saligned_t (*int_f)(saligned_t *, size_t, int);
typedef saligned_t (*int_const_f)(saligned_t const *, size_t, int);
typedef aligned_t (*uint_f)(aligned_t *, size_t, int);
typedef aligned_t (*uint_const_f)(aligned_t const *, size_t, int);
typedef void (*acc_f)(void *restrict, void const *restrict);

/* Name, the other name, what folds two, the result of nothing. */
static const struct {
	const char *name, *other_name;
	double_f f;
	double_const_f other;
	acc_f acc;
	double neutral;
} doubles[] = {
	{ "qt_double_sum", "qutil_double_sum", qt_double_sum, qutil_double_sum, qt_dbl_add_acc, 0 },
	{ "qt_double_prod", "qutil_double_mult", qt_double_prod, qutil_double_mult, qt_dbl_prod_acc, 1 },
	{ "qt_double_max", "qutil_double_max", qt_double_max, qutil_double_max, qt_dbl_max_acc, -INFINITY },
	{ "qt_double_min", "qutil_double_min", qt_double_min, qutil_double_min, qt_dbl_min_acc, INFINITY },
};

static const struct {
	const char *name, *other_name;
	int_f f;
	int_const_f other;
	acc_f acc;
	saligned_t neutral;
} ints[] = {
	{ "qt_int_sum", "qutil_int_sum", qt_int_sum, qutil_int_sum, qt_int_add_acc, 0 },
	{ "qt_int_prod", "qutil_int_mult", qt_int_prod, qutil_int_mult, qt_int_prod_acc, 1 },
	{ "qt_int_max", "qutil_int_max", qt_int_max, qutil_int_max, qt_int_max_acc, INT64_MIN },
	{ "qt_int_min", "qutil_int_min", qt_int_min, qutil_int_min, qt_int_min_acc, INT64_MAX },
};

static const struct {
	const char *name, *other_name;
	uint_f f;
	uint_const_f other;
	acc_f acc;
	aligned_t neutral;
} uints[] = {
	{ "qt_uint_sum", "qutil_uint_sum", qt_uint_sum, qutil_uint_sum, qt_uint_add_acc, 0 },
	{ "qt_uint_prod", "qutil_uint_mult", qt_uint_prod, qutil_uint_mult, qt_uint_prod_acc, 1 },
	{ "qt_uint_max", "qutil_uint_max", qt_uint_max, qutil_uint_max, qt_uint_max_acc, 0 },
	{ "qt_uint_min", "qutil_uint_min", qt_uint_min, qutil_uint_min, qt_uint_min_acc, UINT64_MAX },
};

/* ---- Random arrays, each of another length; the seed is fixed by QTI_SEED or by this. */

static uint64_t seed = 20261121, state;

static uint64_t random_word(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static size_t length_of(int a)
{
	static const size_t length[] = { 0, 1, 2, 7, 8, 9, 63, 65, 4095, 4097, 20001 };

	return a < ARRAYS - 1 ? length[a] : MOST - 5;
}

static aligned_t word[MOST];
static double number[MOST];

/* Doubles near 1, so that a product is a number; whole ones that a sum in any order gets right. */
static void fill_arrays(int a)
{
	state = seed + (uint64_t)a * UINT64_C(0x9e3779b97f4a7c15);
	for (size_t i = 0; i < length_of(a); i++) {
		word[i] = random_word() | 1;
		number[i] = (double)(int64_t)(word[i] % 2001) - 1000;
	}
}

static bool same_bits(double x, double y)
{
	return memcmp(&x, &y, sizeof(x)) == 0;
}

static double fold_doubles(int op, size_t n)
{
	double all = doubles[op].neutral;

	for (size_t i = 0; i < n; i++)
		doubles[op].acc(&all, &number[i]);
	return all;
}

/* The product of many whole numbers is infinite or 0: take such as keep it small, in the order of the indices and by
 * lanes. */
static void make_powers(size_t n)
{
	for (size_t i = 0; i < n; i++)
		number[i] = (i / 8 % 2 ? 2 : 0.5) * (word[i] >> 63 ? -1 : 1);
}

static void reduce_doubles(const char *what)
{
	for (int op = 0; op < 4; op++) {
		bool right = true, other = true;
		for (int a = 0; a < ARRAYS; a++) {
			const size_t n = length_of(a);
			fill_arrays(a);
			if (op == 1)
				make_powers(n);
			const double want = fold_doubles(op, n);
			right = right && doubles[op].f(number, n, 0) == want;
			other = other && doubles[op].other(number, n, 0) == want;
		}
		ok(right, "%s: %s", doubles[op].name, what);
		ok(other, "%s: %s", doubles[op].other_name, what);
	}
}

static void reduce_ints(const char *what)
{
	saligned_t *array = (saligned_t *)word;

	for (int op = 0; op < 4; op++) {
		bool right = true, other = true;
		for (int a = 0; a < ARRAYS; a++) {
			saligned_t want = ints[op].neutral;
			fill_arrays(a);
			for (size_t i = 0; i < length_of(a); i++)
				ints[op].acc(&want, &array[i]);
			right = right && ints[op].f(array, length_of(a), 0) == want;
			other = other && ints[op].other(array, length_of(a), 0) == want;
		}
		ok(right, "%s: %s", ints[op].name, what);
		ok(other, "%s: %s", ints[op].other_name, what);
	}
}

static void reduce_uints(const char *what)
{
	for (int op = 0; op < 4; op++) {
		bool right = true, other = true;
		for (int a = 0; a < ARRAYS; a++) {
			aligned_t want = uints[op].neutral;
			fill_arrays(a);
			for (size_t i = 0; i < length_of(a); i++)
				uints[op].acc(&want, &word[i]);
			right = right && uints[op].f(word, length_of(a), 0) == want;
			other = other && uints[op].other(word, length_of(a), 0) == want;
		}
		ok(right, "%s: %s", uints[op].name, what);
		ok(other, "%s: %s", uints[op].other_name, what);
	}
}

/* ---- Numbers that become full by and by */

enum { WAITED = 300 };

static aligned_t fill_later(void *arg)
{
	(void)arg;
	for (size_t i = WAITED; i-- > 0;) {
		const aligned_t value = 3 * i + 1;
		if (i % 16 == 0)
			qthread_yield();
		qthread_writeEF(&word[i], &value);
	}
	return 0;
}

static aligned_t fill_doubles_later(void *arg)
{
	(void)arg;
	for (size_t i = WAITED; i-- > 0;) {
		const double value = i % 2 ? 0.5 : 2;
		aligned_t bits;
		memcpy(&bits, &value, sizeof(bits));
		if (i % 16 == 0)
			qthread_yield();
		qthread_writeEF((aligned_t *)&number[i], &bits);
	}
	return 0;
}

static void empty_all(void *array, qthread_f filler, aligned_t *done)
{
	for (size_t i = 0; i < WAITED; i++)
		qthread_purge_to_const((aligned_t *)array + i, 999);
	qthread_fork(filler, NULL, done);
}

static void wait_for_words(const char *what)
{
	static const aligned_t uint_want[] = { 3 * (WAITED * (WAITED - 1) / 2) + WAITED, 0, 3 * (WAITED - 1) + 1, 1 };
	static const double double_want[] = { WAITED / 2 * 2.5, 1, 2, 0.5 };
	aligned_t done, product = 1;

	for (size_t i = 0; i < WAITED; i++)
		product *= 3 * i + 1;
	for (int op = 0; op < 4; op++) {
		const aligned_t want = op == 1 ? product : uint_want[op];
		empty_all(word, fill_later, &done);
		aligned_t got = op % 2 ? uints[op].f(word, WAITED, 1) : uints[op].other(word, WAITED, 1);
		ok(got == want && qthread_feb_status(&word[5]), "%s: %s: waits for full words", uints[op].name, what);
		qthread_readFF(NULL, &done);

		empty_all(word, fill_later, &done);
		got = (aligned_t)(op % 2 ? ints[op].other((saligned_t *)word, WAITED, 1)
					 : ints[op].f((saligned_t *)word, WAITED, 1));
		ok(op == 1 ? got == product : got == want, "%s: %s: waits for full words", ints[op].name, what);
		qthread_readFF(NULL, &done);

		empty_all(number, fill_doubles_later, &done);
		const double sum = op % 2 ? doubles[op].f(number, WAITED, 1) : doubles[op].other(number, WAITED, 1);
		ok(sum == double_want[op], "%s: %s: waits for full words", doubles[op].name, what);
		qthread_readFF(NULL, &done);
	}
}

/* ---- Rounding */

/* Each runtime must come to the same bits as the first. */
static void rounding(const char *what)
{
	static double first_sum, first_product;
	static bool first = true;
	const size_t n = length_of(ARRAYS - 1);

	fill_arrays(ARRAYS - 1);
	for (size_t i = 0; i < n; i++)
		number[i] = 1 + ((double)(word[i] >> 11) / 9007199254740992.0 - 0.5) / 1000;
	const double sum = qt_double_sum(number, n, 0), product = qutil_double_mult(number, n, 0);
	if (first) {
		first_sum = sum;
		first_product = product;
		first = false;
	}
	ok(same_bits(sum, first_sum) && same_bits(product, first_product),
		"qt_double_sum: %s: the same bits as under any other scheduler", what);
	ok(same_bits(sum, qt_double_sum(number, n, 1)) && same_bits(product, qt_double_prod(number, n, 1)),
		"qt_double_sum: %s: and when it waits for full words", what);
}

static void run(const char *what)
{
	reduce_doubles(what);
	reduce_ints(what);
	reduce_uints(what);
	wait_for_words(what);
	rounding(what);
}

/* ---- Once */

static void nan_and_null(void)
{
	double some[] = { 3, NAN, -7, NAN, 5 }, none[] = { NAN, NAN };

	ok(qt_double_max(some, 5, 0) == 5 && qutil_double_max(none, 2, 0) == -INFINITY, "qt_double_max passes NaNs over");
	ok(qt_double_min(some, 5, 0) == -7 && qutil_double_min(none, 2, 0) == INFINITY, "qt_double_min passes NaNs over");
	ok(isnan(qt_double_sum(some, 5, 0)), "qt_double_sum of a NaN is a NaN");
	ok(isnan(qutil_double_mult(some, 5, 0)), "qutil_double_mult of a NaN is a NaN");
	bool right = true;
	for (int op = 0; op < 4; op++) {
		right = right && doubles[op].f(NULL, 10, 1) == doubles[op].neutral;
		right = right && ints[op].f(NULL, 10, 1) == ints[op].neutral;
		right = right && uints[op].f(NULL, 10, 1) == uints[op].neutral;
	}
	ok(right, "qt_double_sum and the others: NULL is an array of no numbers");
}

static void outside(void *arg)
{
	fill_arrays(ARRAYS - 1);
	*(bool *)arg = qt_double_sum(number, length_of(ARRAYS - 1), 1) == fold_doubles(0, length_of(ARRAYS - 1));
}

int main(void)
{
	bool right = false;

	if (getenv("QTI_SEED"))
		seed = strtoull(getenv("QTI_SEED"), NULL, 0);
	diag("QTI_SEED=%llu", (unsigned long long)seed);
	plan(every_runs() * CHECKS_PER_RUN + 5 + 2);
	nan_and_null();
	outside(&right);
	ok(right, "qt_double_sum: down: the caller adds up");
	every_runtime(run);
	every_start("mts", "1", "2");
	every_outside(outside, &right);
	ok(right, "qt_double_sum: from an external thread");
	qthread_finalize();
	return done();
}
