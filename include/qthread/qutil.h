/* qthread/qutil.h -- sums, products, extremes and sorting of arrays, by all workers.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks and external threads may call these, on an initialized runtime; while it is down the caller does all the work
 * by itself.  A call blocks the calling task (the OS thread, if it is external) until the result is there; short
 * arrays are the caller's own work.  What the caller wrote before the call is visible to those who help, and what they
 * wrote is visible after the call.  Nobody else may write to the array meanwhile, except to fill words waited for.
 * Lengths are in numbers; a NULL array is one of length 0.
 */
#ifndef QTHREAD_QUTIL_H
#define QTHREAD_QUTIL_H

#include <stddef.h>

#include "qthread.h"

Q_STARTCXX
#pragma GCC visibility push(default)

/* Reductions.  With checkfeb not 0 each number is read when its word is full, and waited for until then; its state is
 * left as it is.  With 0 full/empty bits play no part.
 *
 *                 sum   mult  max                min             (of no numbers, this is the result)
 *   double        0     1     -infinity          +infinity
 *   aligned_t     0     1     0                  UINT64_MAX
 *   saligned_t    0     1     INT64_MIN          INT64_MAX
 *
 * Doubles are combined in an order that depends on the length alone: a result has the same bits under every scheduler,
 * on any number of workers, with and without checkfeb.  (Products and sums by another order may differ in the last
 * ones.)  A NaN makes a sum or a product NaN; max and min pass it over.  Whole numbers wrap around, modulo 2^64.
 *
 * They take no memory and cannot fail. */
double qutil_double_sum(double const *array, size_t length, int checkfeb);
double qutil_double_mult(double const *array, size_t length, int checkfeb);
double qutil_double_max(double const *array, size_t length, int checkfeb);
double qutil_double_min(double const *array, size_t length, int checkfeb);
aligned_t qutil_uint_sum(aligned_t const *array, size_t length, int checkfeb);
aligned_t qutil_uint_mult(aligned_t const *array, size_t length, int checkfeb);
aligned_t qutil_uint_max(aligned_t const *array, size_t length, int checkfeb);
aligned_t qutil_uint_min(aligned_t const *array, size_t length, int checkfeb);
saligned_t qutil_int_sum(saligned_t const *array, size_t length, int checkfeb);
saligned_t qutil_int_mult(saligned_t const *array, size_t length, int checkfeb);
saligned_t qutil_int_max(saligned_t const *array, size_t length, int checkfeb);
saligned_t qutil_int_min(saligned_t const *array, size_t length, int checkfeb);

/* Sort an array in ascending order.
 *
 * Doubles are ordered by IEEE 754's total order, but with all NaNs last: -infinity, ... -0.0, 0.0, ... infinity, then
 * positive and then negative NaNs.  Bits stay as they are.  The three names for doubles are one sort: whether a sort is
 * stable cannot be seen where equal numbers have equal bits.
 *
 * Some n log n steps at most, whatever the numbers; n for those that are in order or in reverse order already.  It
 * works in place, in some 4 KiB of the caller's stack.  Nothing can fail: for want of memory for tasks the caller does
 * the work. */
void qutil_mergesort(double *array, size_t length);
void qutil_qsort(double *array, size_t length);
void qutil_aligned_qsort(aligned_t *array, size_t length);

#pragma GCC visibility pop
Q_ENDCXX

#endif
