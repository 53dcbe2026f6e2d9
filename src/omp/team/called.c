/* omp/team/called.c -- see omp/team/called.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/called.h"

struct qomp_frame *qomp_frame_called_from(struct qomp_frame *f, const void *address, void *frame)
{
	if (f->flags & QOMP_LIGHT)
		f = qomp_frame_settle(f);
	if (qomp_is_told(f))
		qomp_tool_called_from(address, frame);
	return f;
}
