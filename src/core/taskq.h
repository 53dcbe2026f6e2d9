/* core/taskq.h -- lists of tasks, linked through the tasks themselves: putting one in cannot fail.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_CORE_TASKQ_H
#define QTI_CORE_TASKQ_H

#include "base/lock.h"
#include "core/task.h"

/* Double-ended, not locked.  The front is the end at which the next task to run stands. */
struct qti_tasklist {
	struct qti_task *front, *back;
	uint32_t count;                 /* written under the owner's lock; others may look (relaxed) */
};

static inline void qti_tasklist_push_front(struct qti_tasklist *l, struct qti_task *t)
{
	t->prev = NULL;
	t->next = l->front;
	if (l->front)
		l->front->prev = t;
	else
		l->back = t;
	l->front = t;
	store_rlx(&l->count, l->count + 1);
}

/* As qti_tasklist_push_back; t->next is NULL already. */
static inline void qti_tasklist_append(struct qti_tasklist *l, struct qti_task *t)
{
	t->prev = l->back;
	if (l->back)
		l->back->next = t;
	else
		l->front = t;
	l->back = t;
	store_rlx(&l->count, l->count + 1);
}

static inline void qti_tasklist_push_back(struct qti_tasklist *l, struct qti_task *t)
{
	t->next = NULL;
	qti_tasklist_append(l, t);
}

static inline struct qti_task *qti_tasklist_pop_front(struct qti_tasklist *l)
{
	struct qti_task *t = l->front;
	if (!t)
		return NULL;
	l->front = t->next;
	if (l->front)
		l->front->prev = NULL;
	else
		l->back = NULL;
	store_rlx(&l->count, l->count - 1);
	return t;
}

static inline struct qti_task *qti_tasklist_pop_back(struct qti_tasklist *l)
{
	struct qti_task *t = l->back;
	if (!t)
		return NULL;
	l->back = t->prev;
	if (l->back)
		l->back->next = NULL;
	else
		l->front = NULL;
	store_rlx(&l->count, l->count - 1);
	return t;
}

/* Takes out the task whose return word is `ret`, if it is among the first `reach`. */
static inline struct qti_task *qti_tasklist_claim(struct qti_tasklist *l, const void *ret, unsigned reach)
{
	struct qti_task *t = l->front;

	for (unsigned i = 0; t && i < reach && load_rlx(&t->ret) != ret; i++)
		t = t->next;
	if (!t || load_rlx(&t->ret) != ret)
		return NULL;
	*(t->prev ? &t->prev->next : &l->front) = t->next;
	*(t->next ? &t->next->prev : &l->back) = t->prev;
	store_rlx(&l->count, l->count - 1);
	return t;
}

/* With a lock, for any number of threads at both ends.  The count may be probed without it: a zero seen after
 * fence_light/qti_fence_heavy (core/worker.h, P1 and P2) is a zero. */
struct qti_taskq {
	struct qti_lock lock;
	struct qti_tasklist list;
} QTI_ALIGNED_LINE;

static inline uint32_t qti_taskq_count(const struct qti_taskq *q)
{
	return load_rlx(&q->list.count);
}

static inline void qti_taskq_push_front(struct qti_taskq *q, struct qti_task *t)
{
	qti_lock_take(&q->lock);
	qti_tasklist_push_front(&q->list, t);
	qti_lock_drop(&q->lock);
}

/* t's line may be in another worker's cache.  A write fetches it before the lock is taken, and not under it, while
 * others wait for the lock and the owner of an inbox reads the count, which takes the queue's line away. */
static inline void qti_taskq_push_back(struct qti_taskq *q, struct qti_task *t)
{
	t->next = NULL;
	qti_lock_take(&q->lock);
	qti_tasklist_append(&q->list, t);
	qti_lock_drop(&q->lock);
}

static inline struct qti_task *qti_taskq_pop_front(struct qti_taskq *q)
{
	if (qti_taskq_count(q) == 0)
		return NULL;
	qti_lock_take(&q->lock);
	struct qti_task *t = qti_tasklist_pop_front(&q->list);
	qti_lock_drop(&q->lock);
	return t;
}

static inline struct qti_task *qti_taskq_pop_back(struct qti_taskq *q)
{
	if (qti_taskq_count(q) == 0)
		return NULL;
	qti_lock_take(&q->lock);
	struct qti_task *t = qti_tasklist_pop_back(&q->list);
	qti_lock_drop(&q->lock);
	return t;
}

#endif
