/* omp/tool/tell.c -- see omp/tool/tell.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/tool/tell.h"

#include "base/mem.h"
#include "core/guest.h"
#include "machine/handler.h"
#include "omp/tool/callbacks.h"

/* --- threads --------------------------------------------------------------------------------------------- */

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

/* The calling thread; NULL: out of memory. */
static struct qomp_tool_thread *thread_here(void)
{
	struct qomp_tool_thread *th = qomp_tool_thread_now();

	return qti_likely(th != NULL) ? th : qomp_tool_thread(kind_of_thread());
}

void qomp_tell_worker(void)
{
	qomp_tool_thread(ompt_thread_worker);
}

void qomp_tool_called_from(const void *address, void *frame)
{
	struct qomp_tool_thread *th = thread_here();

	if (th) {
		th->from = address;
		th->frame = frame;
	}
}

/* Whose call is known is told once: a place that has not said whence it is called says nothing rather than something
 * wrong. */
static const void *take_from(struct qomp_tool_thread *th)
{
	const void *from = th->from;

	th->from = NULL;
	return from;
}

static void enter_runtime(const struct qomp_tool_thread *th, struct qomp_told *t)
{
	t->frame.enter_frame.ptr = th->frame;
	t->frame.enter_frame_flags = ompt_frame_runtime | ompt_frame_cfa;
}

static void leave_runtime(struct qomp_told *t)
{
	t->frame.enter_frame.ptr = NULL;
}

static void set_exit(struct qomp_told *t, void *frame)
{
	t->frame.exit_frame.ptr = frame;
	t->frame.exit_frame_flags = ompt_frame_runtime | ompt_frame_cfa;
}

/* --- which task runs ------------------------------------------------------------------------------------- */

static void tell_schedule(struct qomp_told *prior, ompt_task_status_t status, struct qomp_told *next)
{
	ompt_callback_task_schedule_t tell = qomp_callback(task_schedule);

	if (tell)
		tell(prior ? &prior->data : NULL, status, next ? &next->data : NULL);
}

/* t runs, on the calling thread: is it the one that ran when something was told last?  NULL: nothing can be told. */
static struct qomp_tool_thread *stand_in(struct qomp_told *t)
{
	struct qomp_tool_thread *th = t ? thread_here() : NULL;

	if (!th)
		return NULL;
	if (qti_unlikely(t->on != th)) {
		if (t->on)
			return NULL;            /* it has begun on another one */
		qomp_told_add(th, t);
	}
	struct qomp_told *before = qomp_told_raise(th, t);
	if (before && before != t)
		tell_schedule(before, ompt_task_switch, t);
	return th;
}

static ompt_data_t *region_data(const struct qomp_told *t)
{
	return t->region ? &t->region->data : NULL;
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
		tell(end, end == ompt_scope_begin ? region_data(t) : NULL, &t->data, size, index, t->flags);
}

static void tell_work(struct qomp_told *t, ompt_work_t kind, ompt_scope_endpoint_t end, uint64_t count, const void *from)
{
	ompt_callback_work_t tell = qomp_callback(work);

	if (tell)
		tell(kind, end, region_data(t), &t->data, count, from);
}

static void single_over(struct qomp_told *t)
{
	if (t->single)
		tell_work(t, ompt_work_single_executor, ompt_scope_end, 1, t->from);
	t->single = false;
}

/* A cancelled loop need not say that it is over. */
static void work_over(struct qomp_told *t, const void *from)
{
	if (t->work)
		tell_work(t, t->work, ompt_scope_end, t->count, from);
	t->work = 0;
}

struct qomp_told *qomp_tell_initial_begin(struct qomp_told_region *league, unsigned number)
{
	struct qomp_tool_thread *th = thread_here();
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
	if (stand_in(t))
		tell_implicit(ompt_scope_end, t, 0, t->region == &t->own ? 1 : t->number);
	qomp_told_free(t);
}

static struct qomp_told_region *region_begin(struct qomp_told *met, unsigned asked, int flags)
{
	struct qomp_tool_thread *th = stand_in(met);
	struct qomp_told_region *r = th ? qti_mem_zalloc(sizeof(*r)) : NULL;
	ompt_callback_parallel_begin_t tell = qomp_callback(parallel_begin);

	if (!r)
		return NULL;
	qomp_race_parallel(r);
	r->met = met;
	r->from = take_from(th);
	r->flags = flags;
	enter_runtime(th, met);
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
	struct qomp_tool_thread *th = r ? stand_in(r->met) : NULL;
	ompt_callback_parallel_end_t tell = qomp_callback(parallel_end);

