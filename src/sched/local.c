/* sched/local.c -- see sched/local.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sched/local.h"

#include "base/mem.h"
#include "base/tuning.h"
#include "core/idle.h"
#include "core/notify.h"
#include "sched/backlog.h"
#include "sched/spread.h"

struct worker_level {
	struct qti_deque deque;
	uint64_t random QTI_ALIGNED_LINE;       /* the owner's, as a thief: changes when it chooses a victim */
	unsigned refused;                       /* times that it was since it got anything */
};

struct shepherd_level {
	struct qti_backlog backlog;
	struct qti_lock thief QTI_ALIGNED_LINE;         /* held by the one that steals on behalf of all */
};

static struct qti_steal_rule steal_rule;
static enum qti_victim steal_victim;

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

struct qti_steal_rule qti_local_rule(enum qti_steal otherwise)
{
	enum qti_steal asked = (enum qti_steal)qti_rt.env.steal;

	return (struct qti_steal_rule){
		.amount = asked != QTI_STEAL_UNSET ? asked : otherwise,
		.chunk = qti_rt.env.steal_chunk ? qti_rt.env.steal_chunk : TUNE_STEAL_CHUNK,
		.spares = true,
	};
}

int qti_local_init(const struct qti_steal_rule *rule, unsigned limit)
{
	steal_rule = *rule;
	steal_victim = (enum qti_victim)qti_rt.env.victim;
	if (qti_policy_attach(sizeof(struct shepherd_level)) != QTHREAD_SUCCESS)
		return QTHREAD_MALLOC_ERROR;
	for (unsigned i = 0; i < qti_rt.nworkers; i++) {
		struct worker_level *l = qti_mem_aligned(QTI_CACHE_LINE, sizeof(*l));
		qti_rt.workers[i].policy = l;
		if (!l || qti_deque_init(&l->deque, (unsigned)qti_mem_power(limit), limit) != QTHREAD_SUCCESS) {
			qti_local_fini();
			return QTHREAD_MALLOC_ERROR;
		}
		l->random = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
		l->refused = 0;
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

/* Another worker has nothing to do.  A single task stays private while that worker searches, for the task's parent is
 * likely to join it next, and a private task costs neither of the two a lock; a worker that has searched in vain looks
 * at private tasks, too, before it sleeps (D2). */
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

/* From the backlog: the newest to run, and some after it for the deque.  All are fetched at once.  Out of line, for its
 * registers and its batch are not to be made room for at each pop. */
static __attribute__((noinline)) struct qti_task *deque_refill(struct qti_worker *w)
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

/* After its owner has taken a task, and may not come to push another one for long.  A joiner's next child stays
 * hidden. */
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

/* A thief's way around: how much it wants, what it has, and from whom it got the first. */
struct theft {
	struct qti_batch batch;
	const struct qti_worker *from;
};

/* Where a thief begins among n victims that are in their order. */
static unsigned first_victim(struct qti_worker *w, unsigned n)
{
	uint64_t *x = &((struct worker_level *)w->policy)->random;

	if (steal_victim == QTI_VICTIM_NEAR)
		return 0;
	*x ^= *x << 13;         /* G. Marsaglia, Xorshift RNGs, Journal of Statistical Software 8(14), 2003 */
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return (unsigned)((*x >> 32) % n);
}

static unsigned chunk_for(const struct qti_worker *w)
{
	return steal_rule.chunk ? steal_rule.chunk : w->shepherd->nworkers;
}

/* What the rule asks of the victim's n tasks before it says how many to take. */
static bool counts_tasks(void)
{
	return steal_rule.amount == QTI_STEAL_HALF || (steal_rule.amount == QTI_STEAL_CHUNK && steal_rule.spares);
}

/* Half of what several workers have is most of their work, for the oldest tasks are the largest: one for each who is to
 * run them will do. */
static size_t loot_limit(const struct qti_worker *w, size_t half)
{
	unsigned workers = w->shepherd->nworkers;

	return workers > 1 && half > workers ? workers : half;
}

/* Of n tasks; 0: the thief leaves them alone.  Who is about to sleep takes one at least (S4, S5 of core/sched.h), and
 * so does who came for it again and again: its owner runs something long. */
static unsigned steal_amount(struct qti_worker *w, size_t n, bool final)
{
	struct worker_level *l = w->policy;
	size_t most = 1;

	if (steal_rule.amount == QTI_STEAL_HALF)
		most = loot_limit(w, n / 2);
	else if (steal_rule.amount == QTI_STEAL_CHUNK)
		most = steal_rule.spares && n <= chunk_for(w) ? 0 : chunk_for(w);
	if (most == 0)
		return final || ++l->refused > TUNE_STEAL_REFUSALS;
	return most < TUNE_STEAL_MOST ? (unsigned)most : TUNE_STEAL_MOST;
}

/* Half is of what there is, public or not. */
static unsigned worth_a_fence(void)
{
	return steal_rule.amount == QTI_STEAL_HALF ? TUNE_STEAL_WORTH : 0;
}

/* The oldest tasks of that worker's deque, if it shows any.  What comes on top of the first is not worth a final look's
 * fence. */
static void steal_from_deque(struct qti_worker *w, const struct qti_worker *victim, struct theft *r, bool final)
{
	unsigned had = r->batch.count;

	final = final && had == 0;
	if (victim == w || !seems_stealable(deque_of(victim), final) ||
		!qti_deque_steal(deque_of(victim), &r->batch, final))
		return;
	if (r->batch.count == had)
		qti_count(w, failed_steals);
	else if (had == 0)
		r->from = victim;
}

static void steal_from_backlog(struct qti_worker *w, const struct qti_shepherd *s, struct theft *r)
{
	struct qti_backlog *b = backlog_of(s);

	if (qti_backlog_count(b) == 0)
		return;
	qti_lock_take(&b->lock);
	r->batch.count = qti_backlog_pop_oldest(b, r->batch.task, r->batch.max);
	qti_lock_drop(&b->lock);
	if (r->batch.count == 0)
		qti_count(w, failed_steals);
	else
		r->from = &s->workers[0];
}

static void reverse(struct qti_task **task, unsigned n)
{
	for (unsigned i = 0; i < n / 2; i++) {
		struct qti_task *t = task[i];
		task[i] = task[n - 1 - i];
		task[n - 1 - i] = t;
	}
}

/* What w runs of the tasks it stole: the oldest, and it will come to the newest last.  These are what their forker
 * joins next, and where they are now it is them that it steals back first.  The others go where anybody finds them:
 * that is the backlog, but where there are no siblings, or they came from one, the deque takes the oldest of them, and
 * shows all it has.  Who will join them is elsewhere, so what one task is kept private for does not hold. */
static struct qti_task *keep_stolen(struct qti_worker *w, const struct theft *r)
{
	const struct qti_batch *batch = &r->batch;
	struct qti_deque *d = deque_of(w);

	if (batch->count == 0)
		return NULL;
	reverse(batch->task, batch->count);
	unsigned rest = batch->count - 1, own = 0;
	((struct worker_level *)w->policy)->refused = 0;
	if (w->shepherd->nworkers == 1 || r->from->shepherd == w->shepherd)
		own = rest < d->limit / 2 ? rest : (unsigned)(d->limit / 2);
	if (rest > own)
		push_newest(backlog_of(w->shepherd), batch->task, rest - own);
	for (unsigned i = rest - own; i < rest; i++)
		if (!qti_deque_push(d, batch->task[i]))
			push_newest(backlog_of(w->shepherd), &batch->task[i], 1);
	if (own > 0)
		qti_deque_publish_all(d);
	if (rest > 0)
		notice_pushed(w);
	qti_count_steal(w, r->from, batch->count);
	return batch->task[rest];
}

/* Tasks that count for the rule.  Of one worker all that it has; of several what they show, for the rest is counted in
 * lines that each of them writes: that takes fib of 24 simulated workers under mts 7 % of its time. */
static size_t stealable_in(const struct qti_shepherd *s)
{
	size_t n = qti_backlog_count(backlog_of(s));

	if (s->nworkers == 1)
		return qti_local_length(s);
	for (unsigned i = 0; i < s->nworkers; i++)
		n += qti_deque_public(deque_of(&s->workers[i]));
	return n;
}

/* Asked before the queues are counted, for counting may look at lines that their owners write. */
static bool shepherd_shows(const struct qti_shepherd *s, bool final)
{
	bool shows = qti_backlog_count(backlog_of(s)) != 0;

	for (unsigned i = 0; !shows && i < s->nworkers; i++)
		shows = seems_stealable(deque_of(&s->workers[i]), final);
	return shows;
}

/* Oldest first: the victim's backlog, then its workers' deques, until the thief has what it wants. */
static struct qti_task *steal_from_shepherd(struct qti_worker *w, const struct qti_shepherd *victim, bool final)
{
	struct qti_task *task[TUNE_STEAL_MOST];
	struct theft r = { .batch = { .task = task, .worth = worth_a_fence() } };
	size_t n = 0;

	if (counts_tasks()) {
		if (!shepherd_shows(victim, final))
			return NULL;
		n = stealable_in(victim);
	}
	r.batch.max = steal_amount(w, n, final);
	if (r.batch.max == 0)
		return NULL;
	steal_from_backlog(w, victim, &r);
	for (unsigned i = 0, at = w->local + 1; i < victim->nworkers && r.batch.count < r.batch.max; i++, at++)
		steal_from_deque(w, &victim->workers[at % victim->nworkers], &r, final);
	return keep_stolen(w, &r);
}

static struct qti_task *steal_from_others(struct qti_worker *w, bool final)
{
	unsigned others = qti_rt.nshepherds - 1, first = first_victim(w, others);
	struct qti_task *t = NULL;

	for (unsigned i = 0; !t && i < others; i++)
		t = steal_from_shepherd(w, &qti_rt.shepherds[w->shepherd->nearest[(first + i) % others]], final);
	return t;
}

/* From a sibling: its oldest public task, likely the root of the largest subtree.  More at once would take children
 * away from parents that are about to run them in place, but it is as the rule has it. */
static struct qti_task *steal_from_sibling(struct qti_worker *w, const struct qti_worker *victim, bool final)
{
	struct qti_task *task[TUNE_STEAL_MOST];
	struct theft r = { .batch = { .max = 1, .task = task, .worth = worth_a_fence() } };

	if (!seems_stealable(deque_of(victim), final))
		return NULL;
	if (steal_rule.siblings_too)
		r.batch.max = steal_amount(w, counts_tasks() ? qti_deque_length(deque_of(victim)) : 0, final);
	if (r.batch.max == 0)
		return NULL;
	steal_from_deque(w, victim, &r, final);
	return keep_stolen(w, &r);
}

static struct qti_task *steal_from_siblings(struct qti_worker *w, bool final)
{
	const struct qti_shepherd *s = w->shepherd;
	unsigned others = s->nworkers - 1, first;
	struct qti_task *t = NULL;

	if (others == 0)
		return NULL;
	first = first_victim(w, others);
	for (unsigned i = 0; !t && i < others; i++)
		t = steal_from_sibling(w, &s->workers[(w->local + 1 + (first + i) % others) % s->nworkers], final);
	return t;
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

/* A single task, too: nobody is about to join it. */
void qti_local_publish(struct qti_worker *w)
{
	struct qti_deque *d = deque_of(w);

	if (qti_deque_hides_all(d))
		qti_deque_publish(d);
}
