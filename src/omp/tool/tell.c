/* omp/tool/tell.c -- see omp/tool/tell.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/tool/tell.h"

#include "base/mem.h"
#include "machine/handler.h"
#include "omp/tool/callbacks.h"
#include "omp/tool/stand.h"

/* --- threads --------------------------------------------------------------------------------------------- */

void qomp_tell_worker(void)
{
	qomp_tool_thread(ompt_thread_worker);
}

void qomp_tool_called_from(const void *address, void *frame)
{
	struct qomp_tool_thread *th = qomp_tool_thread_here();

	if (th) {
		th->from = address;
		th->frame = frame;
	}
}

static struct qomp_told *told_new(struct qomp_told_region *r, int flags, int state)
{
	struct qomp_told *t = qti_mem_zalloc(sizeof(*t));

	if (t) {
		t->region = r;
		t->flags = flags;
		t->state = state;
	}
	return t;
}

void qomp_told_free(struct qomp_told *t)
{
	if (!t)
		return;
	qomp_told_remove(t);
	qomp_race_drop(t);
	qti_mem_free(t);
}

/* --- implicit tasks -------------------------------------------------------------------------------------- */

static void tell_implicit(ompt_scope_endpoint_t end, struct qomp_told *t, unsigned size, unsigned index)
{
	ompt_callback_implicit_task_t tell = qomp_callback(implicit_task);

	if (tell)
		tell(end, end == ompt_scope_begin ? qomp_told_region_data(t) : NULL, &t->data, size, index, t->flags);
}

struct qomp_told *qomp_tell_initial_begin(struct qomp_told_region *league, unsigned number)
{
	struct qomp_tool_thread *th = qomp_tool_thread_here();
	struct qomp_told *t = th ? told_new(NULL, ompt_task_initial, ompt_state_work_serial) : NULL;

	if (!t)
		return NULL;
	t->region = league ? league : &t->own;
	t->own.size = 1;
	t->number = league ? number : 0;
	qomp_race_member_begin(t);
	qomp_told_add(th, t);
	tell_implicit(ompt_scope_begin, t, t->region->size, league ? number : 1);
	return t;
}

void qomp_tell_initial_end(struct qomp_told *t)
{
	if (qomp_tool_stand_in(t))
		tell_implicit(ompt_scope_end, t, 0, t->region == &t->own ? 1 : t->number);
	qomp_told_free(t);
}

static struct qomp_told_region *region_begin(struct qomp_told *met, unsigned asked, int flags)
{
	struct qomp_tool_thread *th = qomp_tool_stand_in(met);
	struct qomp_told_region *r = th ? qti_mem_zalloc(sizeof(*r)) : NULL;
	ompt_callback_parallel_begin_t tell = qomp_callback(parallel_begin);

	if (!r)
		return NULL;
	qomp_race_parallel(r);
	r->met = met;
	r->from = qomp_tool_take_from(th);
	r->flags = flags;
	qomp_tool_enter(th, met);
	if (tell)
		tell(&met->data, &met->frame, &r->data, asked, r->flags, r->from);
	return r;
}

struct qomp_told_region *qomp_tell_parallel_begin(struct qomp_told *met, unsigned asked, bool by_program)
{
	int by = by_program ? ompt_parallel_invoker_program : ompt_parallel_invoker_runtime;

	return region_begin(met, asked, (int)ompt_parallel_team | by);
}

struct qomp_told_region *qomp_tell_league_begin(struct qomp_told *met, unsigned teams)
{
	struct qomp_told_region *r = region_begin(met, teams, ompt_parallel_league | ompt_parallel_invoker_runtime);

	if (r)
		r->size = teams;
	return r;
}

void qomp_tell_parallel_end(struct qomp_told_region *r)
{
	struct qomp_tool_thread *th = r ? qomp_tool_stand_in(r->met) : NULL;
	ompt_callback_parallel_end_t tell = qomp_callback(parallel_end);

	if (!r)
		return;
	if (tell && th)
		tell(&r->data, &r->met->data, r->flags, r->from);
	qomp_tool_leave(r->met);
	qti_mem_free(r);
}

struct qomp_told *qomp_tell_implicit_begin(struct qomp_told_region *r, unsigned size, unsigned number, void *exit_frame)
{
	struct qomp_tool_thread *th = r ? qomp_tool_thread_here() : NULL;
	struct qomp_told *t = th ? told_new(r, ompt_task_implicit, ompt_state_work_parallel) : NULL;

	if (!t)
		return NULL;
	qomp_race_member_begin(t);
	t->number = number;
	t->from = r->from;
	qomp_tool_set_exit(t, exit_frame);
	qomp_told_add(th, t);
	tell_implicit(ompt_scope_begin, t, size, number);
	return t;
}

void qomp_tell_implicit_end(struct qomp_told *t)
{
	struct qomp_tool_thread *th = qomp_tool_stand_in(t);

	if (th) {
		qomp_tell_single_over(t);
		qomp_tell_work_over(t, NULL);
		tell_implicit(ompt_scope_end, t, 0, t->number);
	}
	qomp_told_free(t);
}

void qomp_tell_member_end(struct qomp_told *t)
{
	qomp_tell_sync_end(t, ompt_sync_region_barrier_implicit_parallel);
	qomp_tell_implicit_end(t);
}

