/* omp/tool/tell_wait.h -- telling the tool of waiting.  As omp/tool/tell.h has it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_TELL_WAIT_H
#define QOMP_TELL_WAIT_H

#include "omp/tool/thread.h"

/* Waiting in a barrier, a taskwait; the second half of a taskgroup. */
void qomp_tell_sync_begin(struct qomp_told *t, ompt_sync_region_t kind);
void qomp_tell_sync_end(struct qomp_told *t, ompt_sync_region_t kind);

/* What the next barrier of the task is, if more is known than that it is one. */
static inline void qomp_tell_barrier_kind(struct qomp_told *t, ompt_sync_region_t kind)
{
	if (t)
		t->barrier = kind;
}

/* A taskgroup begins; and where it is waited for, qomp_tell_group_wait and qomp_tell_sync_end. */
void qomp_tell_group(struct qomp_told *t);
void qomp_tell_group_wait(struct qomp_told *t);

/* A member has come to the region's end, before others know.  leaves: the region may be gone after that. */
void qomp_tell_last_barrier(struct qomp_told *t, bool leaves);

#endif
