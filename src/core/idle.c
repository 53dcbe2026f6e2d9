/* core/idle.c -- a worker without work: it searches for a bounded time, then sleeps (P1 and P2 of core/worker.h).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Terms: the states of a worker.
 *
 *                no work              time is up           nothing anywhere
 *     awake -------------> searching -----------> parked -----------------> asleep
 *       ^                   |     ^               |    |                       |
 *       +-------------------+     +---------------+----|-----------------------+
 *       |        found                 notified        |
 *       +----------------------------------------------+ found
 *
 * A searching worker looks for tasks; the shepherd and the runtime count it in `searching`.  A parked worker has
 * announced that it is going to sleep and looks in every place once more.  An asleep worker is in futex_wait, or sure
 * to get there.  A rouser is a thread that puts a parked or sleeping worker back to searching.
 *
 * Promise: the counts of parked and sleeping workers are exact.  When all workers are asleep, and finalize waits for
 * that, no task is ready anywhere.
 *
 * Proof.  A worker changes its state from searching to parked and from parked to asleep under idle.lock, and a rouser
 * changes it back under the same lock, together with the counts.  The worker that falls asleep last has looked in
 * every place after it announced itself (P2), and so have all the others before it; a task made ready since then has
 * roused one of them (P1), and that one is not asleep.
 */
#include "core/idle.h"

#include "base/park.h"
#include "base/tuning.h"
#include "core/duty.h"
#include "core/next.h"
#include "core/notify.h"
#include "core/poller.h"
#include "core/ready.h"
#include "machine/thread.h"

#include <errno.h>
#include <sched.h>

bool qti_after_drain(struct qti_task *main_task, void *unused)
{
	(void)main_task;
	(void)unused;
	qti_lock_take_crowded(&qti_rt.idle.lock);
	qti_rt.idle.fruitless = 0;      /* what came back since the last time may be what yielding tasks wait for */
	qti_lock_drop(&qti_rt.idle.lock);
	store_rel(&qti_rt.idle.draining, true);
	return true;
}

/* A task that polls for what will never be must not keep finalize waiting. */
bool qti_after_yield_aside(struct qti_task *t, void *unused)
{
	(void)unused;
	qti_taskq_push_back(&qti_rt.idle.aside, t);
	return true;
}

void qti_idle_stop(void)
{
	store_rel(&qti_rt.idle.stop, true);
	for (unsigned i = 0; i < qti_rt.nworkers; i++)
		qti_notify_worker(&qti_rt.workers[i]);
}

/* --- what a worker has in its hands ------------------------------------------------------------------------ */

static void hands_change(struct qti_worker *w, enum qti_hands to)
{
	store_rel(&w->hands, (w->hands / QTI_HANDS_CHANGE + 1) * QTI_HANDS_CHANGE + to);        /* H2 */
}

static struct qti_task *reach_for_task(struct qti_worker *w, bool final)
{
	const uint64_t before = w->hands;

	if (before % QTI_HANDS_CHANGE == QTI_HANDS_FULL)
		return qti_look(w, final);
	store_rlx(&w->hands, before - QTI_HANDS_EMPTY + QTI_HANDS_REACHING);
	fence_rel();                                                                            /* H1 */
	struct qti_task *t = qti_look(w, final);
	if (t)
		hands_change(w, QTI_HANDS_FULL);
	else
		store_rel(&w->hands, before);
	return t;
}

static uint64_t hands_of(const struct qti_worker *w)
{
	uint64_t hands;

	for (unsigned looks = 0; ((hands = load_acq(&w->hands)) % QTI_HANDS_CHANGE) == QTI_HANDS_REACHING; looks++)
		qti_pause(looks);
	return hands;
}

unsigned qti_idle_occupied(uint64_t *changes)
{
	unsigned n = 0;

	*changes = 0;
	for (unsigned i = 0; i < qti_rt.nworkers; i++) {
		uint64_t hands = hands_of(&qti_rt.workers[i]);
		n += hands % QTI_HANDS_CHANGE == QTI_HANDS_FULL;
		*changes += hands / QTI_HANDS_CHANGE;
	}
	return n;
}

