/* omp/team/crew.h -- members that are threads of their own, in a region that a native qthread has met.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Beside tasks, such a region may have threads of its own, which use what stands on the qthread's stack.  So the
 * qthread counts as absent until its region ends, and while it sends them away: qthread_finalize waits for it.  The
 * main task need not, which does not finalize in a region.
 */
#ifndef QOMP_CREW_H
#define QOMP_CREW_H

#include "omp/team/frame.h"

/* The running task may have such threads. */
bool qomp_crew_may_be(void);

/* A region of n threads that f meets may. */
bool qomp_crew_in(const struct qomp_frame *f, unsigned n);

/* The running task waits for them from here on, or no more. */
void qomp_crew_begin(void);
void qomp_crew_end(void);

/* Whether any does; none in the child of fork(2). */
bool qomp_crews_left(void);
void qomp_crews_forget(void);

#endif
