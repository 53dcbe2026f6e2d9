/* omp/tool/tell.h -- telling the tool what happens.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each of these is called on the thread on which it happens, where qomp_tool_here() has said so, and tells nothing
 * where it is passed NULL for the task: it began before there was a tool, or memory ran out.
 */
#ifndef QOMP_TELL_H
#define QOMP_TELL_H

#include "omp/tool/attach.h"
#include "omp/tool/race.h"
#include "omp/tool/thread.h"

/* The program calls the runtime, from that address and frame: what the next event on this thread says. */
void qomp_tool_called_from(const void *address, void *frame);

/* In a function that compiled code calls, or that such a one jumps to. */
static inline __attribute__((always_inline)) void qomp_tool_called(void)
{
	if (qomp_tool_here())
		qomp_tool_called_from(__builtin_return_address(0), __builtin_dwarf_cfa());
}

/* --- threads --------------------------------------------------------------------------------------------- */

/* The calling thread is one that the runtime has made. */
void qomp_tell_worker(void);

/* --- implicit tasks -------------------------------------------------------------------------------------- */

/* league: whose team the initial task is; NULL: of none. */
struct qomp_told *qomp_tell_initial_begin(struct qomp_told_region *league, unsigned number);
void qomp_tell_initial_end(struct qomp_told *t);

/* met: who meets the region, for which it has asked for so many threads; by_program: compiled code calls its function.
 * Then it has `size`.  At the end `met` runs again, and the region is gone. */
struct qomp_told_region *qomp_tell_parallel_begin(struct qomp_told *met, unsigned asked, bool by_program);
void qomp_tell_parallel_end(struct qomp_told_region *r);

/* The same for a league: so many teams, each with an initial task. */
struct qomp_told_region *qomp_tell_league_begin(struct qomp_told *met, unsigned teams);

/* exit_frame: where the runtime calls the task. */
struct qomp_told *qomp_tell_implicit_begin(struct qomp_told_region *r, unsigned size, unsigned number, void *exit_frame);
void qomp_tell_implicit_end(struct qomp_told *t);

/* A member has come to the region's end, before others know.  leaves: the region may be gone after that. */
void qomp_tell_last_barrier(struct qomp_told *t, bool leaves);

/* And goes on from there: also tells that the implicit task has ended. */
void qomp_tell_member_end(struct qomp_told *t);

/* --- explicit tasks -------------------------------------------------------------------------------------- */

/* flags: of ompt_task_flag_t, beside explicit. */
struct qomp_told *qomp_tell_create(struct qomp_told *creator, int flags, bool depends);
void qomp_tell_dependences(struct qomp_told *t, const ompt_dependence_t *list, int n);
void qomp_tell_doacross(struct qomp_told *t, ompt_dependence_type_t type, const uint64_t *at, unsigned n);
void qomp_tell_dependence(struct qomp_told *before, struct qomp_told *after);

/* number: of the thread in the team.  It is not gone at the end: qomp_told_free. */
void qomp_tell_task_begin(struct qomp_told *t, unsigned number, void *exit_frame);
void qomp_tell_task_end(struct qomp_told *t, ompt_task_status_t status);

/* Its event is fulfilled, after or before it has returned; on any thread. */
void qomp_tell_fulfilled(struct qomp_told *t, bool late);

/* Nobody will tell anything of it any more. */
void qomp_told_free(struct qomp_told *t);

/* --- within a task --------------------------------------------------------------------------------------- */

/* Waiting in a barrier, a taskwait; the second half of a taskgroup. */
void qomp_tell_sync_begin(struct qomp_told *t, ompt_sync_region_t kind);
void qomp_tell_sync_end(struct qomp_told *t, ompt_sync_region_t kind);

/* What the next barrier of the task is, if more is known than that it is one. */
static inline void qomp_tell_barrier_kind(struct qomp_told *t, ompt_sync_region_t kind)
{
	if (t)
		t->barrier = kind;
}

/* A taskgroup begins; and where it is waited for, qomp_tell_group_wait and qomp_tell_sync_end. */
void qomp_tell_group(struct qomp_told *t);
void qomp_tell_group_wait(struct qomp_told *t);

void qomp_tell_work_begin(struct qomp_told *t, ompt_work_t kind, uint64_t count);
void qomp_tell_work_end(struct qomp_told *t);
void qomp_tell_taskloop(struct qomp_told *t, ompt_scope_endpoint_t end, uint64_t count);
void qomp_tell_chunk(struct qomp_told *t, ompt_dispatch_t kind, uint64_t first, uint64_t n);

/* done: by this task, and its end will be told at the next event that shows that it is over, or by
 * qomp_tell_single_end. */
void qomp_tell_single(struct qomp_told *t, bool done);
void qomp_tell_single_end(struct qomp_told *t);

/* It has begun a single construct, and has told of no end. */
static inline bool qomp_told_in_single(const struct qomp_told *t)
{
	return t && t->single;
}

void qomp_tell_masked(struct qomp_told *t, ompt_scope_endpoint_t end);
void qomp_tell_reduction(struct qomp_told *t, ompt_scope_endpoint_t end);
void qomp_tell_cancel(struct qomp_told *t, int flags);

/* --- locks ----------------------------------------------------------------------------------------------- */

/* t: the running task. */
void qomp_tell_lock_init(struct qomp_told *t, ompt_mutex_t kind, unsigned hint, const void *lock);
void qomp_tell_lock_destroy(struct qomp_told *t, ompt_mutex_t kind, const void *lock);
void qomp_tell_acquire(struct qomp_told *t, ompt_mutex_t kind, unsigned hint, const void *lock);
void qomp_tell_acquired(struct qomp_told *t, ompt_mutex_t kind, const void *lock);
void qomp_tell_not_acquired(struct qomp_told *t);
void qomp_tell_released(struct qomp_told *t, ompt_mutex_t kind, const void *lock);
void qomp_tell_nested(struct qomp_told *t, ompt_scope_endpoint_t end, const void *lock);

/* --- else ------------------------------------------------------------------------------------------------ */

void qomp_tell_flush(void);
void qomp_tell_error(ompt_severity_t severity, const char *message, size_t length);

/* omp_control_tool: what it returns. */
int qomp_tell_control(uint64_t command, uint64_t modifier, void *arg);

#endif