/* --- searching ------------------------------------------------------------------------------------------- */

/* In vain, mostly, and again and again. */
static __attribute__((noinline)) void steal_tried(struct qti_worker *w, const struct qti_task *t)
{
	if (t)
		qti_trace_put(&w->tracer, QTI_TRACE_STEAL + QTI_TRACE_END, 0, 0, 0);
	else
		qti_trace_take_back(&w->tracer, QTI_TRACE_STEAL);
}

struct qti_task *qti_look(struct qti_worker *w, bool final)
{
	struct qti_task *t = qti_next_local(w);

	if (!t && qti_likely(!load_rlx(&w->off))) {
		qti_trace(&w->tracer, QTI_TRACE_STEAL, 0, 0, 0);
		t = qti_rt.sched->steal(w, final);
		if (qti_traces(&w->tracer))
			steal_tried(w, t);
	}
	return t;
}

/* No more work for w. */
static bool is_dismissed(const struct qti_worker *w)
{
	return load_acq(&qti_rt.idle.stop) || load_rlx(&w->off);
}

static bool must_hurry(const struct qti_worker *w)
{
	return is_dismissed(w) || load_rlx(&qti_rt.idle.draining);
}

/* Somebody has to ask for what is awaited (core/poller.h).  After a while in vain others may have the CPU.  Who makes
 * tasks ready sees this worker search, and wakes nobody: so it takes, at times, what only a final look takes, too. */
static __attribute__((noinline)) struct qti_task *keep_watch(struct qti_worker *w)
{
	struct qti_task *t = NULL;

	if (must_hurry(w) || !qti_watch_begin())
		return NULL;
	for (unsigned looks = 0; !t && !must_hurry(w) && qti_awaited(); looks++) {
		if (looks >= TUNE_WATCH_LOOKS)
			sched_yield();
		qti_poller_ask();
		t = reach_for_task(w, looks % TUNE_WATCH_LOOKS == TUNE_WATCH_LOOKS - 1);
	}
	qti_watch_end();
	return t;
}

static struct qti_task *search_for_task(struct qti_worker *w)
{
	struct qti_task *t = reach_for_task(w, false);

	if (!t && qti_awaited())
		t = keep_watch(w);
	if (t || qti_rt.spin_ns == 0)
		return t;
	for (uint64_t end = qti_now_ns() + qti_rt.spin_ns; !must_hurry(w) && qti_now_ns() < end;) {
		cpu_relax();
		if ((t = reach_for_task(w, false)) != NULL)
			break;
	}
	return t;
}

/* A task that waits for another worker's answer, and that worker, go idle for a moment at every exchange.  For that
 * moment they look around without telling anybody: announcing oneself costs every other worker cache misses. */
static struct qti_task *search_quietly(struct qti_worker *w)
{
	struct qti_task *t = NULL;

	if (qti_rt.spin_ns == 0)
		return NULL;
	for (unsigned i = 0; !t && i < TUNE_QUIET_LOOKS && !must_hurry(w); i++) {
		if (qti_awaited())
			qti_poller_ask();
		else
			cpu_relax();
		t = reach_for_task(w, false);
	}
	return t;
}

/* One searching worker a shepherd is enough: when it finds something it wakes the next. */
static bool search_begin(struct qti_shepherd *s)
{
	if (load_rlx(&s->searching) != 0)
		return false;
	add_rlx(&s->searching, 1);
	add_rlx(&qti_rt.idle.searching, 1);
	return true;
}

/* Relaxed: the fence of P3, or the heavy one of P2, follows wherever a search ends. */
static void search_end(struct qti_shepherd *s)
{
	sub_rlx(&s->searching, 1);
	sub_rlx(&qti_rt.idle.searching, 1);
}

