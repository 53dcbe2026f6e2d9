/* omp/tool/stand.h -- who tells the tool something, and what each of them does first.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_STAND_H
#define QOMP_STAND_H

#include "omp/tool/thread.h"

/* The calling thread; NULL: out of memory. */
struct qomp_tool_thread *qomp_tool_thread_here(void);

/* t runs, on the calling thread: is it the one that ran when something was told last?  NULL: nothing can be told. */
struct qomp_tool_thread *qomp_tool_stand_in(struct qomp_told *t);

/* Another task runs: omp-tools.h's ompt_callback_task_schedule. */
void qomp_tell_schedule(struct qomp_told *prior, ompt_task_status_t status, struct qomp_told *next);

/* Whose call is known is told once: a place that has not said whence it is called says nothing rather than something
 * wrong. */
static inline const void *qomp_tool_take_from(struct qomp_tool_thread *th)
{
	const void *from = th->from;

	th->from = NULL;
	return from;
}

static inline void qomp_tool_enter(const struct qomp_tool_thread *th, struct qomp_told *t)
{
	t->frame.enter_frame.ptr = th->frame;
	t->frame.enter_frame_flags = ompt_frame_runtime | ompt_frame_cfa;
}

static inline void qomp_tool_leave(struct qomp_told *t)
{
	t->frame.enter_frame.ptr = NULL;
}

static inline void qomp_tool_set_exit(struct qomp_told *t, void *frame)
{
	t->frame.exit_frame.ptr = frame;
	t->frame.exit_frame_flags = ompt_frame_runtime | ompt_frame_cfa;
}

static inline ompt_data_t *qomp_told_region_data(const struct qomp_told *t)
{
	return t->region ? &t->region->data : NULL;
}

static inline int qomp_told_work_state(const struct qomp_told *t)
{
	return t->flags & ompt_task_initial ? ompt_state_work_serial : ompt_state_work_parallel;
}

#endif
