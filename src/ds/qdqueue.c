/* ds/qdqueue.c -- one lock-free queue a shepherd.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * To see that a part is empty takes a few loads of words that do not change while nobody uses it (ds/lfqueue.h), so
 * whoever finds nothing writes nothing, either.
 */
#include "base/mem.h"
#include "base/race.h"
#include "ds/lfqueue.h"
#include "qthread/qdqueue.h"

/* Behind the parts lies, for each of them, in which order to try the others. */
struct qdqueue_s {
	unsigned nparts;
	qthread_shepherd_id_t *order;   /* nparts - 1 for each part */
	struct qti_lfqueue part[];
};

static inline const qthread_shepherd_id_t *order_of(const qdqueue_t *q, unsigned part)
{
	return q->order + (size_t)part * (q->nparts - 1);
}

static void note_order(qdqueue_t *q)
{
	for (unsigned i = 0; i < q->nparts; i++) {
		const qthread_shepherd_id_t *nearest = qthread_sorted_sheps_remote((qthread_shepherd_id_t)i);
		for (unsigned k = 0; k + 1 < q->nparts; k++)
			q->order[(size_t)i * (q->nparts - 1) + k] = nearest[k];
	}
}

static void parts_fini(qdqueue_t *q, unsigned n)
{
	while (n-- > 0)
		qti_lfqueue_fini(&q->part[n]);
	qti_mem_free(q);
}

qdqueue_t *qdqueue_create(void)
{
	/* All of them: one that is disabled may come back, and is in the orders of the others meanwhile. */
	const unsigned shepherds = (unsigned)qthread_readstate(TOTAL_SHEPHERDS), n = shepherds ? shepherds : 1;
	const size_t order_at = sizeof(qdqueue_t) + n * sizeof(struct qti_lfqueue);
	qdqueue_t *q = qti_mem_aligned(_Alignof(qdqueue_t),
		order_at + (size_t)n * (n - 1) * sizeof(qthread_shepherd_id_t));

	if (!q)
		return NULL;
	q->nparts = n;
	q->order = (qthread_shepherd_id_t *)((char *)q + order_at);
	for (unsigned i = 0; i < n; i++) {
		if (qti_lfqueue_init(&q->part[i]) != QTHREAD_SUCCESS) {
			parts_fini(q, i);
			return NULL;
		}
	}
	note_order(q);
	return q;
}

int qdqueue_destroy(qdqueue_t *q)
{
	if (!q)
		return QTHREAD_BADARGS;
	parts_fini(q, q->nparts);
	return QTHREAD_SUCCESS;
}

/* An external thread is told from others by an address of its own. */
static __attribute__((noinline)) unsigned part_of_thread(unsigned nparts)
{
	static __thread char mine;

	return (unsigned)(((uint64_t)(uintptr_t)&mine * UINT64_C(0x9e3779b97f4a7c15) >> 32) % nparts);
}

/* The part that the caller begins with. */
static inline unsigned part_of_caller(const qdqueue_t *q)
{
	const unsigned shepherd = qthread_shep();

	if (qti_likely(shepherd < q->nparts))
		return shepherd;
	return shepherd == NO_SHEPHERD ? part_of_thread(q->nparts) : shepherd % q->nparts;
}

int qdqueue_enqueue(qdqueue_t *q, void *elem)
{
	if (qti_unlikely(!q || !elem))
		return QTHREAD_BADARGS;
	qti_race_release_as(elem, QTI_RACE_ELEMENT);
	return qti_lfqueue_push(&q->part[part_of_caller(q)], elem);
}

int qdqueue_enqueue_there(qdqueue_t *q, void *elem, qthread_shepherd_id_t there)
{
	if (qti_unlikely(!q || !elem || there >= q->nparts))
		return QTHREAD_BADARGS;
	qti_race_release_as(elem, QTI_RACE_ELEMENT);
	return qti_lfqueue_push(&q->part[there], elem);
}

void *qdqueue_dequeue(qdqueue_t *q)
{
	if (qti_unlikely(!q))
		return NULL;

	const unsigned mine = part_of_caller(q);
	void *elem = qti_lfqueue_pop(&q->part[mine]);
	for (unsigned k = 0; qti_unlikely(!elem) && k + 1 < q->nparts; k++)
		elem = qti_lfqueue_pop(&q->part[order_of(q, mine)[k]]);
	qti_race_acquire_as(elem, QTI_RACE_ELEMENT);
	return elem;
}

int qdqueue_empty(qdqueue_t *q)
{
	if (!q)
		return QTHREAD_BADARGS;
	for (unsigned i = 0; i < q->nparts; i++) {
		if (!qti_lfqueue_is_empty(&q->part[i]))
			return 0;
	}
	return 1;
}
