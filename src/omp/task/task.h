/* omp/task/task.h -- explicit tasks.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * In a team that has a member on every worker a task goes through the scheduler like any qthread, until it starts: from
 * then on it is bound to its worker.  In other teams it stands in the team's own list, and members run it on top of
 * where they wait.  Where priorities count, which the program's user has to ask for, every team keeps such a list, and
 * in its order.  A task whose parent has enough unfinished children already runs at once, in place; so does one while
 * there is enough for others.
 */
#ifndef QOMP_TASK_H
#define QOMP_TASK_H

#include "omp/task/cancel.h"
#include "omp/task/group.h"
#include "omp/team/list.h"
#include "omp/team/record.h"
#include "omp/team/standing.h"
#include "omp/team/told.h"

/* Its clause says so; before it is pushed. */
static inline void qomp_task_set_priority(struct qomp_task *t, int asked)
{
	uint32_t most = qomp_settings.max_task_priority;

	if (asked <= 0 || most == 0)
		return;
	t->frame.flags |= QOMP_PRIORITY;
	t->priority = (uint32_t)asked < most ? (uint32_t)asked : most;
}

/* One more child of the running task, and of its group: by the creator, before qomp_task_push or
 * qomp_task_run_early. */
static inline void qomp_task_count(struct qomp_task *t)
{
	struct qomp_frame *f = t->frame.parent;
	struct qomp_member *m = qomp_member(f);

	f->created++;
	store_rlx(&m->created, m->created + 1);
	if (qti_unlikely(f->group != NULL))
		qomp_group_enter(f->group);
	if (qti_unlikely(!load_rlx(&f->team->tasks)))
		store_rlx(&f->team->tasks, 1);
}

/* Somebody may run it.  From any thread. */
void qomp_task_push(struct qomp_task *t);

/* Runs a task that was not counted here and now; its parent is the running task.  It has ended then, and its event is
 * fulfilled. */
void qomp_task_run(struct qomp_task *t);

/* The same in two parts, between which the caller calls the task's function. */
void qomp_task_begin(struct qomp_task *t);
void qomp_task_end(struct qomp_task *t);

/* The same, but a detached task whose event is not fulfilled ends later, counted as if it had been deferred; the caller
 * does not wait for that. */
void qomp_task_end_or_detach(struct qomp_task *t);

/* Runs a deferred task, which was counted, here and now; it may have to wait for its event when this returns. */
void qomp_task_run_early(struct qomp_task *t);

/* f is the running frame, an initial task's, which no region's end follows: it goes on when the tasks have run that
 * found no room on the stack. */
void qomp_task_catch_up(struct qomp_frame *f);

static inline bool qomp_frame_is_initial(const struct qomp_frame *f)
{
	return f->flags & QOMP_IMPLICIT && !f->team->parent;
}

/* As a qthread: its function, and what is called when that has returned. */
aligned_t qomp_task_entry(void *frame);
bool qomp_task_finish(struct qti_task *base, aligned_t unused);

/* The tool is told of t, which its creator, the running task, has filled in: before it is counted. */
void qomp_task_tell(struct qomp_task *t, bool deferred, void **depend);

/* It has ended: its record goes when the last of its children has, too. */
void qomp_task_retire(struct qomp_task *t);

/* A task out of the team's list runs on top of f, the running frame, which need not be its parent; or apart, as the
 * next one. */
void qomp_task_run_listed(struct qomp_frame *f, struct qomp_task *t);

/* The event of that handle is fulfilled; once; from any thread. */
void qomp_task_fulfil(void *event);

static inline void qomp_task_prepare(struct qomp_task *t, uint32_t flags)
{
	qti_guest_task_set(&t->base, &t->more, qomp_task_entry, &t->frame, t->frame.parent, qomp_task_finish, flags);
}

/* As qomp_task_push, part of its caller. */
static inline void qomp_task_queue(struct qomp_task *t)
{
	struct qti_worker *w = qti_self();

	if (qti_unlikely(!t->frame.team->uses_scheduler)) {
		qomp_list_push(t, qomp_task_run_listed, t->frame.group ? load_rlx(&t->frame.group->owner) : NULL);
		return;
	}
	qomp_task_prepare(t, QTI_TASK_OPEN);
	qti_guest_push(w, &t->base);
}

static inline void qomp_task_call_fn(struct qomp_frame *f, void (*fn)(void *), void *data)
{
	if (qti_likely(!qomp_settings.cancellation) || !qomp_task_discarded(f))
		fn(data);
}

#endif
