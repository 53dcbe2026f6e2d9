/* sched/local.c -- see sched/local.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sched/local.h"

#include "base/mem.h"
#include "base/tuning.h"
#include "sched/backlog.h"
#include "sched/spread.h"

struct worker_level {
	struct qti_deque deque;
};

struct shepherd_level {
	struct qti_backlog backlog;
	struct qti_lock thief QTI_ALIGNED_LINE;         /* held by the one that steals on behalf of all */
};

static struct qti_steal_rule steal_rule;

static struct qti_deque *deque_of(const struct qti_worker *w)
{
	return &((struct worker_level *)w->policy)->deque;
}

static struct shepherd_level *level_of(const struct qti_shepherd *s)
{
	return s->policy;
}

static struct qti_backlog *backlog_of(const struct qti_shepherd *s)
{
	return &level_of(s)->backlog;
}

static unsigned power_of_two(unsigned n)
{
	unsigned p = 1;

	while (p < n)
		p *= 2;
	return p;
}

int qti_local_init(const struct qti_steal_rule *allowed, unsigned limit)
{
	steal_rule = *allowed;
	if (qti_policy_attach(sizeof(struct shepherd_level)) != QTHREAD_SUCCESS)
		return QTHREAD_MALLOC_ERROR;
	for (unsigned i = 0; i < qti_rt.nworkers; i++) {
		struct worker_level *l = qti_mem_aligned(QTI_CACHE_LINE, sizeof(*l));
		qti_rt.workers[i].policy = l;
		if (!l || qti_deque_init(&l->deque, power_of_two(limit), limit) != QTHREAD_SUCCESS) {
			qti_local_fini();
			return QTHREAD_MALLOC_ERROR;
		}
	}
	return QTHREAD_SUCCESS;
}

void qti_local_fini(void)
{
	for (unsigned i = 0; i < qti_rt.nworkers; i++) {
		struct worker_level *l = qti_rt.workers[i].policy;
		if (l)
			qti_deque_fini(&l->deque);
		qti_mem_free(l);
		qti_rt.workers[i].policy = NULL;
	}
	for (unsigned i = 0; i < qti_rt.nshepherds; i++)
		if (level_of(&qti_rt.shepherds[i]))
			qti_backlog_fini(backlog_of(&qti_rt.shepherds[i]));
	qti_policy_detach();
}

/* --- push ------------------------------------------------------------------------------------------------ */

static void push_newest(struct qti_backlog *b, struct qti_task *const *task, unsigned n)
{
	qti_lock_take(&b->lock);
	qti_backlog_push_newest(b, task, n);
	qti_lock_drop(&b->lock);
}

/* The deque is full, or out of use: its older half makes room. */
static __attribute__((noinline)) void deque_overflow(struct qti_worker *w, struct qti_task *t)
{
	struct qti_deque *d = deque_of(w);
	struct qti_task *older[TUNE_BACKLOG_BATCH];
	struct qti_batch batch = { .max = TUNE_BACKLOG_BATCH, .task = older };

	if (d->limit < 2 * TUNE_BACKLOG_BATCH)
		batch.max = (unsigned)(d->limit + 1) / 2;
	if (batch.max) {
		qti_deque_shed(d, &batch);
		push_newest(backlog_of(w->shepherd), older, batch.count);
	}
	if (d->limit == 0 || !qti_deque_push(d, t))
		push_newest(backlog_of(w->shepherd), &t, 1);
}

/* Another worker has nothing to do.  A single task stays private while that worker searches, for the task's parent is likely
 * to join it next, and a private task costs neither of the two a lock; a worker that has searched in vain looks at private
 * tasks, too, before it sleeps (D2). */
static __attribute__((noinline)) void attend_searchers(struct qti_worker *w)
{
	struct qti_deque *d = deque_of(w);
	uint64_t hidden = qti_deque_hidden(d);

	if (hidden > 1 || (hidden == 1 && !qti_idle_looks()))
		qti_deque_publish(d);
	qti_notify_slow(w->shepherd);
}

/* After tasks were put into w's deque or its shepherd's backlog: also those that came from elsewhere, since a final
 * look may have missed them on their way. */
static inline void notice_pushed(struct qti_worker *w)
{
	fence_light();                                                          /* P1 */
	if (qti_unlikely(load_rlx(&qti_rt.idle.count) != 0))
		attend_searchers(w);
}

void qti_local_push(struct qti_worker *w, struct qti_task *t)
{
	if (qti_unlikely(!qti_deque_push(deque_of(w), t)))
		deque_overflow(w, t);
	notice_pushed(w);
}

