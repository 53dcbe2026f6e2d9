/* sched/backlog.h -- ready tasks of a shepherd beyond what its workers hold: a deque of any length, with a lock.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     oldest bundle <-> ... <-> newest bundle        each: task[begin .. end - 1], oldest first
 *
 * A long backlog does not fit the caches.  Linked through the tasks it would cost a cache miss a task, one after the
 * other and under the lock; bundles of pointers move without the tasks being touched, and whoever takes a batch can
 * fetch all of it at once.  Bundles are kept for reuse.  Where there is no memory for another one, tasks are linked
 * through themselves (`strays`) and keep their order among each other only.
 *
 * All calls but the count are made under the lock.  The count may be probed without: a zero seen after a fence
 * (core/worker.h, P1 and P2) is a zero.
 */
#ifndef QTI_SCHED_BACKLOG_H
#define QTI_SCHED_BACKLOG_H

#include "core/taskq.h"

enum { QTI_BUNDLE_TASKS = 29 };         /* makes a bundle four cache lines */

struct qti_bundle {
	struct qti_bundle *newer, *older;
	uint32_t begin, end;
	struct qti_task *task[QTI_BUNDLE_TASKS];
};

struct qti_backlog {
	struct qti_lock lock;
	uint32_t count;
	struct qti_bundle *newest, *oldest;
	struct qti_bundle *spare;
	struct qti_tasklist strays;
} QTI_ALIGNED_LINE;

void qti_backlog_fini(struct qti_backlog *b);

/* n tasks, the oldest first, become the newest. */
void qti_backlog_push_newest(struct qti_backlog *b, struct qti_task *const *task, unsigned n);
void qti_backlog_push_oldest(struct qti_backlog *b, struct qti_task *t);

/* Up to max tasks; returns their number.  Newest: the newest comes first; oldest: the oldest does. */
unsigned qti_backlog_pop_newest(struct qti_backlog *b, struct qti_task **task, unsigned max);
unsigned qti_backlog_pop_oldest(struct qti_backlog *b, struct qti_task **task, unsigned max);

static inline uint32_t qti_backlog_count(const struct qti_backlog *b)
{
	return load_rlx(&b->count);
}

#endif