	if (!r)
		return;
	if (tell && th)
		tell(&r->data, &r->met->data, r->flags, r->from);
	leave_runtime(r->met);
	qti_mem_free(r);
}

struct qomp_told *qomp_tell_implicit_begin(struct qomp_told_region *r, unsigned size, unsigned number, void *exit_frame)
{
	struct qomp_tool_thread *th = r ? thread_here() : NULL;
	struct qomp_told *t = th ? told_new(r, ompt_task_implicit, ompt_state_work_parallel) : NULL;

	if (!t)
		return NULL;
	qomp_race_member_begin(t);
	t->number = number;
	t->from = r->from;
	set_exit(t, exit_frame);
	qomp_told_add(th, t);
	tell_implicit(ompt_scope_begin, t, size, number);
	return t;
}

void qomp_tell_implicit_end(struct qomp_told *t)
{
	struct qomp_tool_thread *th = stand_in(t);

	if (th) {
		single_over(t);
		work_over(t, NULL);
		tell_implicit(ompt_scope_end, t, 0, t->number);
	}
	qomp_told_free(t);
}

/* --- waiting --------------------------------------------------------------------------------------------- */

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

static int state_of_work(const struct qomp_told *t)
{
	return t->flags & ompt_task_initial ? ompt_state_work_serial : ompt_state_work_parallel;
}

static void tell_region(const struct qomp_told *t, ompt_sync_region_t kind, ompt_scope_endpoint_t end)
{
	ompt_callback_sync_region_t tell = qomp_callback(sync_region);

	if (tell)
		tell(kind, end, region_data(t), (ompt_data_t *)&t->data, t->from);
}

static void tell_wait(const struct qomp_told *t, ompt_sync_region_t kind, ompt_scope_endpoint_t end)
{
	ompt_callback_sync_region_t tell = qomp_callback_of(sync_region_wait, ompt_callback_sync_region_t);

	if (tell)
		tell(kind, end, region_data(t), (ompt_data_t *)&t->data, t->from);
}

void qomp_tell_sync_begin(struct qomp_told *t, ompt_sync_region_t kind)
{
	struct qomp_tool_thread *th = stand_in(t);

	qomp_race_sync_begin(t, kind);
	if (!th)
		return;
	single_over(t);
	if (kind != ompt_sync_region_taskwait)
		work_over(t, th->from);
	t->from = take_from(th);
	enter_runtime(th, t);
	tell_region(t, kind, ompt_scope_begin);
	tell_wait(t, kind, ompt_scope_begin);
	t->state = state_of(kind);
}

void qomp_tell_sync_end(struct qomp_told *t, ompt_sync_region_t kind)
{
	qomp_race_sync_end(t, kind);
	if (!stand_in(t))
		return;
	t->state = state_of_work(t);
	tell_wait(t, kind, ompt_scope_end);
	tell_region(t, kind, ompt_scope_end);
	leave_runtime(t);
}

void qomp_tell_group(struct qomp_told *t)
{
	struct qomp_tool_thread *th = stand_in(t);

	if (!th)
		return;
	t->from = take_from(th);
	tell_region(t, ompt_sync_region_taskgroup, ompt_scope_begin);
}

void qomp_tell_group_wait(struct qomp_told *t)
{
	struct qomp_tool_thread *th = stand_in(t);

	if (!th)
		return;
	t->from = take_from(th);
	enter_runtime(th, t);
	tell_wait(t, ompt_sync_region_taskgroup, ompt_scope_begin);
	t->state = ompt_state_wait_taskgroup;
}

void qomp_tell_last_barrier(struct qomp_told *t, bool leaves)
{
	struct qomp_tool_thread *th = stand_in(t);

	qomp_race_member_end(t);
	if (!th)
		return;
	single_over(t);
	work_over(t, NULL);
	t->from = t->region->from;
	set_exit(t, NULL);
	tell_region(t, ompt_sync_region_barrier_implicit_parallel, ompt_scope_begin);
	tell_wait(t, ompt_sync_region_barrier_implicit_parallel, ompt_scope_begin);
	t->state = ompt_state_wait_barrier_implicit_parallel;
	if (leaves)
		t->region = NULL;
}

void qomp_tell_member_end(struct qomp_told *t)
{
	qomp_tell_sync_end(t, ompt_sync_region_barrier_implicit_parallel);
	qomp_tell_implicit_end(t);
}

/* --- explicit tasks -------------------------------------------------------------------------------------- */

