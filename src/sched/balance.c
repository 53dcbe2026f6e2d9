/* sched/balance.c -- NA-RP and NA-WS: xq's rings, and workers that ask others for work by plain stores.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each worker has a round, which it alone raises, and a request, a cell that anybody may write: who asks, and in
 * which round.  Nobody locks, and a message may be lost:
 *
 *   NA1  A thief that finds the request of a victim older than its round stores its own name and that round.
 *   NA2  The victim takes a request of its round for good, serves it, and raises the round.
 *
 * So a request is served once at most: one that was overwritten is gone, one that comes late is of an older round,
 * which the next thief overwrites; and the cell is never blocked.  Who was not heard asks again after QT_T_INTERVAL
 * looks.  The cells carry no data, so they are relaxed: tasks go through the ring from victim to thief (RG1), and a
 * thief that sleeps by then is woken like any worker that gets a task (P1).
 *
 *   na-ws  The victim moves up to QT_N_STEAL tasks of its row to the thief.
 *   na-rp  It sends the next QT_N_STEAL tasks that it creates there.  That ends early when the ring is full, or when
 *          the victim creates no more, for then others could not ask.
 *
 * Everything that a worker does with its queues is a scheduling point at which it looks at its request; if there is
 * none, it serves a worker that sleeps now and then.  What is sent to a thief is lost to its victim, and the thief
 * may have found a long task meanwhile.  So these policies keep S4 as the stealing ones do: who found nothing and was
 * not heard takes a task out of any row before it sleeps (sched/rows.h), and who makes a task ready wakes somebody.
 *
 * Checked by test/sched/contract.c, test/sched/balance.c, test/stress/rows.c, test/model/request.pml and
 * test/check/rows.c.
 */
#include "base/mem.h"
#include "base/tuning.h"
#include "sched/policies.h"
#include "sched/rows.h"

#include <string.h>

enum { ROUND_BITS = 40 };

static const uint64_t round_mask = (UINT64_C(1) << ROUND_BITS) - 1;

struct cell {
	/* Read by thieves, written by the owner. */
	uint64_t round QTI_ALIGNED_LINE;

	/* Thieves'. */
	uint64_t request QTI_ALIGNED_LINE;      /* worker << ROUND_BITS | round */

	/* The owner's, as a thief. */
	uint64_t random QTI_ALIGNED_LINE;
	unsigned ticks;                 /* idle looks since it found something, or asked */

	/* And as a victim that redirects. */
	struct qti_worker *thief;
	unsigned left, moved;
	unsigned idle_points;           /* scheduling points since it pushed */
	bool asked;                     /* the thief has; else it sleeps */
	unsigned points;
};

static struct cell *cells;
static bool redirects;                  /* na-rp */

static struct cell *cell_of(const struct qti_worker *w)
{
	return &cells[w->id];
}

static int balance_init(bool rp)
{
	size_t size = qti_rt.nworkers * sizeof(*cells);

	redirects = rp;
	cells = qti_mem_aligned(QTI_CACHE_LINE, size);
	if (!cells)
		return QTHREAD_MALLOC_ERROR;
	memset(cells, 0, size);
	for (unsigned i = 0; i < qti_rt.nworkers; i++) {
		cells[i].round = 1;
		cells[i].random = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
	}
	int rc = qti_rows_init(true);
	if (rc != QTHREAD_SUCCESS) {
		qti_mem_free(cells);
		cells = NULL;
	}
	return rc;
}

static int rp_init(void)
{
	return balance_init(true);
}

static int ws_init(void)
{
	return balance_init(false);
}

static void balance_fini(void)
{
	qti_mem_free(cells);
	cells = NULL;
	qti_rows_fini();
}

/* --- the thief ------------------------------------------------------------------------------------------- */

/* From 0 to below - 1 (xorshift64*: S. Vigna, 2016). */
static unsigned cell_dice(struct cell *c, unsigned below)
{
	c->random ^= c->random >> 12;
	c->random ^= c->random << 25;
	c->random ^= c->random >> 27;
	return (unsigned)((c->random * UINT64_C(0x2545f4914f6cdd1d) >> 32) % below);
}

/* Of the own shepherd with probability QT_P_LOCAL. */
static struct qti_worker *choose_victim(const struct qti_worker *w)
{
	const struct qti_shepherd *s = w->shepherd;
	struct cell *c = cell_of(w);
	unsigned others = qti_rt.nworkers - s->nworkers, first = s->workers[0].id;
	bool local = others == 0 || (s->nworkers > 1 && cell_dice(c, QTI_SHARE_ONE) < qti_rt.env.p_local);

	if (local)
		return &s->workers[(w->local + 1 + cell_dice(c, s->nworkers - 1)) % s->nworkers];
	unsigned i = cell_dice(c, others);
	return &qti_rt.workers[i < first ? i : i + s->nworkers];
}

/* Rounds go around: one is older than another if that is less than half of them ahead. */
static bool request_is_old(uint64_t request, uint64_t round)
{
	uint64_t behind = (round - request) & round_mask;

	return behind != 0 && behind <= round_mask / 2;
}

static void request_send(struct qti_worker *w, struct qti_worker *victim)
{
	struct cell *c = cell_of(victim);
	uint64_t round = load_rlx(&c->round);

	if (load_rlx(&victim->state) != QTI_WORKER_AWAKE || !request_is_old(load_rlx(&c->request), round))
		return;
	store_rlx(&c->request, (uint64_t)w->id << ROUND_BITS | round);          /* NA1 */
	qti_count(w, requests);
}

static void request_some(struct qti_worker *w)
{
	for (unsigned i = 0; qti_rt.nworkers > 1 && i < qti_rt.env.n_victim; i++)
		request_send(w, choose_victim(w));
}

