/* omp/barrier.c -- waiting for a team: at a barrier and at a region's end.  omp/team.h has the protocols.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A barrier has been passed when all members have arrived and the team is quiet; whoever finds that first opens it for
 * the others.  Who waits runs the team's tasks on top of itself: nothing of the region depends on it before they have ended.
 */
#include "base/park.h"
#include "omp/cancel.h"
#include "omp/region.h"
#include "omp/start.h"
#include "omp/list.h"
#include "sync/waiter.h"

#include <sched.h>

bool qomp_team_quiet(const struct qomp_team *team)
{
	uint32_t open = 0;

	if (!load_rlx(&team->tasks))
		return true;
	unsigned n = load_acq(&team->n);                                                        /* T6 */
	struct qomp_member **member = load_acq(&team->member);                                  /* T6 */
	for (unsigned i = 0; i < n; i++)                                                        /* T2 */
		open -= load_acq(&member[i]->finished);
	open -= load_acq(&team->elsewhere);
	for (unsigned i = 0; i < n; i++)
		open += load_rlx(&member[i]->created);
	return open == 0;
}

/* --- while waiting --------------------------------------------------------------------------------------- */

static bool is_of(const struct qti_task *t, const struct qomp_team *team)
{
	const struct qomp_frame *f = t->arg;

	return (t->flags & (QTI_TASK_OMP | QTI_TASK_STARTED | QTI_TASK_BOUND)) == QTI_TASK_OMP && f->team == team;
}

/* Another task than the team's gets a stack of its own; the one that waits comes back when it is its turn. */
static void give_way(struct qti_worker *w, struct qti_task *t)
{
	if (qti_suspend_prepare(w) == QTHREAD_SUCCESS) {
		qti_suspend_for(t, qti_after_ready, NULL);
	} else {
		qti_ready(t);
		sched_yield();
	}
}

static void starve_no_more(struct qomp_vigil *v)
{
	if (v->starves)
		qti_idle_starve(false);
	v->starves = false;
}

/* Before it runs. */
static void found(struct qomp_vigil *v)
{
	starve_no_more(v);
	v->looks = 0;
	v->end = 0;
}

static bool help(struct qomp_vigil *v, struct qomp_frame *f, bool final)
{
	struct qomp_team *team = f->team;
	struct qti_worker *w = qti_self();

	if (!load_rlx(&team->spread_out))
		return qomp_list_run(f, (struct qomp_wish){ 0 });
	if (qti_unlikely(!w))
		return false;           /* a thread that is no worker: its team's tasks are the workers' */
	struct qti_task *t = qti_look(w, final);
	if (!t)
		return false;
	found(v);
	if (is_of(t, team) && qomp_task_has_room(w))
		qti_run_on_top(w, t);
	else
		give_way(w, t);
	return true;
}

enum { LOOKS_A_TIME = 64, STARVING_LOOKS = 384, FINAL_LOOKS_MAX = 8192 };

/* What such a look costs both, and more: less than that is not worth it. */
#define FINAL_PAYS_NS UINT64_C(30000)

/* How often in a row it was not worth it for this thread. */
static __thread unsigned modesty __attribute__((tls_model("initial-exec")));

/* Half a millisecond: what it takes from an owner that runs one tiny task after another, it is not to take often. */
enum { MODESTY_MAX = 7 };

/* Workers keep their newest task from those who only look.  To take it costs the looker much, and its owner something:
 * so one does after a while, and again after twice as long. */
static bool is_time_for_final(unsigned looks)
{
	if (looks < (unsigned)LOOKS_A_TIME << modesty)
		return false;
	return looks < FINAL_LOOKS_MAX ? (looks & (looks - 1)) == 0 : looks % FINAL_LOOKS_MAX == 0;
}

/* Where tasks are that small, one waits longer the next time. */
static bool help_finally(struct qomp_vigil *v, struct qomp_frame *f)
{
	uint64_t begin = qti_now_ns();

	if (!help(v, f, true))
		return false;
	if (qti_now_ns() - begin >= FINAL_PAYS_NS)
		modesty = 0;
	else if (modesty < MODESTY_MAX)
		modesty++;
	return true;
}

