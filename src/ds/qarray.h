/* ds/qarray.h -- what lies behind a qarray.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_DS_QARRAY_H
#define QTI_DS_QARRAY_H

#include "base/atomic.h"
#include "qthread/qarray.h"

/* Every qarray is the beginning of one of these: only qarray_create_configured makes them. */
struct qti_qarray {
	qarray open;                    /* what programs see */
	size_t nsegments;
	/* The owner of each segment of a DIST array, else NULL.  A table of its own: numbers written into the segments
	 * would have pages touched by who creates the array and not by who owns them.  Accessed atomically, relaxed:
	 * nothing but the number is handed on. */
	qthread_shepherd_id_t *owner;
};

_Static_assert(sizeof(void *) != 8 || sizeof(qarray) == 64, "the public layout is fixed");

static inline const struct qti_qarray *qti_qarray_inside(const qarray *a)
{
	return (const struct qti_qarray *)(const void *)a;
}

/* Which of equal stretches of neighbours a segment is in. */
static inline size_t qti_qarray_field(const qarray *a, size_t segment)
{
	const size_t share = a->dist_specific.stripes.segs_per_shep, longer = a->dist_specific.stripes.extras;
	const size_t in_longer = longer * (share + 1);

	return segment < in_longer ? segment / (share + 1) : longer + (segment - in_longer) / share;
}

/* The owner of a segment in a runtime of nsheps > 0 shepherds. */
static inline qthread_shepherd_id_t qti_qarray_owner(const qarray *a, size_t segment, size_t nsheps)
{
	size_t shep = segment;          /* FIXED_HASH */

	if (a->dist_type == DIST)
		shep = load_rlx(&qti_qarray_inside(a)->owner[segment]);
	else if (a->dist_type == ALL_SAME)
		shep = load_rlx(&a->dist_specific.dist_shep);
	else if (a->dist_type == FIXED_FIELDS)
		shep = qti_qarray_field(a, segment);
	return (qthread_shepherd_id_t)(shep % nsheps);
}

/* 0 while there is no runtime. */
static inline size_t qti_qarray_nsheps(void)
{
	return qthread_readstate(TOTAL_SHEPHERDS);
}

#endif
