/* sched/victims.h -- from whom a worker takes, one after the other, where workers have queues of their own.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_SCHED_VICTIMS_H
#define QTI_SCHED_VICTIMS_H

#include "core/worker.h"

/* What the first one gives; take() counts it.  Siblings first, those after w before the others, then the workers of
 * other shepherds, nearest first. */
struct qti_task *qti_victims_try(struct qti_worker *w,
	struct qti_task *(*take)(struct qti_worker *w, struct qti_worker *victim));

/* The same of one shepherd, and of shepherds, which take_in() tries as a whole. */
struct qti_task *qti_victims_try_in(struct qti_worker *w, struct qti_shepherd *s,
	struct qti_task *(*take)(struct qti_worker *w, struct qti_worker *victim));
struct qti_task *qti_victims_try_shepherds(struct qti_worker *w,
	struct qti_task *(*take_in)(struct qti_worker *w, struct qti_shepherd *s));

/* Of a worker that goes off duty: what is in its queue goes where any worker takes it. */
void qti_victims_leave(struct qti_worker *w);

#endif
