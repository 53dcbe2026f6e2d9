/* qthread/allpairs.h -- a function of every element of one array with every element of another.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Both calls run func for each pair (i, j) exactly once, i an index of array1 and j one of array2, in no particular
 * order, and return when all is done.  The arrays may be one and the same; then (i, j) and (j, i) are two pairs, and
 * (i, i) is one.
 *
 * A pair runs on the shepherd that owns element i of array1.  Within a task the pairs are taken in blocks that fit into
 * a first-level cache.
 *
 * Tasks and external threads may call them; the calling task (the OS thread, if it is external) blocks.  What the
 * caller wrote before is visible to the function, and what the function wrote is visible after the call.  The function
 * may block, but no pair may wait for another.  While the runtime is down, or as far as memory is short, the caller
 * runs the pairs by itself.  NULL in place of an array, a function or the output makes the call do nothing.
 */
#ifndef QTHREAD_ALLPAIRS_H
#define QTHREAD_ALLPAIRS_H

#include <stddef.h>

#include "qarray.h"

Q_STARTCXX
#pragma GCC visibility push(default)

typedef void (*dist_f)(void const *unit1, void const *unit2);
typedef void (*dist_out_f)(void const *unit1, void const *unit2, void *restrict outstore);

void qt_allpairs(qarray const *array1, qarray const *array2, dist_f distfunc);

/* The same, with a place for each result: outstore is (char *)output[i] + j * outsize. */
void qt_allpairs_output(qarray const *array1, qarray const *array2, dist_out_f distfunc,
                        void *restrict *restrict output, size_t outsize);

#pragma GCC visibility pop
Q_ENDCXX

#endif
