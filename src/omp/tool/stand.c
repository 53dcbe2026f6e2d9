/* omp/tool/stand.c -- see omp/tool/stand.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/tool/stand.h"

#include "base/atomic.h"
#include "core/guest.h"
#include "omp/tool/callbacks.h"

static ompt_thread_t kind_of_thread(void)
{
	switch (qti_guest_standing()) {
	case QTI_STANDS_OUTSIDE:
	case QTI_STANDS_IN_MAIN:
		return ompt_thread_initial;
	case QTI_STANDS_IN_TASK:
	case QTI_STANDS_IN_CALL:
		break;
	}
	return ompt_thread_worker;
}

struct qomp_tool_thread *qomp_tool_thread_here(void)
{
	struct qomp_tool_thread *th = qomp_tool_thread_now();

	return qti_likely(th != NULL) ? th : qomp_tool_thread(kind_of_thread());
}

void qomp_tell_schedule(struct qomp_told *prior, ompt_task_status_t status, struct qomp_told *next)
{
	ompt_callback_task_schedule_t tell = qomp_callback(task_schedule);

	if (tell)
		tell(prior ? &prior->data : NULL, status, next ? &next->data : NULL);
}

struct qomp_tool_thread *qomp_tool_stand_in(struct qomp_told *t)
{
	struct qomp_tool_thread *th = t ? qomp_tool_thread_here() : NULL;

	if (!th)
		return NULL;
	if (qti_unlikely(t->on != th)) {
		if (t->on)
			return NULL;            /* it has begun on another one */
		qomp_told_add(th, t);
	}
	struct qomp_told *before = qomp_told_raise(th, t);
	if (before && before != t)
		qomp_tell_schedule(before, ompt_task_switch, t);
	return th;
}
