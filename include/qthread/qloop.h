/* qthread/qloop.h -- parallel loops; sums, products, extremes and sorting of arrays.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Loops over the indices start, start + 1, ... stop - 1, or every so many of them.
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

/* Run one step of a loop, which is not told which one. */
typedef void (*qt_loop_step_f)(void *arg);

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

/* One task for each of the indices start, start + stride, ... below stop.  func gets argptr alone: what tells the calls
 * apart it has to take from there, a counter for example.  A stride of 0 is one of 1. */
void qt_loop_step(size_t start, size_t stop, size_t stride, qt_loop_step_f func, void *argptr);

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

/* ---- Loop queues: loops whose workers take a range of indices whenever they are done with the last one ---------- */

/* How long the ranges are.  n indices, P workers (as many as the runtime has when the loop is created):
 *   CHUNK     n / P / 10, at least 1, unless qt_loop_queue_setchunk says otherwise
 *   GUIDED    one P-th of what is left
 *   FACTORED  half of what is left goes into P equal ranges, half of the rest into the next P, and so on
 *   TIMED     what takes about 100 microseconds, by the worker's last range; never more than 1 / 2P of what is left */
typedef enum { CHUNK, GUIDED, FACTORED, TIMED } qt_loop_queue_type;

/* A loop that has not ended.  qt_loop_queue_run and qt_loop_queue_run_there free it when it is done, whatever there was
 * to do; there is no other way, so each loop has to be run, once.
 *
 * The calls below look the handle up before they touch it: NULL, and a handle whose loop has ended, are ignored, unless
 * a new loop has come to the same address. */
typedef struct qqloop_handle_s qqloop_handle_t;

/* A loop made of single steps.  Cast its address to qqloop_handle_t * for the calls below. */
typedef struct qqloop_step_handle_s qqloop_step_handle_t;

/* Make a loop over start ... stop - 1.  Ranges begin at start + k * incr for some k, so that a func which goes through
 * its range by incr visits start, start + incr, ..., and they cover every index, once.  An incr of 0 is one of 1.
 *
 * Needs no initialized runtime; does not block.  NULL for a type that is none, a NULL func, and when memory is
 * short. */
qqloop_handle_t *qt_loop_queue_create(qt_loop_queue_type const type, size_t const start, size_t const stop,
                                      size_t const incr, qt_loop_f const func, void *const argptr);

/* Make a loop that calls func(argptr) once for each of the indices start, start + incr, ... below stop; several
 * calls in a row make a range.  Otherwise as qt_loop_queue_create. */
qqloop_step_handle_t *qt_loop_step_queue_create(qt_loop_queue_type const type, size_t start, size_t stop, size_t incr,
                                                qt_loop_step_f func, void *argptr);

/* Make the ranges of a CHUNK loop `chunk` indices long, rounded up to a multiple of its incr.  Does nothing to a loop
 * of another kind or one that has started, nor with a chunk of 0.  Does not block. */
void qt_loop_queue_setchunk(qqloop_handle_t *l, size_t chunk);

/* Run a loop, with all workers or with one new task on a shepherd (modulo their number; NO_SHEPHERD: any), and free it.
 * Returns when all indices are done and the workers added are through.  On a loop being run by somebody else it does
 * nothing. */
void qt_loop_queue_run(qqloop_handle_t *loop);
void qt_loop_queue_run_there(qqloop_handle_t *loop, qthread_shepherd_id_t shep);

/* Add a worker on that shepherd to a loop: a task that takes ranges until none is left.  Does not block.
 *
 * At any time: from within func, where the loop cannot end meanwhile; from elsewhere, where it may have ended, and then
 * the call does nothing.  On a loop not yet run the worker begins at once.  Does nothing when memory is short. */
void qt_loop_queue_addworker(qqloop_handle_t *loop, qthread_shepherd_id_t const shep);

/* ---- Reductions and sorting: the functions of qutil.h under other names; see there ------------------------------ */

double qt_double_sum(double *array, size_t length, int checkfeb);
double qt_double_prod(double *array, size_t length, int checkfeb);
double qt_double_max(double *array, size_t length, int checkfeb);
double qt_double_min(double *array, size_t length, int checkfeb);
saligned_t qt_int_sum(saligned_t *array, size_t length, int checkfeb);
saligned_t qt_int_prod(saligned_t *array, size_t length, int checkfeb);
saligned_t qt_int_max(saligned_t *array, size_t length, int checkfeb);
saligned_t qt_int_min(saligned_t *array, size_t length, int checkfeb);
aligned_t qt_uint_sum(aligned_t *array, size_t length, int checkfeb);
aligned_t qt_uint_prod(aligned_t *array, size_t length, int checkfeb);
aligned_t qt_uint_max(aligned_t *array, size_t length, int checkfeb);
aligned_t qt_uint_min(aligned_t *array, size_t length, int checkfeb);

void qt_qsort(double *array, size_t const length);

#pragma GCC visibility pop

/* ---- What an accumulating loop over such numbers folds with ------------------------------------------------------ */

/* Combine *b into *a: add and multiply (whole numbers modulo 2^64), take the larger, take the smaller (of doubles, *a
 * unless *b is larger or smaller: a NaN at b is passed over). */

static inline void qt_dbl_add_acc(void *restrict a, void const *restrict b)
{
	*(double *)a += *(double const *)b;
}

static inline void qt_dbl_prod_acc(void *restrict a, void const *restrict b)
{
	*(double *)a *= *(double const *)b;
}

static inline void qt_dbl_max_acc(void *restrict a, void const *restrict b)
{
	if (*(double const *)b > *(double *)a)
		*(double *)a = *(double const *)b;
}

static inline void qt_dbl_min_acc(void *restrict a, void const *restrict b)
{
	if (*(double const *)b < *(double *)a)
		*(double *)a = *(double const *)b;
}

static inline void qt_int_add_acc(void *restrict a, void const *restrict b)
{
	*(saligned_t *)a = (saligned_t)((aligned_t)*(saligned_t *)a + (aligned_t)*(saligned_t const *)b);
}

static inline void qt_int_prod_acc(void *restrict a, void const *restrict b)
{
	*(saligned_t *)a = (saligned_t)((aligned_t)*(saligned_t *)a * (aligned_t)*(saligned_t const *)b);
}

static inline void qt_int_max_acc(void *restrict a, void const *restrict b)
{
	if (*(saligned_t const *)b > *(saligned_t *)a)
		*(saligned_t *)a = *(saligned_t const *)b;
}

static inline void qt_int_min_acc(void *restrict a, void const *restrict b)
{
	if (*(saligned_t const *)b < *(saligned_t *)a)
		*(saligned_t *)a = *(saligned_t const *)b;
}

static inline void qt_uint_add_acc(void *restrict a, void const *restrict b)
{
	*(aligned_t *)a += *(aligned_t const *)b;
}

static inline void qt_uint_prod_acc(void *restrict a, void const *restrict b)
{
	*(aligned_t *)a *= *(aligned_t const *)b;
}

static inline void qt_uint_max_acc(void *restrict a, void const *restrict b)
{
	if (*(aligned_t const *)b > *(aligned_t *)a)
		*(aligned_t *)a = *(aligned_t const *)b;
}

static inline void qt_uint_min_acc(void *restrict a, void const *restrict b)
{
	if (*(aligned_t const *)b < *(aligned_t *)a)
		*(aligned_t *)a = *(aligned_t const *)b;
}

Q_ENDCXX

#endif