/* That a sibling may take; not what any worker may, where the policy says that of all shepherds together. */
static bool work_in(const struct qti_shepherd *s)
{
	const struct qti_sched *policy = qti_rt.sched;

	return qti_taskq_count(&s->inbox) != 0 || (!policy->single_taker && !policy->any && policy->length(s) != 0);
}

static bool stealable_in(const struct qti_shepherd *s)
{
	return (qti_rt.sched->stealable ? qti_rt.sched->stealable(s) : qti_rt.sched->length(s)) != 0;
}

bool qti_stealable_anywhere(void)
{
	bool found = qti_rt.sched->any && qti_rt.sched->any();

	for (unsigned i = 0; !qti_rt.sched->any && !found && i < qti_rt.nshepherds; i++)
		found = stealable_in(&qti_rt.shepherds[i]);
	return found;
}

/* While this worker searched, threads that made tasks ready may have relied on it and woken nobody (P3). */
static void pass_on(struct qti_worker *w)
{
	struct qti_shepherd *s = w->shepherd;

	fence_sc();                                                                             /* P3, PW3 */
	if (load_rlx(&qti_rt.idle.parked) == 0)
		return;
	if (qti_watch_wanted())                                                                 /* PW3 */
		qti_notify_slow(s);
	if (work_in(s))
		qti_notify_shepherd_slow(s);
	if (qti_taskq_count(&qti_rt.inbox) != 0 || qti_stealable_anywhere())
		qti_notify_slow(s);
}

/* --- sleeping -------------------------------------------------------------------------------------------- */

static void announce_parked(struct qti_worker *w)
{
	qti_lock_take_crowded(&qti_rt.idle.lock);
	store_rlx(&w->state, QTI_WORKER_PARKED);
	store_rlx(&qti_rt.idle.parked, qti_rt.idle.parked + 1);
	store_rlx(&w->shepherd->parked, w->shepherd->parked + 1);
	qti_lock_drop(&qti_rt.idle.lock);
}

/* Back to searching, unless a rouser has seen to that already. */
static void retract_parked(struct qti_worker *w)
{
	qti_lock_take_crowded(&qti_rt.idle.lock);
	qti_worker_rouse(w);
	qti_lock_drop(&qti_rt.idle.lock);
}

/* Under idle.lock: sure to sleep.  True if that makes everybody, and finalize waits for it. */
static bool fall_asleep(struct qti_worker *w)
{
	uint32_t was = load_rlx(&w->state);

	if (was == QTI_WORKER_AWAKE)
		return false;
	store_rlx(&w->state, was == QTI_WORKER_PARKED ? QTI_WORKER_ASLEEP : QTI_WORKER_AWAY);
	qti_count(w, parks);
	return ++qti_rt.idle.asleep == qti_rt.nworkers && load_rlx(&qti_rt.idle.draining);
}

/* Grows with everything that a task can do for another but yielding.  All workers are asleep. */
static uint64_t tasks_progress(void)
{
	uint64_t sum = load_rlx(&qti_rt.external_forks);

	for (unsigned i = 0; i < qti_rt.nworkers; i++) {
		const struct qti_worker *w = &qti_rt.workers[i];
		sum += load_rlx(&w->stats.tasks_run) + load_rlx(&w->stats.forks) + load_rlx(&w->woken);
	}
	return sum;
}

/* Under idle.lock: tasks that went aside may go on, but not for ever if nothing else happens. */
static bool worth_another_round(void)
{
	uint64_t now = tasks_progress();

	if (qti_taskq_count(&qti_rt.idle.aside) == 0)
		return false;
	if (qti_rt.idle.progress != now)
		qti_rt.idle.fruitless = 0;
	qti_rt.idle.progress = now;
	return qti_rt.idle.fruitless++ < TUNE_FRUITLESS_ROUNDS;
}

void qti_let_yielders_on(void)
{
	struct qti_tasklist yielders;
	struct qti_task *t;

	qti_lock_take(&qti_rt.idle.aside.lock);
	yielders = qti_rt.idle.aside.list;
	qti_rt.idle.aside.list = (struct qti_tasklist){ NULL, NULL, 0 };
	qti_lock_drop(&qti_rt.idle.aside.lock);
	while ((t = qti_tasklist_pop_front(&yielders)) != NULL)
		qti_ready(t);
}