static __attribute__((noinline)) void linger(struct qomp_vigil *v, bool begin)
{
	starve_no_more(v);
	qti_idle_linger(begin);
	v->lingers = begin;
}

/* Who lingers takes what it finds in any place, and so does not look out for the work of others (others_queue): not for longer
 * than the team's tasks may be there. */
bool qomp_vigil_help(struct qomp_vigil *v, struct qomp_frame *f)
{
	bool tasks = load_rlx(&f->team->tasks), in_queues = tasks && load_rlx(&f->team->spread_out);

	if (qti_unlikely(v->lingers ? !in_queues : in_queues && v->looks > 0))
		linger(v, in_queues);
	if (!tasks)
		return false;
	if (!(qti_unlikely(is_time_for_final(v->looks)) ? help_finally(v, f) : help(v, f, false)))
		return false;
	found(v);
	return true;
}

/* Work came up on the thread of f that is not the team's: native tasks, members of other teams. */
static bool others_wait(void)
{
	struct qti_worker *w = qti_self();

	return w && (qti_taskq_count(&w->inbox) != 0 || qti_taskq_count(&w->shepherd->inbox) != 0);
}

/* The same for the queues, which other workers may serve, but need not: not every policy steals. */
static bool others_queue(const struct qomp_vigil *v)
{
	struct qti_worker *w = qti_self();

	return w && !v->lingers && (qti_taskq_count(&qti_rt.inbox) != 0 || qti_rt.sched->length(w->shepherd) != 0);
}

bool qomp_vigil_over(struct qomp_vigil *v)
{
	if (load_rlx(&qomp_spin_ns) == 0 || others_wait())
		return true;
	cpu_relax();
	if (++v->looks % LOOKS_A_TIME != 0)
		return false;
	if (v->lingers && !v->starves && v->looks >= STARVING_LOOKS) {
		v->starves = true;
		qti_idle_starve(true);
	}
	if (others_queue(v))
		return true;
	uint64_t now = qti_now_ns();
	if (v->end == 0)
		v->end = now + load_rlx(&qomp_spin_ns);
	return now >= v->end;
}

/* Neither 0 nor QOMP_WATCH_END. */
static uint32_t watch_for(uint32_t number)
{
	return number % (QOMP_WATCH_END - 1) + 1;
}

void qomp_team_doze(struct qomp_team *team, bool (*ready)(const struct qomp_team *, uint32_t key), uint32_t key, bool end)
{
	struct qti_waiter r;

	if (qti_waiter_init(&r, QTI_WAIT_QUEUE, 0) != QTHREAD_SUCCESS) {
		sched_yield();
		return;
	}
	if (add_sc(&team->asleep, 1) + 1 >= team->n || end) {                                   /* T4 */
		store_rlx(&team->watch, end ? QOMP_WATCH_END : watch_for(key));                 /* T3 */
		if (load_rlx(&team->tasks))
			qti_fence_heavy();
	}
	qti_word_lock(&team->lock);
	if (ready(team, key)) {
		store_rel(&team->lock, 0);
	} else {
		qti_waiters_add(&team->sleepers, &r);
		qti_waiter_sleep(&r, &team->lock, 0);
	}
	sub_sc(&team->asleep, 1);
}

void qomp_team_rouse(struct qomp_team *team)
{
	qti_word_lock(&team->lock);
	struct qti_waiter *woken = team->sleepers;
	team->sleepers = NULL;
	store_rel(&team->lock, 0);
	qti_wake_all(&woken);
}

/* --- the barrier ----------------------------------------------------------------------------------------- */

static uint32_t arrived(uint64_t gate)
{
	return (uint32_t)gate;
}

/* All are here and quiet; *gate is what says so. */
static bool complete(const struct qomp_team *team, uint64_t *gate)
{
	*gate = load_sc(&team->gate);
	return arrived(*gate) == load_acq(&team->n) && qomp_team_quiet(team);  /* T6 */
}

static uint32_t number(uint64_t gate)
{
	return (uint32_t)(gate >> 32);
}

