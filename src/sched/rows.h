/* sched/rows.h -- what xq and its balancers share: N x N rings, and no read-modify-write on a task's way.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each worker has a row of rings (sched/ring.h), one for each worker that may put a task there: its own is the
 * master, the others are auxiliaries.  A new task goes to the next worker in turn, the forker first; a woken one
 * stays where it was woken.  What finds no room is spilled, to lists that are the forker's own: it cannot run at
 * once as in the paper, for a qthread may wait for its parent.  OpenMP asks first (qti_rows_full), and then its
 * task does run at once; it asks for more than the paper, for room beyond what the worker whose turn it is has to do
 * already, lest that gets the smallest tasks.  For the same reason a new task that would find room elsewhere is
 * spilled, and the oldest that was spilled goes there: tasks that fork get smaller and smaller.
 *
 * A worker pops from its master, from what it has spilled, then from the auxiliaries in rotation; tasks that
 * yielded come last.  Nobody else takes from a row, even if its worker runs one task for long, but for open tasks:
 * who is about to sleep takes them, and is the row's consumer for that moment.  Under xq these are the tasks that
 * anybody may take under every policy (S5).  The balancers move tasks to workers that had none a moment ago, and may
 * have got one since that runs for long; so that nobody sleeps beside a task that stands behind that one (S4),
 * all tasks are open there.
 *
 *   XQ1  pop:     inside = 1;  fence_light;      look at `shut`; take; inside = 0 (release)
 *   XQ2  rescue:  shut = 1;    qti_fence_heavy;  wait for inside == 0 (acquire); take; shut = 0 (release)
 *
 * so the two exclude each other, and what one did the other sees.  Rescuers exclude each other by the gate, at
 * which an owner that finds its row shut waits, too; a rescuer that finds it closed looks again, for there is less now.
 *
 * Whether open tasks wait anywhere, and in which shepherd's rows, is asked of two counters of each worker, or as many
 * as there are shepherds on a line; in which of a shepherd's rows of counters for each of these, for N x N rings take
 * long:
 *
 *   XQ3  opened is raised before the task is pushed; taken after it was taken (release) -> who looks sums up all
 *        `taken` (acquire), then all `opened`.  A task that is queued all the time is in the one sum and not in the
 *        other, and whatever is in the first is in the second, so they are equal only if there is none (S4).
 *        The same holds of the rows of one shepherd, and of one row.
 *
 * Checked by test/sched/contract.c, test/stress/rows.c, test/model/rows.pml and test/check/rows.c.
 */
#ifndef QTI_SCHED_ROWS_H
#define QTI_SCHED_ROWS_H

#include "sched/victims.h"

int qti_rows_init(bool all_open);
void qti_rows_fini(void);
void qti_rows_push(struct qti_worker *w, struct qti_task *t);
void qti_rows_push_yielded(struct qti_worker *w, struct qti_task *t);
struct qti_task *qti_rows_pop(struct qti_worker *w);
struct qti_task *qti_rows_steal(struct qti_worker *w, bool final);
struct qti_task *qti_rows_claim(struct qti_worker *w, const void *ret);
bool qti_rows_full(struct qti_worker *w, size_t n);

/* For balancers: a queued task that may go elsewhere, NULL if there is none; whether one more finds room in the ring
 * from w to `to`, and to put it there; the same for one that w has just created; whether tasks wait in w's row. */
struct qti_task *qti_rows_take(struct qti_worker *w);
bool qti_rows_has_room(const struct qti_worker *w, const struct qti_worker *to);
void qti_rows_give(struct qti_worker *w, struct qti_worker *to, struct qti_task *t);
void qti_rows_give_new(struct qti_worker *w, struct qti_worker *to, struct qti_task *t);
bool qti_rows_waits(const struct qti_worker *w);
size_t qti_rows_length(const struct qti_shepherd *s);
size_t qti_rows_stealable(const struct qti_shepherd *s);
bool qti_rows_any(void);

/* In the table of such a policy, which adds the others, or calls them from its own. */
#define QTI_ROWS_POLICY \
	.boundary = QTI_LEVEL_NUMA, .push_yielded = qti_rows_push_yielded, .leave = qti_victims_leave, \
	.length = qti_rows_length, .any = qti_rows_any

#endif
