/* ds/qlfqueue.c -- the public calls of ds/lfqueue.h: a strict FIFO, many writers, many readers.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/mem.h"
#include "base/race.h"
#include "ds/lfqueue.h"
#include "qthread/qlfqueue.h"

struct qlfqueue_s {
	struct qti_lfqueue queue;
};

qlfqueue_t *qlfqueue_create(void)
{
	qlfqueue_t *q = qti_mem_aligned(_Alignof(qlfqueue_t), sizeof(*q));

	if (q && qti_lfqueue_init(&q->queue) != QTHREAD_SUCCESS) {
		qti_mem_free(q);
		return NULL;
	}
	return q;
}

int qlfqueue_destroy(qlfqueue_t *q)
{
	if (!q)
		return QTHREAD_BADARGS;
	qti_lfqueue_fini(&q->queue);
	qti_mem_free(q);
	return QTHREAD_SUCCESS;
}

int qlfqueue_enqueue(qlfqueue_t *q, void *elem)
{
	if (qti_unlikely(!q || !elem))
		return QTHREAD_BADARGS;
	qti_race_release_as(elem, QTI_RACE_ELEMENT);
	return qti_lfqueue_push(&q->queue, elem);
}

void *qlfqueue_dequeue(qlfqueue_t *q)
{
	if (qti_unlikely(!q))
		return NULL;
	void *elem = qti_lfqueue_pop(&q->queue);
	qti_race_acquire_as(elem, QTI_RACE_ELEMENT);
	return elem;
}

int qlfqueue_empty(qlfqueue_t *q)
{
	return q ? qti_lfqueue_is_empty(&q->queue) : QTHREAD_BADARGS;
}