static bool open_up(struct qomp_team *team, uint64_t gate)
{
	uint64_t next = (uint64_t)(number(gate) + 1) << 32;

	if (!__atomic_compare_exchange_n(&team->gate, &gate, next, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))  /* T5 */
		return false;
	if (load_sc(&team->asleep) != 0)                                                        /* T4 */
		qomp_team_rouse(team);
	return true;
}

static bool open_if_complete(struct qomp_team *team)
{
	uint64_t gate;

	return complete(team, &gate) && open_up(team, gate);
}

static bool passed(const struct qomp_team *team, uint32_t key)
{
	uint64_t gate;
	bool yes = complete(team, &gate);

	return yes || number(gate) != key || load_rlx(&team->list.count) != 0;
}

static bool passed_or_cancelled(const struct qomp_team *team, uint32_t key)
{
	return load_sc(&team->cancelled) & QOMP_CANCEL_PARALLEL || passed(team, key);
}

/* False if the region was cancelled. */
static bool wait_at_barrier(struct qomp_frame *f, bool cancellable)
{
	struct qomp_team *team = f->team;
	struct qomp_vigil v = { 0 };
	uint64_t gate = add_sc(&team->gate, 1) + 1;
	uint32_t key = number(gate);

	if (arrived(gate) == team->n && qomp_team_quiet(team) && open_up(team, gate))
		return true;
	while (number(load_acq(&team->gate)) == key) {
		if (load_rlx(&team->tasks) && open_if_complete(team))
			break;
		if (cancellable && load_acq(&team->cancelled) & QOMP_CANCEL_PARALLEL) {
			qomp_vigil_end(&v);
			return false;
		}
		if (!qomp_vigil_help(&v, f) && qomp_vigil_over(&v)) {
			qomp_vigil_end(&v);
			qomp_team_doze(team, cancellable ? passed_or_cancelled : passed, key, false);
		}
	}
	qomp_vigil_end(&v);
	return true;
}

void qomp_barrier(struct qomp_frame *f)
{
	if (f->team->n > 1 || load_rlx(&f->team->tasks))
		wait_at_barrier(f, false);
}

bool qomp_barrier_cancel(struct qomp_frame *f)
{
	struct qomp_team *team = f->team;

	if (load_acq(&team->cancelled) & QOMP_CANCEL_PARALLEL)
		return true;
	return (team->n > 1 || load_rlx(&team->tasks)) && !wait_at_barrier(f, true);
}

/* --- the region's end ------------------------------------------------------------------------------------ */

/* Also under T4, whose other side is arrive_at_end. */
static bool ended(const struct qomp_team *team)
{
	return load_sc(&team->ended) + 1 == team->n && qomp_team_quiet(team);
}

static bool joined(const struct qomp_team *team, uint32_t unused)
{
	(void)unused;
	return load_rlx(&team->list.count) != 0 || ended(team);
}

void qomp_region_join(struct qomp_frame *f)
{
	struct qomp_team *team = f->team;
	struct qomp_vigil v = { 0 };

	while (!ended(team)) {
		if (!qomp_vigil_help(&v, f) && qomp_vigil_over(&v)) {
			qomp_vigil_end(&v);
			qomp_team_doze(team, joined, 0, true);
		}
	}
	qomp_vigil_end(&v);
	store_rlx(&team->tasks, 0);
	store_rlx(&team->watch, 0);
}

/* --- a task's end, T3 ------------------------------------------------------------------------------------ */

/* A barrier that has been passed needs no watch any more; one for the next may be set already. */
static void forget_watch(struct qomp_team *team, uint32_t watch)
{
	if (watch != QOMP_WATCH_END && watch != watch_for(number(load_acq(&team->gate))))
		cas_acq_rel(&team->watch, &watch, 0);
}

void qomp_team_look(struct qomp_team *team)
{
	uint32_t watch = load_acq(&team->watch);

	fence_sc();     /* of two that end at a time one sees both `finished` */
	if (!open_if_complete(team) && load_sc(&team->asleep) != 0 && qomp_team_quiet(team))
		qomp_team_rouse(team);
	forget_watch(team, watch);
}
