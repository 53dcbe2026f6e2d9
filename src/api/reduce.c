/* api/reduce.c -- sums, products, extremes of arrays, on public calls alone.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An array is cut into parts whose length depends on the length of the array alone.  A part is folded in lanes: number
 * i of the part goes to lane i mod REDUCE_LANES, and the lanes are folded in their order; then so are the parts.  Thus
 * the operations on doubles, and so the last bit of a result, are the same under every scheduler and on any number of
 * workers.
 */
#include "base/give_way.h"
#include "base/tuning.h"
#include "qthread/qloop.h"
#include "qthread/qutil.h"

#include <math.h>
#include <string.h>

enum {
	REDUCE_LANES = 8,               /* additions under way at the same time */
	REDUCE_PARTS = 256,             /* at most; their results lie on the caller's stack */
	REDUCE_FETCH = 64,              /* numbers waited for before they are folded; a multiple of the lanes */
};

union number {
	double d;
	saligned_t i;
	aligned_t u;
};

_Static_assert(sizeof(union number) == sizeof(aligned_t), "every number is a word");

struct reduce_op {
	/* Fold n numbers of an array into the lanes, the first one into lane 0. */
	void (*fold)(union number *lane, const void *array, size_t n);
	union number (*pair)(union number x, union number y);
	union number neutral;
};

/* ---- The operations */

/* x is what there is, y the number that comes to it.  The lanes are written out one by one, and folded in variables of
 * their own: so compilers keep them in registers, most of them two to a register. */
