/* ds/qswsrqueue.c -- a ring with one writer and one reader, either of which may wait for the other.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each side has an index that it alone writes, and a copy of the other's that it renews only when the ring looks full,
 * or empty (P. Lee, T. Bu and G. Chandranmenon, A Lock-free, Cache-efficient Shared Ring Buffer for Multi-core
 * Architectures, ANCS 2009).  All of it is wait-free but for the waiting itself.
 *
 * R1  The writer stores a cell, then writer.next (release) -> the reader loads writer.next (acquire), then the cell.
 * R2  The reader loads a cell, then stores reader.next (release) -> the writer loads reader.next (acquire), then reuses
 *     the cell.
 * R3  wait:  who = TASK or THREAD;  qti_fence_heavy;  look at the ring again; sleep
 *     move:  next = ...;            fence_light;      who == NOBODY?  or wake
 *     Either the waiter sees the move or the mover sees the waiter.  Movers are many and waiters are few, so it is the
 *     waiter who pays for the fences.
 * R4  Whoever exchanges `who` for NOBODY decides: the waker, which then wakes (once), or the waiter, which then does
 *     not wait.  A task that finds the waker ahead still waits for it, or its wake-up would come to a later wait.
 *
 * A task waits for `word` to be full; an OS thread for `who` to change, which takes neither memory nor a runtime.
 * Checked by test/check/swsr.c, R3 and R4 also by test/api/qswsrqueue.c and test/stress/ring.c.
 */
#include "base/atomic.h"
#include "base/give_way.h"
#include "base/mem.h"
#include "base/park.h"
#include "base/race.h"
#include "qthread/qswsrqueue.h"

enum { RING_STEP = 64 };

enum waiter_who { NOBODY, TASK, THREAD };

/* One side's waiting for the other. */
struct waiter {
	uint32_t who;           /* enum waiter_who; an OS thread's futex */
	aligned_t word;         /* empty while a task waits */
};

struct qswsrqueue_s {
	struct {
		size_t next;    /* cell to be written, or read, next */
		size_t other;   /* the other side's next, as it was once */
	} writer QTI_ALIGNED_LINE, reader QTI_ALIGNED_LINE;
	size_t ncells QTI_ALIGNED_LINE;         /* from here on nothing changes but when somebody waits */
	struct waiter for_room, for_element;
	void *cell[] QTI_ALIGNED_LINE;
};

static inline size_t ring_after(const qswsrqueue_t *q, size_t i)
{
	return i + 1 == q->ncells ? 0 : i + 1;
}

static bool ring_has_element(const qswsrqueue_t *q)
{
	return load_acq(&q->reader.next) != load_acq(&q->writer.next);
}

static bool ring_has_room(const qswsrqueue_t *q)
{
	return ring_after(q, load_acq(&q->writer.next)) != load_acq(&q->reader.next);
}

/* --- waiting --------------------------------------------------------------------------------------------- */

static __attribute__((noinline)) void waiter_wake(struct waiter *w)
{
	switch (swap_acq_rel(&w->who, (uint32_t)NOBODY)) {                                      /* R4 */
	case TASK:
		qthread_fill(&w->word);
		break;
	case THREAD:
		qti_futex_wake(&w->who, 1);
		break;
	}
}

static inline void waiter_notify(struct waiter *w)
{
	fence_light();                                                                          /* R3 */
	if (qti_unlikely(load_rlx(&w->who) != NOBODY))
		waiter_wake(w);
}

static void wait_as_thread(qswsrqueue_t *q, struct waiter *w, bool (*ready)(const qswsrqueue_t *))
{
	store_rel(&w->who, (uint32_t)THREAD);
	qti_fence_heavy();                                                                      /* R3 */
	if (ready(q)) {
		swap_acq_rel(&w->who, (uint32_t)NOBODY);
		return;
	}
	while (load_acq(&w->who) == THREAD)
		qti_futex_wait(&w->who, THREAD);
}

/* The task does not wait after all.  False if the waker is ahead and will fill the word. */
static bool task_withdraws(struct waiter *w)
{
	if (swap_acq_rel(&w->who, (uint32_t)NOBODY) != TASK)                                    /* R4 */
		return false;
	qthread_fill(&w->word);
	return true;
}

