/* omp/tool/tell_wait.c -- see omp/tool/tell_wait.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/tool/tell_wait.h"

#include "omp/tool/callbacks.h"
#include "omp/tool/race.h"
#include "omp/tool/stand.h"
#include "omp/tool/tell_work.h"

static int state_of(ompt_sync_region_t kind)
{
	switch (kind) {
	case ompt_sync_region_barrier_implicit_parallel:
		return ompt_state_wait_barrier_implicit_parallel;
	case ompt_sync_region_barrier_implicit_workshare:
		return ompt_state_wait_barrier_implicit_workshare;
	case ompt_sync_region_barrier_implementation:
		return ompt_state_wait_barrier_implementation;
	case ompt_sync_region_taskwait:
		return ompt_state_wait_taskwait;
	case ompt_sync_region_taskgroup:
		return ompt_state_wait_taskgroup;
	case ompt_sync_region_reduction:
		return ompt_state_work_reduction;
	default:
		return ompt_state_wait_barrier_explicit;
	}
}

static void tell_region(const struct qomp_told *t, ompt_sync_region_t kind, ompt_scope_endpoint_t end)
{
	ompt_callback_sync_region_t tell = qomp_callback(sync_region);

	if (tell)
		tell(kind, end, qomp_told_region_data(t), (ompt_data_t *)&t->data, t->from);
}

static void tell_wait(const struct qomp_told *t, ompt_sync_region_t kind, ompt_scope_endpoint_t end)
{
	ompt_callback_sync_region_t tell = qomp_callback_of(sync_region_wait, ompt_callback_sync_region_t);

	if (tell)
		tell(kind, end, qomp_told_region_data(t), (ompt_data_t *)&t->data, t->from);
}

void qomp_tell_sync_begin(struct qomp_told *t, ompt_sync_region_t kind)
{
	struct qomp_tool_thread *th = qomp_tool_stand_in(t);

	qomp_race_sync_begin(t, kind);
	if (!th)
		return;
	qomp_tell_single_over(t);
	if (kind != ompt_sync_region_taskwait)
		qomp_tell_work_over(t, th->from);
	t->from = qomp_tool_take_from(th);
	qomp_tool_enter(th, t);
	tell_region(t, kind, ompt_scope_begin);
	tell_wait(t, kind, ompt_scope_begin);
	t->state = state_of(kind);
}

void qomp_tell_sync_end(struct qomp_told *t, ompt_sync_region_t kind)
{
	qomp_race_sync_end(t, kind);
	if (!qomp_tool_stand_in(t))
		return;
	t->state = qomp_told_work_state(t);
	tell_wait(t, kind, ompt_scope_end);
	tell_region(t, kind, ompt_scope_end);
	qomp_tool_leave(t);
}

void qomp_tell_group(struct qomp_told *t)
{
	struct qomp_tool_thread *th = qomp_tool_stand_in(t);

	if (!th)
		return;
	t->from = qomp_tool_take_from(th);
	tell_region(t, ompt_sync_region_taskgroup, ompt_scope_begin);
}

void qomp_tell_group_wait(struct qomp_told *t)
{
	struct qomp_tool_thread *th = qomp_tool_stand_in(t);

	if (!th)
		return;
	t->from = qomp_tool_take_from(th);
	qomp_tool_enter(th, t);
	tell_wait(t, ompt_sync_region_taskgroup, ompt_scope_begin);
	t->state = ompt_state_wait_taskgroup;
}

void qomp_tell_last_barrier(struct qomp_told *t, bool leaves)
{
	struct qomp_tool_thread *th = qomp_tool_stand_in(t);

	qomp_race_member_end(t);
	if (!th)
		return;
	qomp_tell_single_over(t);
	qomp_tell_work_over(t, NULL);
	t->from = t->region->from;
	qomp_tool_set_exit(t, NULL);
	tell_region(t, ompt_sync_region_barrier_implicit_parallel, ompt_scope_begin);
	tell_wait(t, ompt_sync_region_barrier_implicit_parallel, ompt_scope_begin);
	t->state = ompt_state_wait_barrier_implicit_parallel;
	if (leaves)
		t->region = NULL;
}
