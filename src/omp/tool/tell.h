/* omp/tool/tell.h -- telling the tool what happens.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each of these is called on the thread on which it happens, where qomp_tool_here() has said so, and tells nothing
 * where it is passed NULL for the task: it began before there was a tool, or memory ran out.  The same holds for what
 * tell_wait.h, tell_work.h and tell_lock.h here declare.
 */
#ifndef QOMP_TELL_H
#define QOMP_TELL_H

#include "omp/tool/attach.h"
#include "omp/tool/race.h"
#include "omp/tool/tell_lock.h"
#include "omp/tool/tell_wait.h"
#include "omp/tool/tell_work.h"
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
struct qomp_told *qomp_tell_implicit_begin(
	struct qomp_told_region *r, unsigned size, unsigned number, void *exit_frame);
void qomp_tell_implicit_end(struct qomp_told *t);

/* A member goes on from its last barrier (qomp_tell_last_barrier): also tells that the implicit task has ended. */
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

/* --- else ------------------------------------------------------------------------------------------------ */

void qomp_tell_cancel(struct qomp_told *t, int flags);
void qomp_tell_flush(void);
void qomp_tell_error(ompt_severity_t severity, const char *message, size_t length);

/* omp_control_tool: what it returns. */
int qomp_tell_control(uint64_t command, uint64_t modifier, void *arg);

#endif