/* exit(3) called by the main task waits for everybody to be asleep, too; the second thread that calls it, in the
 * handler of a signal say, waits in there until the process is gone,
 * and so does who waits for a lock that the first one has. */
static bool others_sleep_or_exit(const struct qti_worker *w)
{
	for (unsigned i = 0; i < qti_rt.nworkers; i++) {
		struct qti_worker *other = &qti_rt.workers[i];
		uint32_t state = load_rlx(&other->state);
		if (other != w && state != QTI_WORKER_ASLEEP && state != QTI_WORKER_AWAY &&
			!qti_thread_waits_for_me(load_rlx(&other->tid), &other->rest))
			return false;
	}
	return true;
}

/* w is the main task's, asleep. */
static void exit_without_exiting(struct qti_worker *w)
{
	qti_lock_take(&qti_rt.idle.lock);
	bool drained = load_rlx(&w->state) != QTI_WORKER_AWAKE && load_rlx(&qti_rt.idle.draining) &&
		others_sleep_or_exit(w);
	if (drained) {
		store_rlx(&qti_rt.idle.draining, false);
		qti_worker_rouse(w);
	}
	qti_lock_drop(&qti_rt.idle.lock);
	if (drained)
		qti_ready(qti_rt.main_task);
}

/* What the last one that fell asleep knows: until one of them is roused no task goes on. */
struct watch {
	uint64_t rouses;
	uint64_t ns;                    /* until it is time to ask whether anything ever will; 0: it is not asked */
};

static __attribute__((noinline)) void sleep_on_watch(const struct qti_worker *w, uint32_t state, struct watch *watch)
{
	int before = errno;
	uint64_t end = qti_now_ns() + watch->ns;

	qti_futex_wait_until(&w->state, state, end);
	if (load_acq(&w->state) == state && qti_now_ns() >= end)
		watch->ns = qti_rt.all_sleep(watch->rouses) ? 2 * watch->ns : 0;
	errno = before;
}

static void worker_sleep(struct qti_worker *w, uint32_t state, struct watch *watch)
{
	if (qti_unlikely(w->id == 0 && load_rlx(&qti_rt.idle.exiting))) {
		qti_futex_wait_until(&w->state, state, qti_now_ns() + TUNE_EXIT_LOOK_NS);
		exit_without_exiting(w);
	} else if (watch->ns) {
		sleep_on_watch(w, state, watch);
	} else {
		qti_futex_wait(&w->state, state);
	}
}

/* Under idle.lock. */
static struct watch watch_begin(void)
{
	bool last = qti_rt.all_sleep && qti_rt.idle.asleep == qti_rt.nworkers;

	return (struct watch){ qti_rt.idle.rouses, last ? TUNE_ALL_SLEEP_NS : 0 };
}

bool qti_idle_all_sleep(uint64_t rouses)
{
	qti_lock_take(&qti_rt.idle.lock);
	bool all = qti_rt.idle.asleep == qti_rt.nworkers && qti_rt.idle.rouses == rouses &&
		!load_rlx(&qti_rt.idle.draining) && !load_rlx(&qti_rt.idle.stop);
	qti_lock_drop(&qti_rt.idle.lock);
	return all;
}

bool qti_idle_hold_asleep(void (*look)(void *arg), void *arg)
{
	qti_lock_take(&qti_rt.idle.lock);
	bool all = qti_rt.idle.asleep == qti_rt.nworkers;
	if (all)
		look(arg);
	qti_lock_drop(&qti_rt.idle.lock);
	return all;
}

unsigned qti_idle_awake(void)
{
	qti_lock_take(&qti_rt.idle.lock);
	unsigned awake = qti_rt.nworkers - qti_rt.idle.asleep;
	qti_lock_drop(&qti_rt.idle.lock);
	return awake;
}