void qti_local_push_yielded(struct qti_worker *w, struct qti_task *t)
{
	struct qti_backlog *b = backlog_of(w->shepherd);

	qti_lock_take(&b->lock);
	qti_backlog_push_oldest(b, t);
	qti_lock_drop(&b->lock);
	qti_notify(w->shepherd);
}

void qti_local_push_behind(struct qti_worker *w, struct qti_task *t, unsigned n)
{
	struct qti_deque *d = deque_of(w);
	struct qti_task *newer[TUNE_YIELD_BEHIND], *next;
	unsigned count = 0;

	while (count < n && count < TUNE_YIELD_BEHIND && (next = qti_deque_pop(d)) != NULL)
		newer[count++] = next;
	if (qti_unlikely(!qti_deque_push(d, t)))
		deque_overflow(w, t);
	while (count > 0)
		if (qti_unlikely(!qti_deque_push(d, newer[--count])))
			deque_overflow(w, newer[count]);
	notice_pushed(w);
}

/* --- pop ------------------------------------------------------------------------------------------------- */

/* From the backlog: the newest to run, and some after it for the deque.  All are fetched at once. */
static struct qti_task *deque_refill(struct qti_worker *w)
{
	struct qti_deque *d = deque_of(w);
	struct qti_backlog *b = backlog_of(w->shepherd);
	struct qti_task *batch[TUNE_BACKLOG_BATCH];
	uint32_t want = qti_backlog_count(b);

	if (want == 0)
		return NULL;
	want = want / (2 * w->shepherd->nworkers) + 1;
	if (want > TUNE_BACKLOG_BATCH)
		want = TUNE_BACKLOG_BATCH;
	if (want > d->limit / 2)
		want = (uint32_t)d->limit / 2;
	qti_lock_take(&b->lock);
	unsigned n = qti_backlog_pop_newest(b, batch, want ? want : 1);
	qti_lock_drop(&b->lock);
	for (unsigned i = 0; i < n; i++)
		__builtin_prefetch(batch[i], 1);
	for (unsigned i = n; i-- > 1;)
		qti_deque_push(d, batch[i]);
	if (n > 1)
		notice_pushed(w);
	return n ? batch[0] : NULL;
}

/* After its owner has taken a task, and may not come to push another one for long.  A joiner's next child stays hidden. */
static inline void publish_for_searchers(struct qti_deque *d)
{
	if (qti_unlikely(load_rlx(&qti_rt.idle.count) != 0) && qti_deque_hidden(d) > 1)
		qti_deque_publish(d);
}

struct qti_task *qti_local_pop(struct qti_worker *w)
{
	struct qti_deque *d = deque_of(w);
	struct qti_task *t = qti_deque_pop(d);

	if (!t)
		t = deque_refill(w);
	publish_for_searchers(d);
	return t;
}

/* With the backlog still locked by qti_local_pop_to_yield. */
static bool after_yield(struct qti_task *t, void *unused)
{
	struct qti_worker *w = qti_self();
	struct qti_backlog *b = backlog_of(w->shepherd);

	(void)unused;
	qti_backlog_push_oldest(b, t);
	qti_lock_drop(&b->lock);
	qti_notify(w->shepherd);
	return true;
}

/* Two tasks that yield to each other take turns in the backlog: one lock acquisition a turn. */
struct qti_task *qti_local_pop_to_yield(struct qti_worker *w, qti_after *after)
{
	struct qti_backlog *b = backlog_of(w->shepherd);
	struct qti_task *t = qti_deque_pop(deque_of(w));

	if (t || qti_backlog_count(b) == 0)
		return t;
	qti_lock_take(&b->lock);
	if (qti_backlog_pop_newest(b, &t, 1) == 1)
		*after = after_yield;
	else
		qti_lock_drop(&b->lock);
	return t;
}

struct qti_task *qti_local_claim(struct qti_worker *w, const void *ret)
{
	struct qti_deque *d = deque_of(w);
	struct qti_task *t = qti_deque_claim(d, ret);

	publish_for_searchers(d);
	return t;
}

/* --- steal ----------------------------------------------------------------------------------------------- */

static bool seems_stealable(const struct qti_deque *d, bool final)
{
	return load_rlx(&d->top) < load_rlx(final ? &d->bottom : &d->split);
}

/* Of the victim's tasks, or of those that it shares with its siblings, the thief had the lock. */
static void count_loot(struct qti_worker *w, const struct qti_worker *victim, unsigned n)
{
	if (n != 0)
		qti_count_steal(w, victim, n);
	else
		qti_count(w, failed_steals);
}

