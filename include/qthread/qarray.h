/* qthread/qarray.h -- arrays whose parts belong to shepherds, and loops that run each part where it belongs.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The elements 0, 1, ... count - 1 lie in segments of equal size, and each segment has an owner, a shepherd.  A loop
 * over a range sends one task to every shepherd that owns something in it; there the shepherd's workers share the work.
 * The system gives memory from the part of the machine that touches it first, so an array that is first written by
 * qarray_iter_loop lies close to its owners.
 *
 * Tasks and external threads may make all of these calls, on an initialized runtime.  While the runtime is down nothing
 * can be created or placed; elements can be used, a loop is run by its caller, and an array may be destroyed.  Arrays
 * outlast qthread_finalize: if the next runtime has fewer shepherds, owners count modulo their number.
 *
 * NULL in place of an array or a function is ignored; where there is a result, it is NULL or NO_SHEPHERD.
 */
#ifndef QTHREAD_QARRAY_H
#define QTHREAD_QARRAY_H

#include <stddef.h>

#include "qloop.h"
#include "qthread.h"

Q_STARTCXX
#pragma GCC visibility push(default)

/* Who owns what. */
typedef enum {
	FIXED_HASH,     /* segment i: shepherd i modulo their number.  Cannot be changed. */
	FIXED_FIELDS,   /* each shepherd has one stretch of neighbouring segments.  Cannot be changed. */
	ALL_SAME,       /* one shepherd has all: the caller's, or shepherd 0 for an external thread */
	DIST,           /* each segment has an owner of its own, which can be changed: at first a random one, */
	DIST_STRIPES,   /* dealt out in turn, */
	DIST_FIELDS,    /* in stretches of neighbours, */
	DIST_RAND,      /* at random, */
	DIST_LEAST,     /* or one that owns least of all arrays whose owners can be changed */
	ALL_LOCAL,      /* one shepherd has all: the caller's, */
	ALL_RAND,       /* a random one, */
	ALL_LEAST       /* or one that owns least */
} distribution_t;

/* To be read, not written. */
typedef struct qarray_s {
	size_t unit_size;               /* bytes from one element to the next within a segment */
	size_t count;                   /* elements */
	size_t segment_size;            /* elements in a segment */
	size_t segment_bytes;           /* bytes from one segment to the next */
	char *base_ptr;
	distribution_t dist_type;       /* FIXED_HASH, FIXED_FIELDS, ALL_SAME or DIST: what the others have become */
	union {
		qthread_shepherd_id_t dist_shep;        /* ALL_SAME */
		struct {
			size_t segs_per_shep;
			size_t extras;  /* the first so many shepherds have one segment more */
		} stripes;              /* FIXED_FIELDS */
	} dist_specific;
} qarray;

/* Work on the elements startat ... stopat - 1, which are of one segment: they lie one behind the other, unit_size bytes
 * apart, and have one owner. */
typedef void (*qa_loop_f)(size_t const startat, size_t const stopat, qarray *array, void *arg);
typedef void (*qa_cloop_f)(size_t const startat, size_t const stopat, qarray const *array, void *arg);

/* The same, and store a partial result at ret, which holds nothing of use on entry. */
typedef void (*qa_loopr_f)(size_t const startat, size_t const stopat, qarray *array, void *arg, void *ret);

/* Make an array of count elements of unit_size bytes, uninitialized, that begins a page.
 *
 * d          who owns what
 * tight      0: unit_size is rounded up to a multiple of 8; otherwise it is kept
 * seg_pages  pages in a segment, 0 for 16; a segment that is too small for one element gets more.  Where owners can be
 *            changed one by one, a segment keeps room for the owner's number, sizeof(qthread_shepherd_id_t), at its
 *            end, so that it may hold an element less.
 *
 * qarray_create and qarray_create_tight make FIXED_HASH arrays with segments of 16 pages.
 *
 * NULL when memory is short, for no elements, elements of no size, more than can be addressed, a distribution that does
 * not exist or a negative number of pages, and while the runtime is down. */
qarray *qarray_create_configured(size_t const count, size_t const unit_size, distribution_t const d, char const tight,
                                 int const seg_pages);