struct qomp_told *qomp_tell_create(struct qomp_told *creator, int flags, bool depends)
{
	struct qomp_tool_thread *th = stand_in(creator);
	struct qomp_told *t = th ? told_new(creator->region, ompt_task_explicit | flags, ompt_state_work_parallel) : NULL;
	ompt_callback_task_create_t tell = qomp_callback(task_create);

	if (!t)
		return NULL;
	qomp_race_created(creator, t);
	t->from = take_from(th);
	enter_runtime(th, creator);
	if (tell)
		tell(&creator->data, &creator->frame, &t->data, t->flags, depends, t->from);
	leave_runtime(creator);
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
	struct qomp_tool_thread *th = t ? thread_here() : NULL;

	qomp_race_task_begin(t);
	if (!th)
		return;
	t->number = number;
	set_exit(t, exit_frame);
	tell_schedule(qomp_told_add(th, t), ompt_task_switch, t);
}

/* t leaves the thread for good; which task goes on there nobody knows yet, but it is likely to be the last one before. */
void qomp_tell_task_end(struct qomp_told *t, ompt_task_status_t status)
{
	struct qomp_tool_thread *th = stand_in(t);

	qomp_race_task_end(t);
	if (!th)
		return;
	qomp_told_remove(t);
	set_exit(t, NULL);
	tell_schedule(t, status, th->first);
}

void qomp_tell_fulfilled(struct qomp_told *t, bool late)
{
	qomp_race_task_end(t);
	if (t)
		tell_schedule(t, late ? ompt_task_late_fulfill : ompt_task_early_fulfill, NULL);
}

/* --- work sharing ---------------------------------------------------------------------------------------- */

void qomp_tell_work_begin(struct qomp_told *t, ompt_work_t kind, uint64_t count)
{
	struct qomp_tool_thread *th = stand_in(t);

	if (!th)
		return;
	single_over(t);
	work_over(t, th->from);         /* of a distribute and a loop in one only one end is told */
	t->work = kind;
	t->count = count;
	tell_work(t, kind, ompt_scope_begin, count, take_from(th));
}

void qomp_tell_work_end(struct qomp_told *t)
{
	struct qomp_tool_thread *th = stand_in(t);

	if (th)
		work_over(t, th->from);         /* a barrier may follow, in the same call */
}

void qomp_tell_taskloop(struct qomp_told *t, ompt_scope_endpoint_t end, uint64_t count)
{
	struct qomp_tool_thread *th = stand_in(t);

	if (th)
		tell_work(t, ompt_work_taskloop, end, count, th->from);
}

void qomp_tell_chunk(struct qomp_told *t, ompt_dispatch_t kind, uint64_t first, uint64_t n)
{
	ompt_callback_dispatch_t tell = qomp_callback(dispatch);
	ompt_dispatch_chunk_t chunk = { first, n };
	ompt_data_t what = { .ptr = &chunk };

	if (!stand_in(t) || !tell)
		return;
	if (kind == ompt_dispatch_section)
		what.value = first;
	tell(region_data(t), &t->data, kind, what);
}

void qomp_tell_single(struct qomp_told *t, bool done)
{
	struct qomp_tool_thread *th = stand_in(t);

	if (!th)
		return;
	single_over(t);
	const void *from = take_from(th);
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
	if (stand_in(t))
		single_over(t);
}

void qomp_tell_masked(struct qomp_told *t, ompt_scope_endpoint_t end)
{
	struct qomp_tool_thread *th = stand_in(t);
	ompt_callback_masked_t tell = qomp_callback(masked);

	if (th && tell)
		tell(end, region_data(t), &t->data, take_from(th));
}

void qomp_tell_reduction(struct qomp_told *t, ompt_scope_endpoint_t end)
{
	struct qomp_tool_thread *th = stand_in(t);
	ompt_callback_sync_region_t tell = qomp_callback_of(reduction, ompt_callback_sync_region_t);

	if (!th || (end == ompt_scope_end && t->state != ompt_state_work_reduction))
		return;         /* by atomic operations: compiled code says nothing, or only that it has done so */
	t->state = end == ompt_scope_begin ? ompt_state_work_reduction : state_of_work(t);
	if (tell)
		tell(ompt_sync_region_reduction, end, region_data(t), &t->data, th->from);
}

void qomp_tell_cancel(struct qomp_told *t, int flags)
{
	struct qomp_tool_thread *th = stand_in(t);
	ompt_callback_cancel_t tell = qomp_callback(cancel);

	if (th && tell)
		tell(&t->data, flags, take_from(th));
}