#define OPERATION(name, type, member, neutral_number, expression)                       \
	static inline type name##_step(const type x, const type y)                      \
	{                                                                               \
		return (expression);                                                    \
	}                                                                               \
	static union number name##_pair(union number x, union number y)                 \
	{                                                                               \
		return (union number){ .member = name##_step(x.member, y.member) };     \
	}                                                                               \
	static void name##_fold(union number *lane, const void *array, size_t n)        \
	{                                                                               \
		const type *number = array, *const end = number + n;                    \
		type acc[REDUCE_LANES];                                                 \
		for (size_t j = 0; j < REDUCE_LANES; j++)                               \
			acc[j] = lane[j].member;                                        \
		for (; end - number >= REDUCE_LANES; number += REDUCE_LANES) {          \
			acc[0] = name##_step(acc[0], number[0]);                        \
			acc[1] = name##_step(acc[1], number[1]);                        \
			acc[2] = name##_step(acc[2], number[2]);                        \
			acc[3] = name##_step(acc[3], number[3]);                        \
			acc[4] = name##_step(acc[4], number[4]);                        \
			acc[5] = name##_step(acc[5], number[5]);                        \
			acc[6] = name##_step(acc[6], number[6]);                        \
			acc[7] = name##_step(acc[7], number[7]);                        \
		}                                                                       \
		for (size_t j = 0; j < REDUCE_LANES; j++)                               \
			lane[j].member = acc[j];                                        \
		for (; number < end; number++, lane++)                                  \
			lane->member = name##_step(lane->member, *number);              \
	}                                                                               \
	static const struct reduce_op name = {                                          \
		.fold = name##_fold, .pair = name##_pair, .neutral = { .member = (neutral_number) } };

_Static_assert(REDUCE_LANES == 8, "OPERATION writes out every lane");

OPERATION(double_sum, double, d, 0, x + y)
OPERATION(double_product, double, d, 1, x * y)
OPERATION(double_max, double, d, -INFINITY, y > x ? y : x)
OPERATION(double_min, double, d, INFINITY, y < x ? y : x)
/* Modulo 2^64, and so the same for signed numbers. */
OPERATION(whole_sum, aligned_t, u, 0, x + y)
OPERATION(whole_product, aligned_t, u, 1, x * y)
OPERATION(uint_max, aligned_t, u, 0, y > x ? y : x)
OPERATION(uint_min, aligned_t, u, UINT64_MAX, y < x ? y : x)
OPERATION(int_max, saligned_t, i, INT64_MIN, y > x ? y : x)
OPERATION(int_min, saligned_t, i, INT64_MAX, y < x ? y : x)

/* ---- Arrays */

struct reduction {
	const struct reduce_op *op;
	const aligned_t *array;
	size_t length;
	size_t part;                    /* numbers in each part but the last */
	bool wait;                      /* for each number to be full */
	union number result[REDUCE_PARTS];
};

/* The value of a word, of whatever type, once it is full.  While the runtime is down every word is.  Waiting takes
 * memory for a stack; where there is none, ask again after others have run. */
static void word_fetch(union number *to, const aligned_t *word)
{
	aligned_t value;
	int rc;

	while ((rc = qthread_readFF(&value, word)) == QTHREAD_MALLOC_ERROR)
		qti_give_way();
	memcpy(to, rc == QTHREAD_SUCCESS ? &value : word, sizeof(*to));
}

static void part_fold_full(const struct reduction *r, union number *lane, const aligned_t *from, size_t n)
{
	union number fetched[REDUCE_FETCH];

	while (n > 0) {
		const size_t now = n < REDUCE_FETCH ? n : REDUCE_FETCH;
		for (size_t i = 0; i < now; i++)
			word_fetch(&fetched[i], &from[i]);
		r->op->fold(lane, fetched, now);
		from += now;
		n -= now;
	}
}

static union number values_fold(const struct reduce_op *op, const union number *value, size_t n)
{
	union number result = op->neutral;

	for (size_t i = 0; i < n; i++)
		result = op->pair(result, value[i]);
	return result;
}

static void parts_reduce(size_t first, size_t last, void *arg)
{
	struct reduction *r = arg;

	for (size_t p = first; p < last; p++) {
		const size_t begin = p * r->part, left = r->length - begin;
		const size_t n = left < r->part ? left : r->part;
		union number lane[REDUCE_LANES];

		for (size_t j = 0; j < REDUCE_LANES; j++)
			lane[j] = r->op->neutral;
		if (r->wait)
			part_fold_full(r, lane, r->array + begin, n);
		else
			r->op->fold(lane, r->array + begin, n);
		r->result[p] = values_fold(r->op, lane, REDUCE_LANES);
	}
}

static union number reduce_array(const struct reduce_op *op, const void *array, size_t length, int checkfeb)
{
	struct reduction r = { .op = op, .array = array, .length = array ? length : 0, .wait = checkfeb };
	const size_t share = r.length / REDUCE_PARTS + (r.length % REDUCE_PARTS != 0);
	size_t parts;

	r.part = share > TUNE_REDUCE_PART_LEAST ? share : TUNE_REDUCE_PART_LEAST;
	parts = r.length / r.part + (r.length % r.part != 0);
	if (r.length < TUNE_REDUCE_ALONE)
		parts_reduce(0, parts, &r);
	else
		qt_loop_balance(0, parts, parts_reduce, &r);
	return values_fold(op, r.result, parts);
}

/* ---- The names */

double qt_double_sum(double *array, size_t length, int checkfeb)
{
	return reduce_array(&double_sum, array, length, checkfeb).d;
}

double qt_double_prod(double *array, size_t length, int checkfeb)
{
	return reduce_array(&double_product, array, length, checkfeb).d;
}

double qt_double_max(double *array, size_t length, int checkfeb)
{
	return reduce_array(&double_max, array, length, checkfeb).d;
}

double qt_double_min(double *array, size_t length, int checkfeb)
{
	return reduce_array(&double_min, array, length, checkfeb).d;
}

double qutil_double_sum(double const *array, size_t length, int checkfeb)
{
	return reduce_array(&double_sum, array, length, checkfeb).d;
}

double qutil_double_mult(double const *array, size_t length, int checkfeb)
{
	return reduce_array(&double_product, array, length, checkfeb).d;
}

double qutil_double_max(double const *array, size_t length, int checkfeb)
{
	return reduce_array(&double_max, array, length, checkfeb).d;
}

double qutil_double_min(double const *array, size_t length, int checkfeb)
{
	return reduce_array(&double_min, array, length, checkfeb).d;
}

saligned_t qt_int_sum(saligned_t *array, size_t length, int checkfeb)
{
	return reduce_array(&whole_sum, array, length, checkfeb).i;
}

saligned_t qt_int_prod(saligned_t *array, size_t length, int checkfeb)
{
	return reduce_array(&whole_product, array, length, checkfeb).i;
}

saligned_t qt_int_max(saligned_t *array, size_t length, int checkfeb)
{
	return reduce_array(&int_max, array, length, checkfeb).i;
}

saligned_t qt_int_min(saligned_t *array, size_t length, int checkfeb)
{
	return reduce_array(&int_min, array, length, checkfeb).i;
}

saligned_t qutil_int_sum(saligned_t const *array, size_t length, int checkfeb)
{
	return reduce_array(&whole_sum, array, length, checkfeb).i;
}

saligned_t qutil_int_mult(saligned_t const *array, size_t length, int checkfeb)
{
	return reduce_array(&whole_product, array, length, checkfeb).i;
}

saligned_t qutil_int_max(saligned_t const *array, size_t length, int checkfeb)
{
	return reduce_array(&int_max, array, length, checkfeb).i;
}

saligned_t qutil_int_min(saligned_t const *array, size_t length, int checkfeb)
{
	return reduce_array(&int_min, array, length, checkfeb).i;
}

aligned_t qt_uint_sum(aligned_t *array, size_t length, int checkfeb)
{
	return reduce_array(&whole_sum, array, length, checkfeb).u;
}

aligned_t qt_uint_prod(aligned_t *array, size_t length, int checkfeb)
{
	return reduce_array(&whole_product, array, length, checkfeb).u;
}

aligned_t qt_uint_max(aligned_t *array, size_t length, int checkfeb)
{
	return reduce_array(&uint_max, array, length, checkfeb).u;
}

aligned_t qt_uint_min(aligned_t *array, size_t length, int checkfeb)
{
	return reduce_array(&uint_min, array, length, checkfeb).u;
}

aligned_t qutil_uint_sum(aligned_t const *array, size_t length, int checkfeb)
{
	return reduce_array(&whole_sum, array, length, checkfeb).u;
}

aligned_t qutil_uint_mult(aligned_t const *array, size_t length, int checkfeb)
{
	return reduce_array(&whole_product, array, length, checkfeb).u;
}

aligned_t qutil_uint_max(aligned_t const *array, size_t length, int checkfeb)
{
	return reduce_array(&uint_max, array, length, checkfeb).u;
}

aligned_t qutil_uint_min(aligned_t const *array, size_t length, int checkfeb)
{
	return reduce_array(&uint_min, array, length, checkfeb).u;
}
