/* omp/task/task.h -- explicit tasks.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * In a team that has a member on every worker a task goes through the scheduler like any qthread, until it starts: from then on
 * it is bound to its worker.  In other teams it stands in the team's own list, and members run it on top of where they wait.
 * Where priorities count, which the program's user has to ask for, every team keeps such a list, and in its order.
 * A task whose parent has enough unfinished children already runs at once, in place; so does one while there is enough
 * for others.
 */
#ifndef QOMP_TASK_H
#define QOMP_TASK_H

#include "base/container.h"
#include "omp/task/cancel.h"
#include "omp/team/team.h"

enum {
	QOMP_ARG_ALIGN = 16,
	QOMP_ARG_ROOM = 96,             /* bytes of a task's data in its record */
};

struct qomp_task {
	struct qomp_frame frame;
	struct qti_task base;
	struct qti_task_more more;      /* of base */
	char arg[QOMP_ARG_ROOM] __attribute__((aligned(QOMP_ARG_ALIGN)));
	uint32_t priority;              /* valid if its frame says that there is one; else 0 */
};

/* A record with room for size bytes aligned to align (a power of two) at frame.data; what it inherits is filled in, and
 * nothing counts it yet.  Aborts with a message when out of memory. */
struct qomp_task *qomp_task_new(struct qomp_frame *parent, void (*fn)(void *), size_t size, size_t align);

/* The same for a task that will run on its parent's data. */
struct qomp_task *qomp_task_new_in_place(struct qomp_frame *parent, void (*fn)(void *), void *data);

/* Its clause says so; before it is pushed. */
static inline void qomp_task_set_priority(struct qomp_task *t, int asked)
{
	uint32_t most = qomp_settings.max_task_priority;

	if (asked <= 0 || most == 0)
		return;
	t->frame.flags |= QOMP_PRIORITY;
	t->priority = (uint32_t)asked < most ? (uint32_t)asked : most;
}

/* One more child of the running task, and of its group: by the creator, before qomp_task_push or qomp_task_run_early. */
void qomp_task_count(struct qomp_task *t);

/* Somebody may run it.  From any thread. */
void qomp_task_push(struct qomp_task *t);

/* Runs a task that was not counted here and now; its parent is the running task.  It has ended then, and its event is
 * fulfilled. */
void qomp_task_run(struct qomp_task *t);

/* Runs a deferred task, which was counted, here and now; it may have to wait for its event when this returns. */
void qomp_task_run_early(struct qomp_task *t);

/* What is left to do when the task's function has returned and its event is fulfilled, by a thread that is not where it ran. */
void qomp_task_complete_elsewhere(struct qomp_task *t);

/* t starts on a stack of its own, as task of member num, when the running one, on w, has made way. */
void qomp_task_run_apart(struct qti_worker *w, struct qomp_task *t, uint16_t num);

/* T9: m has begun; tasks that had to wait for that may run. */
void qomp_task_release_held(struct qomp_member *m);

/* Enough of the stack is left to run a task on top of the running one. */
bool qomp_task_has_room(const struct qti_worker *w);

/* Waits for the children of the running task; runs those that have not started. */
void qomp_taskwait(struct qomp_frame *f);

/* While *word == value: runs children of f that have not started, else sleeps (omp/team/address_wait.h: who changes the word wakes). */
void qomp_task_wait_while(struct qomp_frame *f, const uint32_t *word, uint32_t value);

/* Runs a task that was counted on top of the running frame, which is f and need not be its parent. */
void qomp_task_run_in(struct qomp_frame *f, struct qomp_task *t);

/* f, which may sleep for want of something to do (omp/task/wait.c), looks again.  From any thread, while f cannot end. */
void qomp_task_call(struct qomp_frame *f);

/* As a qthread: its function, and what is called when that has returned. */
aligned_t qomp_task_entry(void *frame);
bool qomp_task_finish(struct qti_task *base, aligned_t unused);

/* It has ended: its record goes when the last of its children has, too. */
void qomp_task_retire(struct qomp_task *t);

static inline void qomp_task_call_fn(struct qomp_frame *f, void (*fn)(void *), void *data)
{
	if (qti_likely(!qomp_settings.cancellation) || !qomp_task_discarded(f))
		fn(data);
}

static inline struct qomp_task *qomp_task_of(struct qomp_frame *f)
{
	return qti_container_of(f, struct qomp_task, frame);
}

static inline struct qomp_task *qomp_task_of_base(struct qti_task *base)
{
	return qti_container_of(base, struct qomp_task, base);
}

#endif