/* The oldest tasks of a deque of s other than w's own, the first that has any. */
static void steal_from_deques(struct qti_worker *w, struct qti_shepherd *s, struct qti_batch *batch, bool final)
{
	for (unsigned i = 0; i < s->nworkers && batch->count == 0; i++) {
		struct qti_worker *victim = &s->workers[(w->local + 1 + i) % s->nworkers];
		if (victim != w && seems_stealable(deque_of(victim), final) && qti_deque_steal(deque_of(victim), batch, final))
			count_loot(w, victim, batch->count);
	}
}

static void steal_from_backlog(struct qti_worker *w, struct qti_shepherd *s, struct qti_batch *batch)
{
	struct qti_backlog *b = backlog_of(s);

	if (qti_backlog_count(b) == 0)
		return;
	qti_lock_take(&b->lock);
	batch->count = qti_backlog_pop_oldest(b, batch->task, batch->max);
	qti_lock_drop(&b->lock);
	count_loot(w, &s->workers[0], batch->count);
}

/* What w runs of the tasks it stole: the newest.  The others go where w's siblings find them, in order. */
static struct qti_task *keep_batch(struct qti_worker *w, const struct qti_batch *batch)
{
	if (batch->count == 0)
		return NULL;
	for (unsigned i = 0; i + 1 < batch->count; i++)
		if (!qti_deque_push(deque_of(w), batch->task[i]))
			push_newest(backlog_of(w->shepherd), &batch->task[i], 1);
	if (batch->count > 1)
		notice_pushed(w);
	return batch->task[batch->count - 1];
}

/* Oldest first: the victim's backlog, then its workers' deques. */
static struct qti_task *steal_from_shepherd(struct qti_worker *w, struct qti_shepherd *victim, bool final)
{
	struct qti_task *task[TUNE_STEAL_MOST];
	unsigned most = steal_rule.chunk < TUNE_STEAL_MOST ? steal_rule.chunk : TUNE_STEAL_MOST;
	struct qti_batch batch = { .max = most, .task = task };

	steal_from_backlog(w, victim, &batch);
	if (batch.count == 0)
		steal_from_deques(w, victim, &batch, final);
	return keep_batch(w, &batch);
}

static struct qti_task *steal_from_others(struct qti_worker *w, bool final)
{
	struct qti_task *t = NULL;

	for (unsigned i = 0; !t && i + 1 < qti_rt.nshepherds; i++)
		t = steal_from_shepherd(w, &qti_rt.shepherds[w->shepherd->nearest[i]], final);
	return t;
}

/* From a sibling: its oldest public task, likely the root of the largest subtree.  More at once would take children
 * away from parents that are about to run them in place. */
static struct qti_task *steal_from_siblings(struct qti_worker *w, bool final)
{
	struct qti_task *task;
	struct qti_batch batch = { .max = 1, .task = &task };

	if (w->shepherd->nworkers == 1)
		return NULL;
	steal_from_deques(w, w->shepherd, &batch, final);
	return keep_batch(w, &batch);
}

struct qti_task *qti_local_steal(struct qti_worker *w, bool final)
{
	struct qti_lock *thief = &level_of(w->shepherd)->thief;
	struct qti_task *t = steal_from_siblings(w, final);

	if (t || qti_rt.nshepherds == 1)
		return t;
	if (!steal_rule.one_thief)
		return steal_from_others(w, final);
	if (final)
		qti_lock_take(thief);   /* S4: that one may have passed what this one would find */
	else if (!qti_lock_try(thief))
		return NULL;            /* that one brings work for all and wakes them */
	t = steal_from_others(w, final);
	qti_lock_drop(thief);
	return t;
}

/* The deque is the worker's own; the backlog is not. */
void qti_local_leave(struct qti_worker *w)
{
	struct qti_task *task[TUNE_BACKLOG_BATCH];
	struct qti_batch batch = { .max = TUNE_BACKLOG_BATCH, .task = task };

	do {
		batch.count = 0;
		qti_deque_shed(deque_of(w), &batch);
		push_newest(backlog_of(w->shepherd), task, batch.count);
	} while (batch.count != 0);
	qti_notify(w->shepherd);
}

size_t qti_local_length(const struct qti_shepherd *s)
{
	size_t n = qti_backlog_count(backlog_of(s));

	for (unsigned i = 0; i < s->nworkers; i++)
		n += qti_deque_length(deque_of(&s->workers[i]));
	return n;
}

bool qti_local_holds(const struct qti_worker *w, size_t n)
{
	struct qti_deque *d = deque_of(w);

	return qti_deque_holds(d, n) && (qti_likely(load_rlx(&qti_rt.idle.count) == 0) || seems_stealable(d, false));
}

void qti_local_feed(struct qti_worker *w)
{
	publish_for_searchers(deque_of(w));
}