/* --- the victim ------------------------------------------------------------------------------------------ */

static void count_given(struct qti_worker *w, struct cell *c)
{
	c->moved++;
	qti_count_add(c->thief->shepherd == w->shepherd ? &w->stats.given_local : &w->stats.given_remote, 1);
}

static void request_end(struct qti_worker *w, struct cell *c, bool full)
{
	c->left = 0;
	if (!c->asked)
		return;
	qti_count(w, requests_handled);
	if (c->moved)
		qti_count(w, requests_served);
	else if (full)
		qti_count(w, requests_full);
	else
		qti_count(w, requests_vain);
	store_rlx(&c->round, (c->round + 1) & round_mask);                      /* NA2 */
}

static void move_tasks(struct qti_worker *w, struct cell *c)
{
	struct qti_task *t;
	bool full = false;

	for (; c->left > 0 && !(full = !qti_rows_has_room(w, c->thief)) && (t = qti_rows_take(w)) != NULL; c->left--) {
		qti_rows_give(w, c->thief, t);
		count_given(w, c);
	}
	request_end(w, c, full);
}

static void request_serve(struct qti_worker *w, struct cell *c, struct qti_worker *thief, bool asked)
{
	c->thief = thief;
	c->asked = asked;
	c->left = qti_rt.env.n_steal;
	c->moved = c->idle_points = 0;
	if (load_rlx(&thief->off))
		request_end(w, c, false);
	else if (!redirects)
		move_tasks(w, c);
}

static bool worker_sleeps(const struct qti_worker *w)
{
	return load_rlx(&w->state) >= QTI_WORKER_PARKED && !load_rlx(&w->off);
}

static struct qti_worker *nearest_sleeper(const struct qti_worker *w)
{
	for (unsigned i = 0; i < qti_rt.nshepherds; i++) {
		struct qti_shepherd *s = i == 0 ? w->shepherd : &qti_rt.shepherds[w->shepherd->nearest[i - 1]];
		for (unsigned j = 0; load_rlx(&s->parked) != 0 && j < s->nworkers; j++)
			if (worker_sleeps(&s->workers[j]))
				return &s->workers[j];
	}
	return NULL;
}

static __attribute__((noinline)) void request_serve_sleeper(struct qti_worker *w, struct cell *c)
{
	if (++c->points % TUNE_SLEEPER_POINTS != 0 || (!redirects && !qti_rows_waits(w)))
		return;
	struct qti_worker *sleeper = nearest_sleeper(w);
	if (sleeper)
		request_serve(w, c, sleeper, false);
}

/* A scheduling point. */
static inline void balance_attend(struct qti_worker *w)
{
	struct cell *c = cell_of(w);
	uint64_t request = load_rlx(&c->request);

	if (c->left != 0) {
		if (++c->idle_points > TUNE_REDIRECT_POINTS)
			request_end(w, c, false);
	} else if (qti_unlikely((request & round_mask) == c->round)) {          /* NA2 */
		request_serve(w, c, &qti_rt.workers[request >> ROUND_BITS], true);
	} else if (qti_unlikely(load_rlx(&qti_rt.idle.parked) != 0)) {
		request_serve_sleeper(w, c);
	}
}

/* True if t went to the thief. */
static inline bool balance_redirect(struct qti_worker *w, struct qti_task *t)
{
	struct cell *c = cell_of(w);

	if (qti_likely(c->left == 0) || qti_task_is(t, QTI_TASK_STARTED))
		return false;
	if (!qti_rows_has_room(w, c->thief)) {
		request_end(w, c, true);
		return false;
	}
	qti_rows_give_new(w, c->thief, t);
	count_given(w, c);
	c->idle_points = 0;
	if (--c->left == 0)
		request_end(w, c, false);
	return true;
}

/* --- the hooks ------------------------------------------------------------------------------------------- */

static void balance_push(struct qti_worker *w, struct qti_task *t)
{
	if (!balance_redirect(w, t))
		qti_rows_push(w, t);
	balance_attend(w);
}

static struct qti_task *balance_pop(struct qti_worker *w)
{
	struct qti_task *t = qti_rows_pop(w);

	if (t) {
		cell_of(w)->ticks = 0;
		balance_attend(w);
	}
	return t;
}

static struct qti_task *balance_claim(struct qti_worker *w, const void *ret)
{
	struct qti_task *t = qti_rows_claim(w, ret);

	balance_attend(w);
	return t;
}

/* Others that ask now are heard. */
static bool balance_full(struct qti_worker *w, size_t n)
{
	struct cell *c = cell_of(w);

	balance_attend(w);
	if (redirects && c->left != 0 && qti_rows_has_room(w, c->thief))
		return false;
	return qti_rows_full(w, n);
}

static struct qti_task *balance_steal(struct qti_worker *w, bool final)
{
	struct cell *c = cell_of(w);
	struct qti_task *t = qti_rows_steal(w, final);

	if (t) {
		c->ticks = 0;
		return t;
	}
	if (c->left != 0)
		request_end(w, c, false);       /* it creates nothing */
	if (c->ticks++ % qti_rt.env.t_interval == 0 || final)
		request_some(w);
	return NULL;
}

#define BALANCE_POLICY \
	QTI_ROWS_POLICY, .fini = balance_fini, .push = balance_push, .pop = balance_pop, .claim = balance_claim, \
	.full = balance_full, .steal = balance_steal, .publish = balance_attend

const struct qti_sched qti_sched_na_rp = {
	.name = "na-rp",
	.init = rp_init,
	BALANCE_POLICY,
};

const struct qti_sched qti_sched_na_ws = {
	.name = "na-ws",
	.init = ws_init,
	BALANCE_POLICY,
};
