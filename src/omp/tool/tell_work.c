/* omp/tool/tell_work.c -- see omp/tool/tell_work.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/tool/tell_work.h"

#include "omp/tool/callbacks.h"
#include "omp/tool/stand.h"

static void tell_work(struct qomp_told *t, ompt_work_t kind, ompt_scope_endpoint_t end, uint64_t count,
	const void *from)
{
	ompt_callback_work_t tell = qomp_callback(work);

	if (tell)
		tell(kind, end, qomp_told_region_data(t), &t->data, count, from);
}

void qomp_tell_single_over(struct qomp_told *t)
{
	if (t->single)
		tell_work(t, ompt_work_single_executor, ompt_scope_end, 1, t->from);
	t->single = false;
}

/* A cancelled loop need not say that it is over. */
void qomp_tell_work_over(struct qomp_told *t, const void *from)
{
	if (t->work)
		tell_work(t, t->work, ompt_scope_end, t->count, from);
	t->work = 0;
}

void qomp_tell_work_begin(struct qomp_told *t, ompt_work_t kind, uint64_t count)
{
	struct qomp_tool_thread *th = qomp_tool_stand_in(t);

	if (!th)
		return;
	qomp_tell_single_over(t);
	qomp_tell_work_over(t, th->from);         /* of a distribute and a loop in one only one end is told */
	t->work = kind;
	t->count = count;
	tell_work(t, kind, ompt_scope_begin, count, qomp_tool_take_from(th));
}

void qomp_tell_work_end(struct qomp_told *t)
{
	struct qomp_tool_thread *th = qomp_tool_stand_in(t);

	if (th)
		qomp_tell_work_over(t, th->from);         /* a barrier may follow, in the same call */
}

void qomp_tell_taskloop(struct qomp_told *t, ompt_scope_endpoint_t end, uint64_t count)
{
	struct qomp_tool_thread *th = qomp_tool_stand_in(t);

	if (th)
		tell_work(t, ompt_work_taskloop, end, count, th->from);
}

void qomp_tell_chunk(struct qomp_told *t, ompt_dispatch_t kind, uint64_t first, uint64_t n)
{
	ompt_callback_dispatch_t tell = qomp_callback(dispatch);
	ompt_dispatch_chunk_t chunk = { first, n };
	ompt_data_t what = { .ptr = &chunk };

	if (!qomp_tool_stand_in(t) || !tell)
		return;
	if (kind == ompt_dispatch_section)
		what.value = first;
	tell(qomp_told_region_data(t), &t->data, kind, what);
}

void qomp_tell_single(struct qomp_told *t, bool done)
{
	struct qomp_tool_thread *th = qomp_tool_stand_in(t);

	if (!th)
		return;
	qomp_tell_single_over(t);
	const void *from = qomp_tool_take_from(th);
	if (done) {
		t->single = true;
		t->from = from;
		tell_work(t, ompt_work_single_executor, ompt_scope_begin, 1, from);
	} else {
		tell_work(t, ompt_work_single_other, ompt_scope_begin, 1, from);
		tell_work(t, ompt_work_single_other, ompt_scope_end, 1, from);
	}
}

void qomp_tell_single_end(struct qomp_told *t)
{
	if (qomp_tool_stand_in(t))
		qomp_tell_single_over(t);
}

void qomp_tell_masked(struct qomp_told *t, ompt_scope_endpoint_t end)
{
	struct qomp_tool_thread *th = qomp_tool_stand_in(t);
	ompt_callback_masked_t tell = qomp_callback(masked);

	if (th && tell)
		tell(end, qomp_told_region_data(t), &t->data, qomp_tool_take_from(th));
}

void qomp_tell_reduction(struct qomp_told *t, ompt_scope_endpoint_t end)
{
	struct qomp_tool_thread *th = qomp_tool_stand_in(t);
	ompt_callback_sync_region_t tell = qomp_callback_of(reduction, ompt_callback_sync_region_t);

	if (!th || (end == ompt_scope_end && t->state != ompt_state_work_reduction))
		return;         /* by atomic operations: compiled code says nothing, or only that it has done so */
	t->state = end == ompt_scope_begin ? ompt_state_work_reduction : qomp_told_work_state(t);
	if (tell)
		tell(ompt_sync_region_reduction, end, qomp_told_region_data(t), &t->data, th->from);
}
