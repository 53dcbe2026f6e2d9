/* sync/queue.c -- queues of waiting tasks, released one by one or all at once.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     63..1 length | 0 locked
 *
 *   Q1  Joiners come and go while the queue is locked, and the store that unlocks it counts them: who sees a length
 *       finds so many waiters, or those who released them came first.
 *   Q2  Nobody touches the queue after unlocking it - a joiner sleeps on its own record, a releaser wakes from a list
 *       of its own - so a task that was released may destroy it.
 *       Meanwhile a thread that is no worker is a visitor (GA3 of core/gate.h).
 *   Q3  All queues are on a list, which has its own lock; a queue's is taken inside that.
 *
 * A waiter record lies on the waiting stack, so joining needs no memory but for the stack on which others run.  The
 * kinds of queues differ in what they promise their callers, not in what happens here.
 * Checked by test/api/queue.c and test/stress/queue.c.
 */
#include "sync/queue.h"

#include "base/forked.h"
#include "base/mem.h"
#include "base/race.h"
#include "core/gate.h"
#include "sync/waiter.h"

enum { LENGTH_SHIFT = 1 };
#define LOCKED UINT64_C(1)
#define LENGTH_MAX (UINT64_MAX >> LENGTH_SHIFT)

struct qthread_queue_s {
	uint64_t word;                  /* Q1 */
	struct qti_waiter *waiters;     /* last of a ring */
	uint64_t capacity;
	bool tells_length;
	struct qthread_queue_s *next, **link;   /* Q3; link: what points here */
};

static struct qti_lock all_lock;
static struct qthread_queue_s *all;

static uint64_t length_of(uint64_t word)
{
	return word >> LENGTH_SHIFT;
}

static void queue_unlock(struct qthread_queue_s *q, uint64_t length)
{
	store_rel(&q->word, length << LENGTH_SHIFT);                            /* Q1 */
}

/* --- making and unmaking --------------------------------------------------------------------------------- */

static void queue_enlist(struct qthread_queue_s *q)
{
	qti_lock_take(&all_lock);                                               /* Q3 */
	q->next = all;
	q->link = &all;
	if (all)
		all->link = &q->next;
	all = q;
	qti_lock_drop(&all_lock);
}

static void queue_delist(struct qthread_queue_s *q)
{
	qti_lock_take(&all_lock);                                               /* Q3 */
	*q->link = q->next;
	if (q->next)
		q->next->link = q->link;
	qti_lock_drop(&all_lock);
}

qthread_queue_t qthread_queue_create(uint8_t flags, aligned_t length)
{
	bool capped = flags == QTHREAD_QUEUE_CAPPED;

	if (!capped && flags != QTHREAD_QUEUE_NO_SYNCH && flags != QTHREAD_QUEUE_MULTI_JOIN &&
	    flags != QTHREAD_QUEUE_MULTI_JOIN_LENGTH)
		return NULL;
	if (capped && length == 0)
		return NULL;
	struct qthread_queue_s *q = qti_mem_alloc(sizeof(*q));
	if (!q)
		return NULL;
	*q = (struct qthread_queue_s){
		.capacity = capped && length < LENGTH_MAX ? length : LENGTH_MAX,
		.tells_length = capped || flags == QTHREAD_QUEUE_MULTI_JOIN_LENGTH,
	};
	queue_enlist(q);
	return q;
}

int qthread_queue_destroy(qthread_queue_t q)
{
	if (!q)
		return QTHREAD_BADARGS;
	uint64_t length = length_of(qti_word_lock(&q->word));
	queue_unlock(q, length);
	if (length != 0)
		return QTHREAD_OPFAIL;
	queue_delist(q);
	qti_mem_free(q);
	return QTHREAD_SUCCESS;
}

/* --- waiting and waking ---------------------------------------------------------------------------------- */

