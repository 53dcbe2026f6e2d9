/* omp/task/depend.h -- what few tasks have: dependences and an event.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Terms.  The table (struct qomp_depends) is the parent's: it says which child wrote and read each address last.  An
 * extra is what a task with dependences has beside its record.  An edge leads from a task, on whose list it hangs, to
 * one that waits for it.  The ender of a task is the thread that completes it.
 *
 * Promises.  A child runs after all tasks that it depends on, and sees what they wrote.  It runs exactly once.  An
 * extra goes when neither the table nor the task's end needs it any more.
 *
 * Proof.  The parent alone reads and writes the table, which needs no lock.
 *
 * E1  the parent pushes an edge onto `edges` (compare-and-swap, acq_rel), unless that says ENDED || an ender
 *     exchanges `edges` for ENDED (acq_rel) and follows the edges that it got. So either the ender sees the edge, or
 *     the parent sees that there is nothing to wait for, and all that was written.
 * E2  `missing` is ahead by one more than there can be edges until the parent has pushed all of them; then the parent
 *     takes off what is too much || each ender takes off 1.  The one that makes it 0 (acq_rel) has seen all the
 *     others, and starts the task.
 * E3  `holders` counts the table as long as it lists the extra, and the task until its ender is through with the
 *     edges. The one that takes off the last (acq_rel) frees the extra.
 *
 * Checked by test/stress/omp_depend.c and test/check/depends.c.
 */
#ifndef QOMP_DEPEND_H
#define QOMP_DEPEND_H

#include "omp/team/record.h"

struct qomp_extra;
struct qomp_told;

/* `to` waits for the task on whose list this is. */
struct qomp_edge {
	struct qomp_edge *next;
	struct qomp_extra *to;
};

/* One item of a depend clause. */
struct qomp_item {
	struct qomp_edge in;            /* on the list of the one task that it waits for; in.to is its own, always */
	union {
		struct qomp_item *older;        /* in the table: another of its set */
		struct qomp_edge out;           /* out of it: what waits for the whole set, this task among others */
	};
};

enum { QOMP_ITEMS_INSIDE = 2 };

enum {
	QOMP_EVENT_RETURNED = 1,        /* omp/task/event.h; these two change */
	QOMP_EVENT_FULFILLED = 2,
	QOMP_EVENT_AWAITED = 4,
	QOMP_EXTRA_MORE = 8,            /* `more` is valid; does not change */
	QOMP_EXTRA_TOLD = 16,           /* `told` is its own; does not change once others find it */
};

struct qomp_extra {
	struct qomp_edge *edges;        /* E1 */
	struct qomp_task *task;         /* NULL: nothing to run, it ends as soon as it could start */
	uint32_t missing;               /* E2 */
	uint32_t holders;               /* E3 */
	uint32_t listed;                /* the parent's: places in its table */
	uint32_t bits;
	struct qomp_item item[QOMP_ITEMS_INSIDE];
	struct qomp_item *more;         /* of a task with more items: all of them */
	struct qomp_told *told;         /* valid if it is its own: the task, as the tool knows it,
					 * for those that wait for it */
} QTI_ALIGNED_LINE;

_Static_assert(offsetof(struct qomp_extra, item[1]) == QTI_CACHE_LINE, "with one item it is one cache line");

/* The extra of t, made if it has none yet.  Aborts when out of memory. */
struct qomp_extra *qomp_extra_of(struct qomp_task *t);

/* The running task has created t with the clauses `depend`, counted it and not pushed it yet.  True: push it.  False:
 * the last of those that it waits for will, or has already. */
bool qomp_depend_add(struct qomp_task *t, void **depend);

/* The tool is told of a task's clauses. */
void qomp_depend_tell(struct qomp_told *told, void **depend);

/* What it knows of the task goes with x. */
static inline bool qomp_depend_keeps_told(const struct qomp_extra *x)
{
	return load_rlx(&x->bits) & QOMP_EXTRA_TOLD;
}

/* Waits for those children that a task with these clauses would wait for: an undeferred one, or a taskwait. */
void qomp_depend_wait(struct qomp_frame *f, void **depend);

/* True if it would not have to wait at all. */
bool qomp_depend_open(struct qomp_frame *f, void **depend);

/* From here on, later children with fitting clauses wait for what a task with these clauses would wait for. */
void qomp_depend_join(struct qomp_frame *f, void **depend);

/* The task has ended, and has an extra: tasks that wait for it alone may run.  From any thread; the extra may be
 * gone then.  Returns them, linked by base.next, for the caller to push; the last when the caller is through with the
 * one that has ended, for its memory is on the way meanwhile. */
struct qomp_task *qomp_depend_done(struct qomp_task *t);

#endif
