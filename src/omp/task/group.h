/* omp/task/group.h -- taskgroups: tasks that are waited for together, and all that they create.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Terms.  The owner of a group is the frame of the task that opened it and will close it.  A slot counts the tasks of
 * the group that one worker has created, and those that have ended on it; threads that are no workers share one slot.
 * The ender of a task is the thread that completes it.  A group is quiet when it has no unfinished task.
 *
 * Promise: the owner closes the group when all its tasks, and all that they created, have ended, and not before; and
 * it does not sleep while the group is quiet.
 *
 * Proof.  Only the owner may create tasks of the group from outside.
 *
 * G1  quiet: the owner reads every slot's `ended` (acquire), then every slot's `created`.  These include what the
 *     tasks that it saw ending had created, and their own creation: equal sums mean that there were no others || an
 *     ender stores `ended` (release) after all that the task did.
 * G2  the owner goes to sleep: it stores `watched`, calls qti_fence_heavy, asks once more and waits for `watched` to
 *     change || an ender stores `ended`, calls fence_light and looks at `watched`.
 * G3  an ender that finds `watched` set calls fence_sc, asks whether the group is quiet now, and if so wakes the
 *     owner.  Of several enders at a time the last to pass the fence sees the others.
 * G4  an ender does not ask if the task's parent, of the same group, has not ended: the parent resets its `group`
 *     before its own end, calls fence_sc and looks at the slots || the child's ender has stored `ended`, calls
 *     fence_sc and looks at the parent's `group`.  An undeferred parent does not ask itself; but then its own parent
 *     has not ended, or is the owner, and the owner has not stored `watched` (release).
 *
 * An ender that looks at `watched` may find a group that has ended meanwhile, or another one at the same place:
 * groups stay groups, and an owner that was woken for nothing looks again.  Checked by test/stress/omp_group.c,
 * test/check/children.c.
 */
#ifndef QOMP_GROUP_H
#define QOMP_GROUP_H

#include "omp/team/frame.h"

struct qomp_copies;

struct qomp_group_slot {
	uint32_t created QTI_ALIGNED_LINE;
	uint32_t ended;
};

/* Late: atomic, for enders that come when it has ended. */
struct qomp_group {
	struct qomp_group *outer;       /* the group of the task that opened it, or NULL */
	uintptr_t *reductions;          /* what its tasks may take part in: omp/task/reduce.h; NULL: nothing */
	struct qomp_copies *copies;     /* likewise: omp/task/copies.h */
	uint32_t cancelled;
	uint32_t watched;               /* G2: the owner sleeps.  Late. */
	struct qomp_frame *owner;       /* of the task that closes it; NULL: none.  Late. */
	bool implied;                   /* by the reductions of a region or work-sharing construct:
					 * cannot be cancelled */
	unsigned slots;                 /* in use: 0 of all threads without one, 1 + i of worker i;
					 * never becomes less.  Late. */
	struct qomp_group_slot slot[];
};

_Static_assert(offsetof(struct qomp_group, outer) == 0, "where omp/team/list.c looks for it");

/* The running task opens a group.  Aborts when out of memory. */
struct qomp_group *qomp_group_start(struct qomp_frame *f);

/* It closes the group that it opened last, when all its tasks have ended; runs them meanwhile. */
void qomp_group_end(struct qomp_frame *f);

/* A task of the group was created; by its creator. */
void qomp_group_enter(struct qomp_group *g);

/* The task of a group that f is of has ended; from any thread, and the group may be gone then. */
void qomp_group_leave(struct qomp_frame *f);

/* An undeferred task of a group, which was not counted, has ended. */
static inline void qomp_group_pass(struct qomp_frame *f)
{
	store_rlx(&f->group, NULL);                                                             /* G4 */
}

/* A group that no task closes: the code that opens it knows by other means that its tasks
 * have ended when it frees it. */
struct qomp_group *qomp_group_new(struct qomp_group *outer);
void qomp_group_free(struct qomp_group *g);

#endif
