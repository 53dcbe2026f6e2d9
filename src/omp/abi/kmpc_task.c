/* omp/abi/kmpc_task.c -- explicit tasks, as clang calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An untied task comes in parts: each but the last passes the task to __kmpc_omp_task once more before it returns.  The
 * next one runs at once then, on the same thread.
 */
#include "omp/abi/kmpc_record.h"

#include "omp/task/event.h"
#include "omp/task/request.h"
#include "omp/tool/tell.h"

/* --- memory ---------------------------------------------------------------------------------------------- */

_Static_assert(offsetof(struct qomp_task, arg) % QTI_CACHE_LINE == 0, "a task's memory begins with a line");

static size_t round_up(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

struct kmpc_task *__kmpc_omp_task_alloc(
	struct kmpc_ident *loc, int32_t thread, int32_t flags, size_t size, size_t shareds, kmpc_routine *routine)
{
	size_t front = round_up(size), bytes;

	(void)loc, (void)thread;
	if (__builtin_add_overflow(front, shareds, &bytes) || front < size)
		bytes = SIZE_MAX;
	struct qomp_task *t = kmpc_record_new(qomp_frame(), (uint32_t)flags, bytes);
	struct kmpc_task *task = kmpc_head(t)->task;
	task->shareds = shareds ? (char *)task + front : NULL;
	task->routine = routine;
	task->part = 0;
	if (qti_unlikely(flags & KMPC_TASK_PROXY))
		__kmpc_task_allow_completion_event(loc, thread, task);
	return task;
}

/* The routine is the host's version. */
struct kmpc_task *__kmpc_omp_target_task_alloc(struct kmpc_ident *loc, int32_t thread, int32_t flags, size_t size,
                                               size_t shareds, kmpc_routine *routine, int64_t device)
{
	(void)device;
	return __kmpc_omp_task_alloc(loc, thread, flags, size, shareds, routine);
}

/* --- creating -------------------------------------------------------------------------------------------- */

static __attribute__((noinline)) int32_t task_rare(struct qomp_task *t)
{
	const struct kmpc_head *h = kmpc_head(t);

	if (h->flags & KMPC_TASK_PRIORITY)
		qomp_task_set_priority(t, h->task->priority);
	qomp_task_submit_known(t, NULL);
	return 0;
}

/* A creator's task: the creator is final, or alone; nothing can cancel it, and nobody is told. */
static inline bool runs_now(const struct qomp_frame *creator)
{
	if (creator->flags & QOMP_TRACED || qomp_settings.cancellation)
		return false;
	return creator->flags & QOMP_FINAL || qomp_frame_runs_alone(creator);
}

/* What qomp_task_submit comes to then, without its questions. */
static inline void run_now(struct qomp_task *t, struct kmpc_head *h, int32_t thread)
{
	qomp_task_begin(t);
	kmpc_run_parts(h, thread);
	kmpc_destroy(h, thread);
	qomp_task_end(t);
}

/* The task itself may call: to be continued. */
int32_t __kmpc_omp_task(struct kmpc_ident *loc, int32_t thread, struct kmpc_task *task)
{
	qomp_tool_called();
	struct qomp_task *t = kmpc_record(task);
	struct kmpc_head *h = kmpc_head(t);

	(void)loc, (void)thread;
	if (qti_unlikely(!(h->flags & KMPC_TASK_TIED)) && qomp_frame_now() == &t->frame) {
		h->flags |= KMPC_TASK_AGAIN;
		return 0;
	}
	if (qti_unlikely(h->flags & (KMPC_TASK_PRIORITY | KMPC_TASK_DETACHABLE | KMPC_TASK_PROXY)))
		return task_rare(t);
	if (runs_now(t->frame.parent))
		run_now(t, h, thread);
	else
		qomp_task_submit(t);
	return 0;
}

int32_t __kmpc_omp_task_parts(struct kmpc_ident *loc, int32_t thread, struct kmpc_task *task)
{
	return __kmpc_omp_task(loc, thread, task);
}

/* Compiled code calls the routine between these two. */

void __kmpc_omp_task_begin_if0(struct kmpc_ident *loc, int32_t thread, struct kmpc_task *task)
{
	qomp_tool_called();
	(void)loc, (void)thread;
	qomp_task_begin(kmpc_record(task));
}

void __kmpc_omp_task_complete_if0(struct kmpc_ident *loc, int32_t thread, struct kmpc_task *task)
{
	struct qomp_task *t = kmpc_record(task);
	struct kmpc_head *h = kmpc_head(t);

	(void)loc;
	if (h->flags & KMPC_TASK_AGAIN)
		kmpc_run_parts(h, thread);
	kmpc_destroy(h, thread);
	qomp_task_end_or_detach(t);     /* LLVM's library does not wait for the event here, GCC's does */
}

/* --- events ---------------------------------------------------------------------------------------------- */

void *__kmpc_task_allow_completion_event(struct kmpc_ident *loc, int32_t thread, struct kmpc_task *task)
{
	void *handle;

	(void)loc, (void)thread;
	return qomp_event_prepare(kmpc_record(task), &handle, NULL);
}

void __kmpc_proxy_task_completed_ooo(struct kmpc_task *task)
{
	qomp_task_fulfil(kmpc_record(task)->frame.extra);
}

void __kmpc_proxy_task_completed(int32_t thread, struct kmpc_task *task)
{
	(void)thread;
	__kmpc_proxy_task_completed_ooo(task);
}

/* Where it is best run nobody asks. */
int32_t __kmpc_omp_reg_task_with_affinity(struct kmpc_ident *loc, int32_t thread, struct kmpc_task *task, int32_t n,
                                          struct kmpc_affinity *affinity)
{
	(void)loc, (void)thread, (void)task, (void)n, (void)affinity;
	return 0;
}