/* The worker that lets the yielders on is awake: it has tasks in its hands. */
static void sleep_until_notified(struct qti_worker *w)
{
	bool again = false;
	uint32_t state;

	qti_trace(&w->tracer, QTI_TRACE_PARKED, 0, 0, 0);
	qti_lock_take_crowded(&qti_rt.idle.lock);
	bool drained = fall_asleep(w);
	if (drained && (again = worth_another_round()))
		qti_worker_rouse(w);
	else if (drained)
		store_rlx(&qti_rt.idle.draining, false);
	struct watch watch = watch_begin();
	qti_lock_drop(&qti_rt.idle.lock);
	if (again)
		qti_let_yielders_on();
	else if (drained)
		qti_ready(qti_rt.main_task);
	while ((state = load_acq(&w->state)) != QTI_WORKER_AWAKE)
		worker_sleep(w, state, &watch);
	qti_trace(&w->tracer, QTI_TRACE_PARKED + QTI_TRACE_END, 0, 0, 0);
}

/* w searches on every way round but the first, where another of its shepherd may be at it already. */
static inline struct qti_task *idle(struct qti_worker *w)
{
	struct qti_shepherd *s = w->shepherd;
	struct qti_task *t = search_quietly(w);

	if (t)
		return t;
	if (w->hands % QTI_HANDS_CHANGE == QTI_HANDS_FULL)
		hands_change(w, QTI_HANDS_EMPTY);
	add_rlx(&qti_rt.idle.count, 1);         /* P2: the heavy fence follows */
	for (bool searching = search_begin(s);; searching = true) {
		if (searching) {
			t = search_for_task(w);
			if (t || is_dismissed(w))
				break;
		}
		announce_parked(w);
		if (searching)
			search_end(s);
		qti_fence_heavy();                                                              /* P2, P3 */
		t = reach_for_task(w, true);
		if (t || is_dismissed(w)) {
			retract_parked(w);
			break;
		}
		if (qti_watch_wanted())                                                         /* PW2 */
			retract_parked(w);
		else
			sleep_until_notified(w);
	}
	search_end(s);
	sub_rlx(&qti_rt.idle.count, 1);
	if (!t)
		hands_change(w, QTI_HANDS_FULL);
	pass_on(w);
	return t;
}

struct qti_task *qti_idle(struct qti_worker *w)
{
	qti_trace(&w->tracer, QTI_TRACE_IDLE, 0, 0, 0);
	struct qti_task *t = idle(w);
	qti_trace(&w->tracer, QTI_TRACE_IDLE + QTI_TRACE_END, 0, 0, 0);
	return t;
}

/* --- off duty -------------------------------------------------------------------------------------------- */

static bool begin_to_leave(struct qti_worker *w)
{
	qti_lock_take_crowded(&qti_rt.idle.lock);
	bool leaves = w->off && !load_rlx(&qti_rt.idle.stop);
	if (leaves) {
		store_rlx(&w->state, QTI_WORKER_LEAVING);
		store_rlx(&qti_rt.idle.away, qti_rt.idle.away + 1);
	}
	qti_lock_drop(&qti_rt.idle.lock);
	return leaves;
}

static void sleep_with_empty_hands(struct qti_worker *w)
{
	hands_change(w, QTI_HANDS_EMPTY);
	sleep_until_notified(w);
	hands_change(w, QTI_HANDS_FULL);
}

/* Threads also wake w to hand on what they put there unawares (P4), and for tasks that only w may run (P1). */
struct qti_task *qti_idle_away(struct qti_worker *w)
{
	struct qti_task *t = NULL;

	while (!(t = qti_taskq_pop_front(&w->inbox)) && begin_to_leave(w)) {
		qti_fence_heavy();                                              /* P5, and P2 for the inbox */
		qti_duty_hand_on(w);
		if (load_acq(&qti_rt.idle.stop) || qti_taskq_count(&w->inbox) != 0)
			retract_parked(w);
		else
			sleep_with_empty_hands(w);
	}
	return t;
}