qarray *qarray_create(size_t const count, size_t const unit_size);
qarray *qarray_create_tight(size_t const count, size_t const unit_size);

/* Release an array.  Nobody may be using it. */
void qarray_destroy(qarray *a);

/* The address of an element.  index may be count: an address not to be used, as one behind the end.  NULL beyond. */
static inline void *qarray_elem_nomigrate(qarray const *a, size_t const index)
{
	if (a == NULL || index > a->count)
		return NULL;
	return a->base_ptr + index / a->segment_size * a->segment_bytes + index % a->segment_size * a->unit_size;
}

#define qarray_elem(a, i) qarray_elem_nomigrate((a), (i))

/* The same, but the calling task moves to the element's owner first, as qthread_migrate_to does.  Who cannot move, such
 * as the main task and external threads, gets the address all the same; so does everybody for index == count. */
void *qarray_elem_migrate(qarray const *a, size_t const index);

/* The owner of an element; NO_SHEPHERD if there is no such element, and while the runtime is down. */
qthread_shepherd_id_t qarray_shepof(qarray const *a, size_t const index);

/* Give the segment of element i, or all of an ALL_SAME array, to another shepherd.
 *
 * Nothing happens to FIXED arrays, or for an element or a shepherd that does not exist.  Only who runs the loops
 * changes: the memory stays where it is.  May be called at any time, even by a loop over the same array, which goes on
 * with the owners that it began with. */
void qarray_set_shepof(qarray *a, size_t const i, qthread_shepherd_id_t shep);

/* Give every segment of mod to the shepherd that owns the element of ref with the index of the segment's first element.
 * (Where ref is shorter, a FIXED_HASH one goes on in its way; of any other the last element counts.)
 *
 * Whatever mod was, it takes ref's kind if that makes the same owners, else it becomes a DIST array.  When memory is
 * short it stays as it is.  Nobody may be looping over mod or changing its owners. */
void qarray_dist_like(qarray const *ref, qarray *mod);

/* Loops over the elements startat ... stopat - 1.
 *
 * Every element is handed out exactly once.  Its task is pinned to the element's owner; while that is disabled,
 * another shepherd's workers run it.  A call returns when all is done and blocks the calling task (the OS thread, if it
 * is external) until then.  What the caller wrote before is visible to func, and what func wrote is visible after the
 * call.  func may block, but one call of func must not wait for another: they may be run one after the other, in any
 * order.  arg is handed on as it is.
 *
 * A stopat beyond the array is taken as count; startat >= stopat is an empty range.  When memory is short, the caller
 * runs what it cannot fork. */

/* func(address) for each element; its result is dropped. */
void qarray_iter(qarray *a, size_t const startat, size_t const stopat, qthread_f func);

/* func on ranges of elements. */
void qarray_iter_loop(qarray *a, size_t const startat, size_t const stopat, qa_loop_f func, void *arg);
void qarray_iter_constloop(qarray const *a, size_t const startat, size_t const stopat, qa_cloop_f func, void *arg);

/* As qarray_iter_loop, but the call does not wait: it empties *ret, which is filled, with 0, when all is done.  With a
 * NULL ret nobody is told.  When there is no memory for a task the caller runs the loop and then fills *ret.
 * Where there is nothing to do *ret is filled at once. */
void qarray_iter_loop_nb(qarray *a, size_t const startat, size_t const stopat, qa_loop_f func, void *arg,
                         aligned_t *ret);

/* A loop with a result of retsize bytes.  acc folds the partial results in the order of the indices, lowest first, into
 * *ret; what that held before is not an operand.
 *
 * An empty range is one call of func(startat, startat, ...) by the caller, so that *ret always gets a value.  The loop
 * takes memory for one partial result per segment, or per range where segments are cut.  Where there is none, or acc is
 * NULL, the caller calls func once with the whole range, which then may be of several segments.  A NULL ret with
 * retsize > 0 makes the call do nothing. */
void qarray_iter_loopaccum(qarray *a, size_t const startat, size_t const stopat, qa_loopr_f func, void *arg, void *ret,
                           size_t const retsize, qt_accum_f acc);

#pragma GCC visibility pop
Q_ENDCXX

#endif
