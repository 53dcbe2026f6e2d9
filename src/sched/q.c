/* sched/q.c -- Q: one FIFO for each shepherd, new tasks round robin, nothing but open tasks is stolen.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The queue is non-blocking for those who push: one exchange, then a link (D. Vyukov's intrusive multi-producer
 * queue, 2010).  Workers take turns at the other end under a lock; with one worker in each shepherd, the default, it
 * is free.
 *
 *   F1  push swaps itself into `tail` (acq_rel), then links its predecessor to itself (release) -> pop follows
 *       the link (acquire).  Between the two steps the queue is not empty but has no link to follow: pop waits,
 *       for as long as it takes the pusher to execute one store (S4: that is not "seen empty").
 *
 * The stub keeps the list from ever being without a node; it goes in again when the last task is to leave.
 */
#include "sched/policies.h"

#include "sched/spread.h"

struct fifo {
	struct qti_task *tail QTI_ALIGNED_LINE;         /* last pushed */
	uint32_t count;
	struct qti_lock poppers QTI_ALIGNED_LINE;
	struct qti_task *head;                          /* next to leave; under poppers */
	struct qti_task stub;
};

/* QTI_SPREAD_QUEUES of them. */
static struct fifo *fifos_of(const struct qti_shepherd *s)
{
	return s->policy;
}

static void fifo_push(struct fifo *f, struct qti_task *t)
{
	store_rlx(&t->next, NULL);
	struct qti_task *last = swap_acq_rel(&f->tail, t);                      /* F1 */
	store_rel(&last->next, t);                                              /* F1 */
}

static struct qti_task *next_linked(struct qti_task *t)
{
	struct qti_task *next;

	for (unsigned looks = 0; !(next = load_acq(&t->next)); looks++)         /* F1 */
		qti_pause(looks);
	return next;
}

/* Under poppers. */
static struct qti_task *fifo_pop(struct fifo *f)
{
	struct qti_task *t = f->head;

	if (t == &f->stub) {
		if (load_acq(&f->tail) == t)
			return NULL;
		t = next_linked(t);
		f->head = t;
	}
	if (load_acq(&f->tail) == t)
		fifo_push(f, &f->stub);
	f->head = next_linked(t);
	return t;
}

static int q_init(void)
{
	int rc = qti_policy_attach(QTI_SPREAD_QUEUES * sizeof(struct fifo));

	for (unsigned i = 0; rc == QTHREAD_SUCCESS && i < qti_rt.nshepherds * QTI_SPREAD_QUEUES; i++) {
		struct fifo *f = &fifos_of(&qti_rt.shepherds[i / QTI_SPREAD_QUEUES])[i % QTI_SPREAD_QUEUES];
		f->head = f->tail = &f->stub;
	}
	return rc;
}

static void q_put(struct qti_shepherd *s, struct qti_task *t)
{
	unsigned kind = qti_spread_kind(t);
	struct fifo *f = &fifos_of(s)[kind];

	add_rlx(&f->count, 1);
	fifo_push(f, t);
	qti_spread_notify(s, kind);
}

static void q_push(struct qti_worker *w, struct qti_task *t)
{
	q_put(qti_spread(w, t), t);
}

static void q_push_yielded(struct qti_worker *w, struct qti_task *t)
{
	q_put(w->shepherd, t);
}

static struct qti_task *fifo_take(struct fifo *f)
{
	if (load_rlx(&f->count) == 0)
		return NULL;
	qti_lock_take(&f->poppers);
	struct qti_task *t = fifo_pop(f);
	qti_lock_drop(&f->poppers);
	if (t)
		add_rlx(&f->count, -1);
	return t;
}

static struct qti_task *q_pop(struct qti_worker *w)
{
	struct fifo *f = fifos_of(w->shepherd);
	unsigned first = qti_spread_turn(w);
	struct qti_task *t = fifo_take(&f[first]);

	return t ? t : fifo_take(&f[!first]);
}

static struct qti_task *take_open(struct qti_shepherd *s)
{
	return fifo_take(&fifos_of(s)[QTI_SPREAD_OPEN]);
}

static struct qti_task *q_steal(struct qti_worker *w, bool final)
{
	return final ? qti_spread_rescue(w, take_open) : NULL;
}

static size_t q_stealable(const struct qti_shepherd *s)
{
	return load_rlx(&fifos_of(s)[QTI_SPREAD_OPEN].count);
}

static size_t q_length(const struct qti_shepherd *s)
{
	return load_rlx(&fifos_of(s)[QTI_SPREAD_STRICT].count) + q_stealable(s);
}

const struct qti_sched qti_sched_q = {
	.name = "q",
	.boundary = QTI_LEVEL_CORE,
	.init = q_init,
	.fini = qti_policy_detach,
	.push = q_push,
	.push_yielded = q_push_yielded,
	.pop = q_pop,
	.steal = q_steal,
	.length = q_length,
	.stealable = q_stealable,
};