static int wait_as_task(qswsrqueue_t *q, struct waiter *w, bool (*ready)(const qswsrqueue_t *))
{
	int rc = qthread_empty(&w->word);

	if (rc != QTHREAD_SUCCESS)
		return rc;
	store_rel(&w->who, (uint32_t)TASK);
	qti_fence_heavy();                                                                      /* R3 */
	if (ready(q) && task_withdraws(w))
		return QTHREAD_SUCCESS;
	rc = qthread_readFF(NULL, &w->word);
	if (rc == QTHREAD_SUCCESS || task_withdraws(w))
		return rc;
	while (qthread_feb_status(&w->word) == 0)       /* no stack to wait on, but the waker is on its way */
		qti_give_way();
	return QTHREAD_SUCCESS;
}

/* Returns when `ready` has become true, and now and then before.  QTHREAD_SUCCESS or QTHREAD_MALLOC_ERROR. */
static int ring_wait(qswsrqueue_t *q, struct waiter *w, bool (*ready)(const qswsrqueue_t *))
{
	if (qthread_shep() != NO_SHEPHERD)
		return wait_as_task(q, w, ready);
	wait_as_thread(q, w, ready);
	return QTHREAD_SUCCESS;
}

/* --- the calls ------------------------------------------------------------------------------------------- */

qswsrqueue_t *qswsrqueue_create(size_t elements)
{
	qswsrqueue_t *q;

	if (elements == 0 || elements > SIZE_MAX / sizeof(q->cell[0]) - sizeof(*q))
		return NULL;
	qti_fence_setup();
	const size_t ncells = qti_mem_round(elements, RING_STEP);
	q = qti_mem_aligned(_Alignof(qswsrqueue_t), sizeof(*q) + ncells * sizeof(q->cell[0]));
	if (q)
		*q = (qswsrqueue_t){ .ncells = ncells };
	return q;
}

int qswsrqueue_destroy(qswsrqueue_t *q)
{
	if (!q)
		return QTHREAD_BADARGS;
	qti_mem_free(q);
	return QTHREAD_SUCCESS;
}

int qswsrqueue_enqueue(qswsrqueue_t *q, void *elem)
{
	if (qti_unlikely(!q || !elem))
		return QTHREAD_BADARGS;

	const size_t i = load_rlx(&q->writer.next), after = ring_after(q, i);
	if (after == q->writer.other) {
		q->writer.other = load_acq(&q->reader.next);                                    /* R2 */
		if (after == q->writer.other)
			return QTHREAD_OPFAIL;
	}
	qti_race_release_as(elem, QTI_RACE_ELEMENT);
	q->cell[i] = elem;
	store_rel(&q->writer.next, after);                                                      /* R1 */
	waiter_notify(&q->for_element);
	return QTHREAD_SUCCESS;
}

void *qswsrqueue_dequeue(qswsrqueue_t *q)
{
	if (qti_unlikely(!q))
		return NULL;

	const size_t i = load_rlx(&q->reader.next);
	if (i == q->reader.other) {
		q->reader.other = load_acq(&q->writer.next);                                    /* R1 */
		if (i == q->reader.other)
			return NULL;
	}
	void *elem = q->cell[i];
	qti_race_acquire_as(elem, QTI_RACE_ELEMENT);
	store_rel(&q->reader.next, ring_after(q, i));                                           /* R2 */
	waiter_notify(&q->for_room);
	return elem;
}

int qswsrqueue_enqueue_blocking(qswsrqueue_t *q, void *elem)
{
	int rc;

	while ((rc = qswsrqueue_enqueue(q, elem)) == QTHREAD_OPFAIL) {
		rc = ring_wait(q, &q->for_room, ring_has_room);
		if (rc != QTHREAD_SUCCESS)
			break;
	}
	return rc;
}

void *qswsrqueue_dequeue_blocking(qswsrqueue_t *q)
{
	void *elem;

	while (q && !(elem = qswsrqueue_dequeue(q))) {
		if (ring_wait(q, &q->for_element, ring_has_element) != QTHREAD_SUCCESS)
			return NULL;
	}
	return q ? elem : NULL;
}

int qswsrqueue_empty(qswsrqueue_t *q)
{
	if (!q)
		return QTHREAD_BADARGS;

	/* For a third party both sides move: equal indices of different moments say nothing. */
	for (size_t reader = load_acq(&q->reader.next);;) {
		const size_t writer = load_acq(&q->writer.next), again = load_acq(&q->reader.next);
		if (reader != writer)
			return 0;
		if (again == reader)
			return 1;
		reader = again;
	}
}
