/* qthread/qloop.h -- parallel loops.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Loops over the indices start, start + 1, ... stop - 1.
 *
 * Tasks and external threads may call them, on an initialized runtime; before qthread_initialize the caller runs the
 * whole loop by itself.  A call returns when the last iteration is done and blocks the calling task (the OS thread, if
 * it is external) until then.  What the caller wrote before the call is visible to every iteration, and what
 * iterations wrote is visible after the call.  `argptr` is handed to func as it is.
 *
 * start >= stop is an empty loop, and so is a NULL func: nothing is called.  (An accumulating loop still defines its
 * result, see there.)  When memory for a task is short the caller of the fork runs that piece itself, so every
 * iteration is run exactly once whatever happens.
 *
 * The suffix names what the caller waits on and changes nothing else:
 *   none, _dc, _sinc   one counter;  _aligned   a full/empty word per task;  _sv   a syncvar per task
 *   _simple            one counter, and func promises not to block or yield
 */
#ifndef QTHREAD_QLOOP_H
#define QTHREAD_QLOOP_H

#include <stddef.h>

#include "qthread.h"

Q_STARTCXX
#pragma GCC visibility push(default)

/* Run the indices startat ... stopat - 1. */
typedef void (*qt_loop_f)(size_t const startat, size_t const stopat, void *arg);

/* Run the indices startat ... stopat - 1 and store their partial result at ret, for an empty range too.  ret holds
 * nothing of use on entry. */
typedef void (*qt_loopr_f)(size_t const startat, size_t const stopat, void *restrict arg, void *restrict ret);

/* Combine the partial result at b, which belongs to higher indices, into the one at a. */
typedef void (*qt_accum_f)(void *restrict a, void const *restrict b);

/* One task per index: func is called with startat + 1 == stopat, and every call may block.  A task takes the lowest
 * index not yet taken when it starts. */
void qt_loop(size_t start, size_t stop, qt_loop_f func, void *argptr);
void qt_loop_simple(size_t start, size_t stop, qt_loop_f func, void *argptr);
void qt_loop_sv(size_t start, size_t stop, qt_loop_f func, void *argptr);
void qt_loop_dc(size_t start, size_t stop, qt_loop_f func, void *argptr);
void qt_loop_aligned(size_t start, size_t stop, qt_loop_f func, void *argptr);
void qt_loop_sinc(size_t start, size_t stop, qt_loop_f func, void *argptr);

/* One block of neighbouring indices per active worker, but no more blocks than indices.
 *
 * Of n indices in k blocks the first n % k blocks have one index more than the others.  Block i runs pinned to
 * shepherd i % qthread_num_shepherds(), except the one that the calling task runs itself: a block of its own shepherd
 * if there is one. */
void qt_loop_balance(size_t const start, size_t const stop, qt_loop_f const func, void *argptr);
void qt_loop_balance_simple(size_t const start, size_t const stop, qt_loop_f const func, void *argptr);
void qt_loop_balance_sv(size_t const start, size_t const stop, qt_loop_f const func, void *argptr);
void qt_loop_balance_dc(size_t const start, size_t const stop, qt_loop_f const func, void *argptr);
void qt_loop_balance_aligned(size_t const start, size_t const stop, qt_loop_f const func, void *argptr);
void qt_loop_balance_sinc(size_t const start, size_t const stop, qt_loop_f const func, void *argptr);

/* A balanced loop with a result: every block stores a partial result of `size` bytes, and acc folds them in the order
 * of the blocks, lowest indices first, into *out.  What *out held before is not an operand.
 *
 * func is never called for an empty block, except once by the caller when the whole range is empty: so *out always
 * gets a value.  When there is no memory for the partial results, or acc is NULL, the caller runs the range as one
 * block.  A NULL out with size > 0 makes the call do nothing. */
void qt_loopaccum_balance(size_t const start, size_t const stop, size_t const size, void *restrict out,
                          qt_loopr_f const func, void *restrict argptr, qt_accum_f const acc);
void qt_loopaccum_balance_sv(size_t const start, size_t const stop, size_t const size, void *restrict out,
                             qt_loopr_f const func, void *restrict argptr, qt_accum_f const acc);
void qt_loopaccum_balance_dc(size_t const start, size_t const stop, size_t const size, void *restrict out,
                             qt_loopr_f const func, void *restrict argptr, qt_accum_f const acc);
void qt_loopaccum_balance_sinc(size_t const start, size_t const stop, size_t const size, void *restrict out,
                               qt_loopr_f const func, void *restrict argptr, qt_accum_f const acc);

#pragma GCC visibility pop
Q_ENDCXX

#endif
