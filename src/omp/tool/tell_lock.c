/* omp/tool/tell_lock.c -- see omp/tool/tell_lock.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/tool/tell_lock.h"

#include "omp/tool/callbacks.h"
#include "omp/tool/stand.h"

enum { IMPL_SPIN_THEN_SLEEP = 1 };      /* omp/tool/inquiry.c */

static ompt_wait_id_t wait_id_of(const void *lock)
{
	return (ompt_wait_id_t)(uintptr_t)lock;
}

void qomp_tell_lock_init(struct qomp_told *t, ompt_mutex_t kind, unsigned hint, const void *lock)
{
	struct qomp_tool_thread *th = qomp_tool_stand_in(t);
	ompt_callback_mutex_acquire_t tell = qomp_callback_of(lock_init, ompt_callback_mutex_acquire_t);

	if (th && tell)
		tell(kind, hint, IMPL_SPIN_THEN_SLEEP, wait_id_of(lock), qomp_tool_take_from(th));
}

void qomp_tell_lock_destroy(struct qomp_told *t, ompt_mutex_t kind, const void *lock)
{
	struct qomp_tool_thread *th = qomp_tool_stand_in(t);
	ompt_callback_mutex_t tell = qomp_callback_of(lock_destroy, ompt_callback_mutex_t);

	if (th && tell)
		tell(kind, wait_id_of(lock), qomp_tool_take_from(th));
}

static int state_of_mutex(ompt_mutex_t kind)
{
	switch (kind) {
	case ompt_mutex_critical:
		return ompt_state_wait_critical;
	case ompt_mutex_atomic:
		return ompt_state_wait_atomic;
	case ompt_mutex_ordered:
		return ompt_state_wait_ordered;
	default:
		return ompt_state_wait_lock;
	}
}

void qomp_tell_acquire(struct qomp_told *t, ompt_mutex_t kind, unsigned hint, const void *lock)
{
	struct qomp_tool_thread *th = qomp_tool_stand_in(t);
	ompt_callback_mutex_acquire_t tell = qomp_callback(mutex_acquire);

	if (!th)
		return;
	t->from = qomp_tool_take_from(th);
	qomp_tool_enter(th, t);
	if (tell)
		tell(kind, hint, IMPL_SPIN_THEN_SLEEP, wait_id_of(lock), t->from);
	t->wait_id = wait_id_of(lock);
	t->state = state_of_mutex(kind);
}

void qomp_tell_not_acquired(struct qomp_told *t)
{
	if (!qomp_tool_stand_in(t))
		return;
	t->wait_id = ompt_wait_id_none;
	t->state = qomp_told_work_state(t);
	qomp_tool_leave(t);
}

void qomp_tell_acquired(struct qomp_told *t, ompt_mutex_t kind, const void *lock)
{
	ompt_callback_mutex_t tell = qomp_callback_of(mutex_acquired, ompt_callback_mutex_t);

	if (!qomp_tool_stand_in(t))
		return;
	qomp_tell_not_acquired(t);
	if (tell)
		tell(kind, wait_id_of(lock), t->from);
}

void qomp_tell_released(struct qomp_told *t, ompt_mutex_t kind, const void *lock)
{
	struct qomp_tool_thread *th = qomp_tool_stand_in(t);
	ompt_callback_mutex_t tell = qomp_callback_of(mutex_released, ompt_callback_mutex_t);

	if (th && tell)
		tell(kind, wait_id_of(lock), qomp_tool_take_from(th));
}

void qomp_tell_nested(struct qomp_told *t, ompt_scope_endpoint_t end, const void *lock)
{
	struct qomp_tool_thread *th = qomp_tool_stand_in(t);
	ompt_callback_nest_lock_t tell = qomp_callback(nest_lock);

	if (!th)
		return;
	if (end == ompt_scope_begin)
		qomp_tell_not_acquired(t);
	if (tell)
		tell(end, wait_id_of(lock), end == ompt_scope_begin ? t->from : qomp_tool_take_from(th));
}
