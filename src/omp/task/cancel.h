/* omp/task/cancel.h -- regions that end early.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_CANCEL_H
#define QOMP_CANCEL_H

#include "omp/team/team.h"

/* The innermost such region of the running task ends early, if that is allowed at all.  True: leave it. */
bool qomp_cancel(struct qomp_frame *f, unsigned which);

/* True if somebody has cancelled it. */
bool qomp_cancelled(struct qomp_frame *f, unsigned which);

/* The task that f is of was cancelled before it started: its function is not called.  Asked only if
 * qomp_settings.cancellation is set. */
bool qomp_task_discarded(const struct qomp_frame *f);

/* The same of one whose function has something to take apart in any case, and asks itself. */
bool qomp_task_unwanted(const struct qomp_frame *f);

#endif