/* --- explicit tasks -------------------------------------------------------------------------------------- */

struct qomp_told *qomp_tell_create(struct qomp_told *creator, int flags, bool depends)
{
	struct qomp_tool_thread *th = qomp_tool_stand_in(creator);
	struct qomp_told *t =
		th ? told_new(creator->region, ompt_task_explicit | flags, ompt_state_work_parallel) : NULL;
	ompt_callback_task_create_t tell = qomp_callback(task_create);

	if (!t)
		return NULL;
	qomp_race_created(creator, t);
	t->from = qomp_tool_take_from(th);
	qomp_tool_enter(th, creator);
	if (tell)
		tell(&creator->data, &creator->frame, &t->data, t->flags, depends, t->from);
	qomp_tool_leave(creator);
	return t;
}

void qomp_tell_dependences(struct qomp_told *t, const ompt_dependence_t *list, int n)
{
	ompt_callback_dependences_t tell = qomp_callback(dependences);

	qomp_race_depends(t, list, n);
	if (t && tell)
		tell(&t->data, list, n);
}

void qomp_tell_doacross(struct qomp_told *t, ompt_dependence_type_t type, const uint64_t *at, unsigned n)
{
	ompt_callback_dependences_t tell = qomp_callback(dependences);
	ompt_dependence_t *list = t && tell ? qti_mem_alloc(n * sizeof(*list)) : NULL;

	if (!list)
		return;
	for (unsigned i = 0; i < n; i++)
		list[i] = (ompt_dependence_t){ .variable.value = at[i], .dependence_type = type };
	tell(&t->data, list, (int)n);
	qti_mem_free(list);
}

void qomp_tell_dependence(struct qomp_told *before, struct qomp_told *after)
{
	ompt_callback_task_dependence_t tell = qomp_callback(task_dependence);

	if (before && after && tell)
		tell(&before->data, &after->data);
}

void qomp_tell_task_begin(struct qomp_told *t, unsigned number, void *exit_frame)
{
	struct qomp_tool_thread *th = t ? qomp_tool_thread_here() : NULL;

	qomp_race_task_begin(t);
	if (!th)
		return;
	t->number = number;
	qomp_tool_set_exit(t, exit_frame);
	qomp_tell_schedule(qomp_told_add(th, t), ompt_task_switch, t);
}

/* t leaves the thread for good; which task goes on there nobody knows yet, but it is likely to be the last one
 * before. */
void qomp_tell_task_end(struct qomp_told *t, ompt_task_status_t status)
{
	struct qomp_tool_thread *th = qomp_tool_stand_in(t);

	qomp_race_task_end(t);
	if (!th)
		return;
	qomp_told_remove(t);
	qomp_tool_set_exit(t, NULL);
	qomp_tell_schedule(t, status, th->first);
}

void qomp_tell_fulfilled(struct qomp_told *t, bool late)
{
	qomp_race_task_end(t);
	if (t)
		qomp_tell_schedule(t, late ? ompt_task_late_fulfill : ompt_task_early_fulfill, NULL);
}

/* --- else ------------------------------------------------------------------------------------------------ */

void qomp_tell_cancel(struct qomp_told *t, int flags)
{
	struct qomp_tool_thread *th = qomp_tool_stand_in(t);
	ompt_callback_cancel_t tell = qomp_callback(cancel);

	if (th && tell)
		tell(&t->data, flags, qomp_tool_take_from(th));
}

void qomp_tell_flush(void)
{
	struct qomp_tool_thread *th = qomp_tool_thread_here();
	ompt_callback_flush_t tell = qomp_callback(flush);

	if (th && tell)
		tell(&th->data, qomp_tool_take_from(th));
}

void qomp_tell_error(ompt_severity_t severity, const char *message, size_t length)
{
	struct qomp_tool_thread *th = qomp_tool_thread_here();
	ompt_callback_error_t tell = qomp_callback(error);

	if (th && tell)
		tell(severity, message, length, qomp_tool_take_from(th));
}

enum { NO_TOOL = -2, NO_CALLBACK = -1 };        /* omp_control_tool_result_t */

int qomp_tell_control(uint64_t command, uint64_t modifier, void *arg)
{
	struct qomp_tool_thread *th = qomp_tool_thread_here();
	ompt_callback_control_tool_t tell = qomp_callback(control_tool);

	if (!qomp_callbacks_used())
		return NO_TOOL;
	return th && tell ? tell(command, modifier, arg, qomp_tool_take_from(th)) : NO_CALLBACK;
}

/* --- the end --------------------------------------------------------------------------------------------- */

static void tell_initial_end(void)
{
	struct qomp_tool_thread *th = qomp_tool_thread_now();
	struct qomp_told *t = th ? th->first : NULL;

	if (t && t->flags & ompt_task_initial && !t->below) {
		tell_implicit(ompt_scope_end, t, 0, 1);
		qomp_told_remove(t);
	}
	if (th && !th->first)
		qomp_tool_thread_end();
}

/* After all handlers of atexit(3), the runtime's among them.  A program that ends in a region leaves that as it is; so
 * does one that ends in the handler of a signal, which may have interrupted the tool: that is finalized only. */
__attribute__((destructor)) static void finish(void)
{
	if (!qomp_callbacks_used())
		return;
	if (!qti_in_handler())
		tell_initial_end();
	qomp_callbacks_end();
}