/* --- locks ----------------------------------------------------------------------------------------------- */

enum { IMPL_SPIN_THEN_SLEEP = 1 };      /* omp/tool/inquiry.c */

static ompt_wait_id_t wait_id_of(const void *lock)
{
	return (ompt_wait_id_t)(uintptr_t)lock;
}

void qomp_tell_lock_init(struct qomp_told *t, ompt_mutex_t kind, unsigned hint, const void *lock)
{
	struct qomp_tool_thread *th = stand_in(t);
	ompt_callback_mutex_acquire_t tell = qomp_callback_of(lock_init, ompt_callback_mutex_acquire_t);

	if (th && tell)
		tell(kind, hint, IMPL_SPIN_THEN_SLEEP, wait_id_of(lock), take_from(th));
}

void qomp_tell_lock_destroy(struct qomp_told *t, ompt_mutex_t kind, const void *lock)
{
	struct qomp_tool_thread *th = stand_in(t);
	ompt_callback_mutex_t tell = qomp_callback_of(lock_destroy, ompt_callback_mutex_t);

	if (th && tell)
		tell(kind, wait_id_of(lock), take_from(th));
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
	struct qomp_tool_thread *th = stand_in(t);
	ompt_callback_mutex_acquire_t tell = qomp_callback(mutex_acquire);

	if (!th)
		return;
	t->from = take_from(th);
	enter_runtime(th, t);
	if (tell)
		tell(kind, hint, IMPL_SPIN_THEN_SLEEP, wait_id_of(lock), t->from);
	t->wait_id = wait_id_of(lock);
	t->state = state_of_mutex(kind);
}

void qomp_tell_not_acquired(struct qomp_told *t)
{
	if (!stand_in(t))
		return;
	t->wait_id = ompt_wait_id_none;
	t->state = state_of_work(t);
	leave_runtime(t);
}

void qomp_tell_acquired(struct qomp_told *t, ompt_mutex_t kind, const void *lock)
{
	ompt_callback_mutex_t tell = qomp_callback_of(mutex_acquired, ompt_callback_mutex_t);

	if (!stand_in(t))
		return;
	qomp_tell_not_acquired(t);
	if (tell)
		tell(kind, wait_id_of(lock), t->from);
}

void qomp_tell_released(struct qomp_told *t, ompt_mutex_t kind, const void *lock)
{
	struct qomp_tool_thread *th = stand_in(t);
	ompt_callback_mutex_t tell = qomp_callback_of(mutex_released, ompt_callback_mutex_t);

	if (th && tell)
		tell(kind, wait_id_of(lock), take_from(th));
}

void qomp_tell_nested(struct qomp_told *t, ompt_scope_endpoint_t end, const void *lock)
{
	struct qomp_tool_thread *th = stand_in(t);
	ompt_callback_nest_lock_t tell = qomp_callback(nest_lock);

	if (!th)
		return;
	if (end == ompt_scope_begin)
		qomp_tell_not_acquired(t);
	if (tell)
		tell(end, wait_id_of(lock), end == ompt_scope_begin ? t->from : take_from(th));
}

/* --- else ------------------------------------------------------------------------------------------------ */

void qomp_tell_flush(void)
{
	struct qomp_tool_thread *th = thread_here();
	ompt_callback_flush_t tell = qomp_callback(flush);

	if (th && tell)
		tell(&th->data, take_from(th));
}

void qomp_tell_error(ompt_severity_t severity, const char *message, size_t length)
{
	struct qomp_tool_thread *th = thread_here();
	ompt_callback_error_t tell = qomp_callback(error);

	if (th && tell)
		tell(severity, message, length, take_from(th));
}

enum { NO_TOOL = -2, NO_CALLBACK = -1 };        /* omp_control_tool_result_t */

int qomp_tell_control(uint64_t command, uint64_t modifier, void *arg)
{
	struct qomp_tool_thread *th = thread_here();
	ompt_callback_control_tool_t tell = qomp_callback(control_tool);

	if (!qomp_callbacks_used())
		return NO_TOOL;
	return th && tell ? tell(command, modifier, arg, take_from(th)) : NO_CALLBACK;
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

/* After all handlers of atexit(3), the runtime's among them.  A program that ends in a region leaves that as it is; so does one that
 * ends in the handler of a signal, which may have interrupted the tool: that is finalized only. */
__attribute__((destructor)) static void finish(void)
{
	if (!qomp_callbacks_used())
		return;
	if (!qti_in_handler())
		tell_initial_end();
	qomp_callbacks_end();
}