static int queue_join(qthread_queue_t q)
{
	struct qti_waiter self;
	int rc = qti_waiter_init(&self, QTI_WAIT_QUEUE, 0);
	if (rc != QTHREAD_SUCCESS)
		return rc;
	self.word = q;
	qti_race_release_as(q, QTI_RACE_EMPTIED);
	uint64_t length = length_of(qti_word_lock(&q->word));
	if (length >= q->capacity) {
		queue_unlock(q, length);
		return QTHREAD_OPFAIL;
	}
	qti_waiters_add(&q->waiters, &self);
	qti_waiter_sleep(&self, &q->word, (length + 1) << LENGTH_SHIFT);        /* Q1, Q2 */
	qti_race_acquire(q);
	return QTHREAD_SUCCESS;
}

int qthread_queue_join(qthread_queue_t q)
{
	if (!q)
		return QTHREAD_BADARGS;
	if (!qti_call_in())
		return QTHREAD_NOT_ALLOWED;
	int rc = queue_join(q);
	qti_call_out();
	return rc;
}

aligned_t qthread_queue_length(qthread_queue_t q)
{
	if (!q || !q->tells_length)
		return 0;
	aligned_t length = length_of(load_acq(&q->word));
	qti_race_acquire_as(q, QTI_RACE_EMPTIED);
	return length;
}

int qthread_queue_release_one(qthread_queue_t q)
{
	struct qti_waiter *woken = NULL, *first;

	if (!q)
		return QTHREAD_BADARGS;
	qti_call_in_anyhow();
	qti_race_release(q);
	uint64_t length = length_of(qti_word_lock(&q->word));
	qti_race_acquire_as(q, QTI_RACE_EMPTIED);
	if ((first = qti_waiters_take(&q->waiters)) != NULL)
		qti_waiters_add(&woken, first);
	queue_unlock(q, first ? length - 1 : length);                                 /* Q2 */
	qti_wake_all(&woken);
	qti_call_out();
	return QTHREAD_SUCCESS;
}

int qthread_queue_release_all(qthread_queue_t q)
{
	if (!q)
		return QTHREAD_BADARGS;
	qti_call_in_anyhow();
	qti_race_release(q);
	(void)qti_word_lock(&q->word);
	qti_race_acquire_as(q, QTI_RACE_EMPTIED);
	struct qti_waiter *woken = q->waiters;
	q->waiters = NULL;
	queue_unlock(q, 0);                                                           /* Q2 */
	qti_wake_all(&woken);
	qti_call_out();
	return QTHREAD_SUCCESS;
}

/* --- all of them ----------------------------------------------------------------------------------------- */

void qti_queues_each_waiter(qti_waiter_visit visit, void *arg)
{
	qti_lock_take(&all_lock);                                               /* Q3 */
	for (struct qthread_queue_s *q = all; q; q = q->next) {
		uint64_t length = length_of(qti_word_lock(&q->word));
		qti_waiters_each(q->waiters, visit, arg);
		queue_unlock(q, length);
	}
	qti_lock_drop(&all_lock);
}

static void forget_tasks_of(struct qthread_queue_s *q)
{
	(void)qti_word_lock(&q->word);
	queue_unlock(q, qti_waiters_forget_tasks(&q->waiters));
}

void qti_queues_forget_tasks(void)
{
	qti_lock_take(&all_lock);                                               /* Q3 */
	for (struct qthread_queue_s *q = all; q; q = q->next)
		forget_tasks_of(q);
	qti_lock_drop(&all_lock);
}

/* In the child of fork(2) nobody waits. */

static void take_list(void)
{
	qti_lock_take(&all_lock);
}

static void drop_list(void)
{
	qti_lock_drop(&all_lock);
}

static void forget_waiters(void)
{
	for (struct qthread_queue_s *q = all; q; q = q->next) {
		q->waiters = NULL;
		queue_unlock(q, 0);
	}
}

QTI_FORKED(QTI_FORKED_LOCKS, take_list, drop_list, forget_waiters)
