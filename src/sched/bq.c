/* sched/bq.c -- BQ: a bounded queue a worker, oldest first; who has filled its own works depth first until it has
 * drained.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A worker alone adds to its queue of QT_QUEUE tasks, with two plain stores; whoever takes, the owner too, takes the
 * oldest, by combining (base/combine.h).  A worker that finds its queue full is throttled, and no longer so when it
 * sees 30 % of it free.  A throttled worker's OpenMP tasks run at once (bq_full).  What cannot, for a qthread may wait
 * for its parent, is spilled: to a list that its worker takes the newest of, before all that is in the queue, as if it
 * had run at once, and others the oldest of, when the queue is empty.  Tasks that yielded come last.
 *
 * Lists and `head` are the combiner's holder's.  Between owner and holder:
 *
 *   BQ1  push fills the slot, then raises tail (release) -> the holder loads tail (acquire): it sees the whole task.
 *   BQ2  the holder empties the slot, then raises head (release) -> push loads head (acquire) before it uses the slot
 *        again.
 *
 * A claim takes a task out of the middle, and then the holder lowers tail, on behalf of the owner, who waits for that.
 *
 * A worker does not ask a queue whose counts say that it is empty.  S4: whoever put a task there, or had it put there,
 * went on after that had been done (CB3), so after a heavy fence (P2) the counts show it, and so does what the request
 * finds, whoever serves it (CB2).
 *
 * Checked by test/sched/contract.c, test/sched/bq.c and test/stress/bq.c.
 */
#include "base/combine.h"
#include "base/mem.h"
#include "base/tuning.h"
#include "core/notify.h"
#include "sched/policies.h"
#include "sched/victims.h"

#include <string.h>

struct queue {
	/* The owner's. */
	uint32_t tail;                  /* tasks that were ever added; others look */
	uint32_t head_seen;
	bool throttled;
	struct qti_combine_node *spare;

	/* Of those that ask. */
	struct qti_combine combine QTI_ALIGNED_LINE;

	/* The holder's. */
	uint32_t head QTI_ALIGNED_LINE; /* tasks that were ever taken; others look */
	struct qti_tasklist spilled, yielded;

	struct qti_combine_node node[2];        /* to begin with, the combiner's and the owner's */
	struct qti_task *slot[];
};

/* Written by init. */
static uint32_t limit, mask, enough;    /* tasks in a queue; slots - 1; what is free when throttling ends */

static struct queue *queue_of(const struct qti_worker *w)
{
	return w->policy;
}

static void bq_fini(void)
{
	for (unsigned i = 0; i < qti_rt.nworkers; i++) {
		qti_mem_free(qti_rt.workers[i].policy);
		qti_rt.workers[i].policy = NULL;
	}
}

static int bq_init(void)
{
	limit = qti_rt.env.queue;
	enough = (limit * TUNE_QUEUE_FREE + 99) / 100;
	mask = (uint32_t)qti_mem_power(limit) - 1;
	for (unsigned i = 0; i < qti_rt.nworkers; i++) {
		struct queue *q = qti_mem_aligned(QTI_CACHE_LINE, sizeof(*q) + (mask + 1) * sizeof(q->slot[0]));
		qti_rt.workers[i].policy = q;
		if (!q) {
			bq_fini();
			return QTHREAD_MALLOC_ERROR;
		}
		memset(q, 0, sizeof(*q));
		qti_combine_init(&q->combine, &q->node[0]);
		q->spare = &q->node[1];
	}
	return QTHREAD_SUCCESS;
}

/* --- the holder's requests ------------------------------------------------------------------------------- */

static struct qti_task *queue_take_oldest(struct queue *q)
{
	uint32_t head = q->head;

	if (head == load_acq(&q->tail))                                         /* BQ1 */
		return NULL;
	struct qti_task *t = q->slot[head & mask];
	store_rel(&q->head, head + 1);                                          /* BQ2 */
	return t;
}

static void *serve_next(void *queue, void *unused)
{
	struct queue *q = queue;
	struct qti_task *t = qti_tasklist_pop_front(&q->spilled);

	(void)unused;
	if (!t)
		t = queue_take_oldest(q);
	return t ? t : qti_tasklist_pop_front(&q->yielded);
}

static void *serve_thief(void *queue, void *unused)
{
	struct queue *q = queue;
	struct qti_task *t = queue_take_oldest(q);

	(void)unused;
	if (!t)
		t = qti_tasklist_pop_back(&q->spilled);
	return t ? t : qti_tasklist_pop_front(&q->yielded);
}

