/* omp/team/called.h -- the program calls the runtime: where the calling thread stands, and from where it has come.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_CALLED_H
#define QOMP_CALLED_H

#include "omp/team/standing.h"
#include "omp/team/told.h"

/* As qomp_frame, in a function that compiled code calls, or that such a one jumps to: the tool knows from where.  That
 * costs nothing more than qomp_frame does as long as there is none. */
struct qomp_frame *qomp_frame_called_from(struct qomp_frame *f, const void *address, void *frame);

/* Of a frame by qomp_frame_now: qomp_frame_called has more to do. */
static inline bool qomp_frame_is_rare(const struct qomp_frame *f)
{
	return qti_unlikely(f->flags & (QOMP_LIGHT | QOMP_TRACED));
}

static inline __attribute__((always_inline)) struct qomp_frame *qomp_frame_called(void)
{
	struct qomp_frame *f = qomp_frame_now();

	if (qomp_frame_is_rare(f))
		return qomp_frame_called_from(f, __builtin_return_address(0), __builtin_dwarf_cfa());
	return f;
}

#endif
