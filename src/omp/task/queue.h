/* omp/task/queue.h -- a new task's way to where somebody finds it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_QUEUE_H
#define QOMP_QUEUE_H

#include "omp/task/list.h"

static inline void qomp_task_prepare(struct qomp_task *t, uint32_t flags)
{
	qti_guest_task_set(&t->base, &t->more, qomp_task_entry, &t->frame, t->frame.parent, qomp_task_finish, flags);
}

/* As qomp_task_push, part of its caller. */
static inline void qomp_task_queue(struct qomp_task *t)
{
	struct qti_worker *w = qti_self();

	if (qti_unlikely(!t->frame.team->uses_scheduler)) {
		qomp_list_push(t);
		return;
	}
	qomp_task_prepare(t, QTI_TASK_OPEN);
	qti_guest_push(w, &t->base);
}

#endif