static void *serve_spill(void *queue, void *task)
{
	qti_tasklist_push_front(&((struct queue *)queue)->spilled, task);
	return NULL;
}

static void *serve_yielded(void *queue, void *task)
{
	qti_tasklist_push_back(&((struct queue *)queue)->yielded, task);
	return NULL;
}

/* The newest are the likeliest. */
static struct qti_task *queue_claim(struct queue *q, const void *ret)
{
	uint32_t tail = q->tail, i = tail;

	for (unsigned looked = 0; looked < TUNE_CLAIM_REACH && i != q->head; looked++) {
		struct qti_task *t = q->slot[--i & mask];
		if (load_rlx(&t->ret) != ret)
			continue;
		for (; i + 1 != tail; i++)
			q->slot[i & mask] = q->slot[(i + 1) & mask];
		store_rlx(&q->tail, tail - 1);
		return t;
	}
	return NULL;
}

static void *serve_claim(void *queue, void *ret)
{
	struct queue *q = queue;
	struct qti_task *t = qti_tasklist_claim(&q->spilled, ret, TUNE_CLAIM_REACH);

	return t ? t : queue_claim(q, ret);
}

/* --- asking ---------------------------------------------------------------------------------------------- */

static inline void *queue_ask(struct qti_worker *w, struct queue *q, qti_request request, void *arg)
{
	return qti_combine(&q->combine, &queue_of(w)->spare, request, q, arg, TUNE_COMBINE_MOST);
}

/* Roughly, but never 0 while a task stays there: head is at most where it stands, and tail beyond. */
static inline size_t queue_length(const struct queue *q)
{
	int32_t n = (int32_t)(load_rlx(&q->tail) - load_rlx(&q->head));

	return (n > 0 ? (uint32_t)n : 0) + load_rlx(&q->spilled.count) + load_rlx(&q->yielded.count);
}

/* The owner's next task would find room. */
static inline bool queue_has_room(struct queue *q)
{
	if (!q->throttled && q->tail - q->head_seen < limit)
		return true;
	q->head_seen = load_acq(&q->head);                                      /* BQ2 */
	uint32_t free = limit - (q->tail - q->head_seen);
	q->throttled = q->throttled ? free < enough : free == 0;
	return !q->throttled;
}

static void bq_push(struct qti_worker *w, struct qti_task *t)
{
	struct queue *q = queue_of(w);

	if (qti_likely(queue_has_room(q))) {
		q->slot[q->tail & mask] = t;
		store_rel(&q->tail, q->tail + 1);                               /* BQ1 */
	} else {
		queue_ask(w, q, serve_spill, t);
	}
	qti_notify(w->shepherd);
}

static void bq_push_yielded(struct qti_worker *w, struct qti_task *t)
{
	queue_ask(w, queue_of(w), serve_yielded, t);
	qti_notify(w->shepherd);
}

static bool bq_full(struct qti_worker *w, size_t n)
{
	(void)n;        /* others take from it */
	return !queue_has_room(queue_of(w));
}

static struct qti_task *bq_pop(struct qti_worker *w)
{
	struct queue *q = queue_of(w);

	return queue_length(q) ? queue_ask(w, q, serve_next, NULL) : NULL;
}

static struct qti_task *bq_claim(struct qti_worker *w, const void *ret)
{
	struct queue *q = queue_of(w);

	return queue_length(q) ? queue_ask(w, q, serve_claim, (void *)(uintptr_t)ret) : NULL;
}

static struct qti_task *take_from(struct qti_worker *w, struct qti_worker *victim)
{
	struct queue *q = queue_of(victim);

	if (queue_length(q) == 0)
		return NULL;
	struct qti_task *t = queue_ask(w, q, serve_thief, NULL);
	if (t)
		qti_count_steal(w, victim, 1);
	else
		qti_count(w, failed_steals);
	return t;
}

static struct qti_task *bq_steal(struct qti_worker *w, bool final)
{
	(void)final;
	return qti_victims_try(w, take_from);
}

static size_t bq_length(const struct qti_shepherd *s)
{
	size_t n = 0;

	for (unsigned i = 0; i < s->nworkers; i++)
		n += queue_length(queue_of(&s->workers[i]));
	return n;
}

const struct qti_sched qti_sched_bq = {
	.name = "bq",
	.boundary = QTI_LEVEL_CORE,
	.init = bq_init,
	.fini = bq_fini,
	.push = bq_push,
	.push_yielded = bq_push_yielded,
	.pop = bq_pop,
	.steal = bq_steal,
	.claim = bq_claim,
	.leave = qti_victims_leave,
	.length = bq_length,
	.full = bq_full,
};
