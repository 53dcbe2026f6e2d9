/* omp/tool/tell_work.h -- telling the tool of work that is shared.  As omp/tool/tell.h has it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_TELL_WORK_H
#define QOMP_TELL_WORK_H

#include "omp/tool/thread.h"

void qomp_tell_work_begin(struct qomp_told *t, ompt_work_t kind, uint64_t count);
void qomp_tell_work_end(struct qomp_told *t);
void qomp_tell_taskloop(struct qomp_told *t, ompt_scope_endpoint_t end, uint64_t count);
void qomp_tell_chunk(struct qomp_told *t, ompt_dispatch_t kind, uint64_t first, uint64_t n);

/* done: by this task, and its end will be told at the next event that shows that it is over, or by
 * qomp_tell_single_end. */
void qomp_tell_single(struct qomp_told *t, bool done);
void qomp_tell_single_end(struct qomp_told *t);

/* It has begun a single construct, and has told of no end. */
static inline bool qomp_told_in_single(const struct qomp_told *t)
{
	return t && t->single;
}

void qomp_tell_masked(struct qomp_told *t, ompt_scope_endpoint_t end);
void qomp_tell_reduction(struct qomp_told *t, ompt_scope_endpoint_t end);

/* The end of a construct of which only the beginning has been told; from: where the call is that shows it. */
void qomp_tell_single_over(struct qomp_told *t);
void qomp_tell_work_over(struct qomp_told *t, const void *from);

#endif
