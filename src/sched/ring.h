/* sched/ring.h -- a bounded FIFO of tasks with one producer and one consumer, without a read-modify-write.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An empty slot holds 0, so neither side reads the other's index: what tells them is in the line that they have to
 * touch anyway.  (After B-queue: J. Wang, K. Zhang, X. Tang and B. Hua, International Journal of Parallel
 * Programming 41(1), 2013.)
 *
 *   RG1  push stores the slot (release) -> pop loads it (acquire): who gets a task sees the whole of it.
 *   RG2  pop clears the slot (release) -> push loads it (acquire) before it fills it again.
 *
 * The consumer's role may change hands, if who takes it over has seen all that the last one did: sched/rows.h has a
 * lock.  Tasks that others may take are marked in the slot, so that these find them without touching tasks.  Indices
 * are written by their side alone; others read them for a rough length.
 *
 * push and pop are wait-free.  Checked by test/unit/taskring.c, test/stress/rows.c, test/model/rows.pml and
 * test/check/rings.c.
 */
#ifndef QTI_SCHED_RING_H
#define QTI_SCHED_RING_H

#include "core/task.h"

struct qti_ring {
	uint32_t tail QTI_ALIGNED_LINE; /* the producer's: the slot that it fills next */
	uint32_t head QTI_ALIGNED_LINE; /* the consumer's: the slot that it empties next */
	uintptr_t slot[] QTI_ALIGNED_LINE;
};

enum {
	QTI_RING_OPEN = 1,              /* added to the address of a task that others may take */
	QTI_RING_GONE = 2,              /* alone in a slot: the task was taken from the middle */
};

/* For rings of `slots` tasks, a power of two. */
static inline size_t qti_ring_bytes(unsigned slots)
{
	size_t bytes = sizeof(struct qti_ring) + slots * sizeof(uintptr_t);

	return (bytes + QTI_CACHE_LINE - 1) & ~(size_t)(QTI_CACHE_LINE - 1);
}

static inline struct qti_task *qti_ring_task(uintptr_t slot)
{
	return (struct qti_task *)(slot & ~(uintptr_t)(QTI_RING_OPEN | QTI_RING_GONE));
}

/* --- the producer's -------------------------------------------------------------------------------------- */

/* mask: slots - 1. */
static inline bool qti_ring_full(const struct qti_ring *r, uint32_t mask)
{
	return load_acq(&r->slot[r->tail & mask]) != 0;                         /* RG2 */
}

/* At least n tasks that were pushed are still there, n > 0; those that have gone from the middle count;
 * or it is full. */
static inline bool qti_ring_holds(const struct qti_ring *r, uint32_t mask, size_t n)
{
	uint32_t back = n <= mask ? (uint32_t)n : 0;

	return load_acq(&r->slot[(r->tail - back) & mask]) != 0;                /* RG2 */
}

static inline bool qti_ring_push(struct qti_ring *r, uint32_t mask, struct qti_task *t, bool open)
{
	uint32_t tail = r->tail;

	if (load_acq(&r->slot[tail & mask]) != 0)                               /* RG2 */
		return false;
	store_rel(&r->slot[tail & mask], (uintptr_t)t + (open ? QTI_RING_OPEN : 0));    /* RG1 */
	store_rlx(&r->tail, tail + 1);
	return true;
}

/* --- the consumer's -------------------------------------------------------------------------------------- */

static inline struct qti_task *qti_ring_pop(struct qti_ring *r, uint32_t mask)
{
	uint32_t head = r->head;
	uintptr_t slot;

	while ((slot = load_acq(&r->slot[head & mask])) != 0) {                 /* RG1 */
		store_rel(&r->slot[head & mask], 0);                            /* RG2 */
		store_rlx(&r->head, ++head);
		if (qti_likely(slot != QTI_RING_GONE))
			return qti_ring_task(slot);
	}
	return NULL;
}

/* The oldest open task, wherever it stands. */
static inline struct qti_task *qti_ring_pop_open(struct qti_ring *r, uint32_t mask)
{
	uintptr_t slot;

	for (uint32_t i = r->head; i - r->head <= mask && (slot = load_acq(&r->slot[i & mask])) != 0; i++) /* RG1 */
		if (slot & QTI_RING_OPEN) {
			if (i == r->head)
				return qti_ring_pop(r, mask);
			store_rlx(&r->slot[i & mask], QTI_RING_GONE);
			return qti_ring_task(slot);
		}
	return NULL;
}

/* Who is producer and consumer at once takes the task that is to fill `ret`, if it is among the `reach` newest. */
static inline struct qti_task *qti_ring_claim(struct qti_ring *r, uint32_t mask, const void *ret, uint32_t reach)
{
	uint32_t i = r->tail, end = i - r->head > reach ? i - reach : r->head;

	while (i != end) {
		uintptr_t slot = load_rlx(&r->slot[--i & mask]);
		if (slot == QTI_RING_GONE || load_rlx(&qti_ring_task(slot)->ret) != ret)
			continue;
		store_rlx(&r->slot[i & mask], QTI_RING_GONE);
		for (i = r->tail; i != r->head && load_rlx(&r->slot[(i - 1) & mask]) == QTI_RING_GONE;)
			store_rlx(&r->slot[--i & mask], 0);
		store_rlx(&r->tail, i);
		return qti_ring_task(slot);
	}
	return NULL;
}

/* --- anybody's: a moment's view -------------------------------------------------------------------------- */

static inline uint32_t qti_ring_length(const struct qti_ring *r)
{
	int32_t n = (int32_t)(load_rlx(&r->tail) - load_rlx(&r->head));

	return n > 0 ? (uint32_t)n : 0;
}

#endif
