/* omp/work/range.h -- iterations by number, and their indices.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_RANGE_H
#define QOMP_RANGE_H

#include "omp/team/share.h"

/* distance: from the first index to the end, 0 if there are no iterations; stride: without its sign. */
static inline uint64_t qomp_iterations(uint64_t distance, uint64_t stride)
{
	if (stride == 1 || distance == 0)
		return distance;
	return stride ? (distance - 1) / stride + 1 : 0;
}

static inline struct qomp_range qomp_range_long(long first, long end, long step)
{
	struct qomp_range r = { .first = (uint64_t)first, .end = (uint64_t)end, .step = (uint64_t)step };

	r.count = step > 0 ? qomp_iterations(first < end ? r.end - r.first : 0, r.step)
			   : qomp_iterations(first > end ? r.first - r.end : 0, -r.step);
	return r;
}

static inline struct qomp_range qomp_range_ull(bool up, uint64_t first, uint64_t end, uint64_t step)
{
	struct qomp_range r = { .first = first, .end = end, .step = step };

	r.count = up ? qomp_iterations(first < end ? end - first : 0, step)
		     : qomp_iterations(first > end ? first - end : 0, -step);
	return r;
}

/* n iterations from number i on, as indices.  The loop's end stands for that of its last piece: the next multiple of
 * the step may be out of the type's range. */
static inline void qomp_range_part(const struct qomp_range *r, uint64_t i, uint64_t n, uint64_t *from, uint64_t *to)
{
	if (qti_likely(r->step == 1)) {         /* a twentieth of what a chunk costs that two threads fight over */
		*from = r->first + i;
		*to = n < r->count - i ? *from + n : r->end;
	} else {
		*from = r->first + i * r->step;
		*to = n < r->count - i ? r->first + (i + n) * r->step : r->end;
	}
}

#endif
