/* core/task.h -- one unit of work: its descriptor, and who may touch which part of it when.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     ready     in exactly one queue (or in a worker's hands on the way to or from one)
 *     running   current on one worker, which alone touches it
 *     waiting   on no worker and in no queue; a waiter record on its stack tells somebody to wake it
 *     done      its function has returned; the descriptor goes back to the pool
 *
 * A ready task has either started (it owns a stack, `context` is valid) or not (it is this descriptor and no
 * more).  The worker that takes an unstarted task calls its function on the stack it stands on.  When the task
 * has to wait, that stack - with the worker's old loop frame at its base - becomes the task's.
 *
 * Tasks that belong together are one bubble before they start: the first of them, in a queue, and through it the
 * others, in none.  So whoever takes it, as a thief, say, has them all.  When the first starts the others are ready
 * where that is, again as one: there is a bubble until each of them has started.
 *
 * The first part, one cache line, is written by the forker and read by whoever runs the task: a task that never waits
 * touches no more.  The second lies elsewhere (base/pool.h): a million tasks that have not started are 64 MB.
 */
#ifndef QTI_CORE_TASK_H
#define QTI_CORE_TASK_H

#include "base/atomic.h"
#include "machine/stack.h"
#include "qthread/qthread.h"

struct qti_task;

/* Called when the task's function has returned.  It does not wait: beneath it may stand a parent that is to make room
 * for the result.  False if the descriptor waits instead (sync/waiter.h) and belongs to the caller no longer. */
typedef bool (*qti_task_finish)(struct qti_task *t, aligned_t value);

enum {
	QTI_TASK_LIVE = 1 << 0,         /* between fork and done */
	QTI_TASK_STARTED = 1 << 1,      /* has a context of its own when it is ready */
	QTI_TASK_PINNED = 1 << 2,       /* only workers of shepherd `home` may run it */
	QTI_TASK_BOUND = 1 << 3,        /* only worker `home` may run it: the main task,
					 * and what a guest has bound there */
	QTI_TASK_SIMPLE = 1 << 4,       /* never waits; stands on the worker's loop stack */
	QTI_TASK_LOCAL_HEAP = 1 << 5,   /* task-local data outgrew the record: `local` is valid */
	QTI_TASK_ARG_POOL = 1 << 6,     /* arg is a block of the argument pool */
	QTI_TASK_ARG_HEAP = 1 << 7,     /* arg is a block of its own */
	QTI_TASK_PRECONDS = 1 << 8,     /* `preconds` is valid */
	QTI_TASK_DONE = 1 << 9,         /* has returned; only its result waits, from line 1 on */
	QTI_TASK_TEAM = 1 << 10,        /* belongs to an explicit team (api/team.h), and so does what it forks */
	QTI_TASK_SPECIFIC = 1 << 11,    /* `specific` is valid */
	QTI_TASK_GUEST = 1 << 12,       /* a guest's: its descriptor lies in a record of the guest (core/guest.h) */
	QTI_TASK_NO_RECORD = 1 << 13,   /* its record has no room */
	QTI_TASK_OPEN = 1 << 14,        /* while it has not started any worker may take it, whatever the policy */
	QTI_TASK_MADE_WAY = 1 << 15,    /* for what it had forked; from then on it yields to all */
	QTI_TASK_BUBBLE = 1 << 16,      /* `rest` is valid: until it starts, it stands for those, too */
	QTI_TASK_CALLS = 1 << 17,       /* fn calls a function of the program's:
					 * *arg begins with a pointer to one to it */
	QTI_TASK_DEALT = 1 << 18,       /* was dealt to shepherd `home`, and has not pinned itself (core/deal.h) */
};

struct qti_task {
	struct qti_task *next;          /* next and prev belong to the queue that holds the task */
	struct qti_task *prev;
	qthread_f fn;
	void *arg;
	void *ret;                      /* word, syncvar or sinc; a joiner looks at it atomically (sched/deque.h) */
	qti_task_finish finish;         /* NULL: nothing to signal */
	uint32_t flags;
	uint32_t id;                    /* 0 until somebody asks */
	uint16_t home;                  /* worker of a bound task, shepherd of a pinned one */
	uint16_t creator;               /* worker, or QTI_TASK_OUTSIDE; of a bubble's first,
					 * and where policies count who runs it */
	uint32_t more;                  /* where its second part is: cache lines from here */
} QTI_ALIGNED_LINE;

enum { QTI_TASK_OUTSIDE = UINT16_MAX };

_Static_assert(sizeof(struct qti_task) == QTI_CACHE_LINE, "what a fork writes is one cache line");

struct qti_task_local {
	size_t size;
	char data[] __attribute__((aligned(16)));
};

/* Once it has waited, or needs more than a function and an argument. */
struct qti_task_more {
	void *context;                  /* while started and not running */
	struct qti_stack *stack;        /* likewise */
	union {
		void *preconds;         /* what it waits for before it may start; sync/precond.c */
		void *specific;         /* from then on: its values of the keys; core/specific.c */
		struct qti_task *rest;  /* of a bubble, before it starts: the others */
	};
	struct qti_task_local *local;   /* task-local data on the heap */
	void *word;                     /* qti_guest_word(), while started and not running */
} QTI_ALIGNED_LINE;

enum {
	QTI_TASK_MORE_BYTES = sizeof(struct qti_task_more),
	QTI_TASK_RECORD = offsetof(struct qti_task_more, word) + sizeof(void *),
};

_Static_assert(QTI_TASK_MORE_BYTES == QTI_CACHE_LINE, "it is one cache line, too, unless its record is long");
_Static_assert(QTI_TASK_RECORD % _Alignof(void *) == 0, "what is in the record is aligned");

static inline struct qti_task_more *qti_task_more(const struct qti_task *t)
{
	return (struct qti_task_more *)((char *)t + (size_t)t->more * QTI_CACHE_LINE);
}

/* Once for a descriptor's memory; `more` lies above it. */
static inline void qti_task_set_more(struct qti_task *t, const struct qti_task_more *more)
{
	t->more = (uint32_t)(((const char *)more - (const char *)t) / QTI_CACHE_LINE);
}

/* From here to the end of the second part's memory, which is often larger than the structure: task-local data
 * (rt.local_bytes), then a copied argument.  No member, as structures that contain a task have no such end. */
static inline char *qti_task_record(const struct qti_task *t)
{
	return (char *)qti_task_more(t) + QTI_TASK_RECORD;
}

/* t, which has not started and is in no queue, stands for `rest`, too: those of a bubble, or one that is none; none of
 * them is in a queue either. */
static inline void qti_task_lead(struct qti_task *t, struct qti_task *rest)
{
	qti_task_more(t)->rest = rest;
	t->flags |= QTI_TASK_BUBBLE;
}

static inline bool qti_task_is(const struct qti_task *t, uint32_t flag)
{
	return (t->flags & flag) != 0;
}

/* Fills in what every task has when it comes; the rest of the line is for whoever makes it. */
static inline void qti_task_set(struct qti_task *t, qthread_f fn, void *arg, uint32_t flags)
{
	t->fn = fn;
	t->arg = arg;
	t->flags = QTI_TASK_LIVE | flags;
	t->id = 0;
}

/* Task-local data. */
static inline void *qti_task_local(struct qti_task *t)
{
	return qti_task_is(t, QTI_TASK_LOCAL_HEAP) ? qti_task_more(t)->local->data : qti_task_record(t);
}

#endif
