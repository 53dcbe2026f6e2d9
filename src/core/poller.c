/* core/poller.c -- see core/poller.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/poller.h"

#include "base/ticks.h"
#include "base/tuning.h"
#include "core/notify.h"

static const struct qti_poller *poller;

static struct {
	struct qti_lock asking QTI_ALIGNED_LINE;        /* tried only: who does not get it need not ask */
	uint64_t cost;                  /* 16 times the ticks that asking takes; under the lock, as the next */
	uint64_t costly;                /* TUNE_POLL_COSTLY_NS in ticks; 0: not known yet */
	uint64_t vain;                  /* what the last time took, if it was in vain; 0: it was not */
	bool watched QTI_ALIGNED_LINE;  /* somebody is on watch */
	uint64_t pause;                 /* ticks, as the next: between two times that workers with tasks ask */
	uint64_t due;
} turns;

static uint64_t come_ticks, come_ns;    /* when the poller came, by both clocks */

void qti_poller_come(const struct qti_poller *p)
{
	poller = p;
	come_ticks = qti_ticks();
	come_ns = qti_now_ns();
}

size_t qti_poller_stack_size(void)
{
	return poller ? poller->stack_size : 0;
}

const void *qti_poller_code(void)
{
	return poller ? (const void *)poller->poll : NULL;
}

/* --- asking ---------------------------------------------------------------------------------------------- */

void qti_poller_ask(void)
{
	if (!qti_lock_try(&turns.asking))
		return;
	poller->poll(TUNE_POLL_WATCH);
	qti_lock_drop(&turns.asking);
}

static uint64_t ticks_of(uint64_t ns)
{
	uint64_t ticks = qti_ticks() - come_ticks, passed = qti_now_ns() - come_ns;

	return (uint64_t)((double)ns * (double)ticks / (double)(passed | 1));
}

/* A mean of what it costs in vain, so that pauses pay for all that was asked, also where one in several takes much
 * longer.  But where a thread lost its CPU meanwhile, or the library took in messages, that says nothing about
 * asking: what is costly counts as no more than double. */
static void learn_cost(uint64_t ticks)
{
	uint64_t mean = turns.cost / 16;

	if (turns.costly == 0)
		turns.costly = ticks_of(TUNE_POLL_COSTLY_NS);
	if (ticks > turns.costly && ticks > 2 * mean)
		ticks = 2 * mean > turns.costly ? 2 * mean : turns.costly;
	turns.cost += ticks - mean;
	store_rlx(&turns.pause, turns.cost * TUNE_POLL_SHARE / 16);
}

/* What was in vain the last time took in messages if there are news now: an MPI may take in what has come after it has
 * looked at the requests.  That is no cost of asking, and if it counted the pause would grow until
 * each time was such a one. */
static void learn_before(bool news, uint64_t ticks)
{
	if (!news && turns.vain != 0)
		learn_cost(turns.vain);
	turns.vain = news ? 0 : ticks;
}

/* Reading the clock is part of it, about two times for each asking. */
static bool ask_in_turn(struct qti_worker *w, uint64_t now)
{
	if (!qti_lock_try(&turns.asking))
		return false;
	bool news = poller->poll(TUNE_POLL_BUSY) > 0;
	uint64_t then = qti_ticks();
	learn_before(news, then - now + 2 * (qti_ticks() - then));
	store_rlx(&turns.due, then + load_rlx(&turns.pause));
	qti_lock_drop(&turns.asking);
	if (load_rlx(&qti_rt.idle.parked) != 0)
		qti_notify_slow(w->shepherd);           /* this worker has something better to do */
	return news;
}

/* The clock is read about two times in each pause, and not between any two tasks, which may be short. */
static bool time_is_up(struct qti_worker *w, uint64_t *now)
{
	*now = qti_ticks();
	uint64_t since = *now - w->ask.then, pause = load_rlx(&turns.pause);
	if (since < pause / 4 && w->ask.every < TUNE_POLL_TURNS)
		w->ask.every = 2 * w->ask.every + 1;
	else if (since > pause)
		w->ask.every /= 2;
	w->ask.then = *now;
	return (int64_t)(*now - load_rlx(&turns.due)) >= 0;
}

bool qti_poller_ask_at_times(struct qti_worker *w)
{
	uint64_t now;
	bool news = !load_rlx(&turns.watched) && time_is_up(w, &now) && ask_in_turn(w, now);

	w->ask.turns = w->ask.every;
	return news;
}

/* --- the watch ------------------------------------------------------------------------------------------- */

/* Acquire and release make nothing visible that anybody relies on: what poll() reads it has under its own lock. */
bool qti_watch_begin(void)
{
	bool seen = false;

	return !load_rlx(&turns.watched) && cas_acq_rel(&turns.watched, &seen, true);
}

void qti_watch_end(void)
{
	store_rel(&turns.watched, false);                                               /* PW3: pass_on fences */
}

bool qti_watch_wanted(void)
{
	return qti_awaited() && !load_rlx(&turns.watched) && !load_rlx(&qti_rt.idle.draining);
}

/* --- what is awaited ------------------------------------------------------------------------------------- */

/* A worker that has more to do leaves the watch to one that has not: its running task, unless that suspends, or
 * others. */
static bool has_more_to_do(struct qti_worker *w, bool suspends)
{
	return !w || !suspends || qti_taskq_count(&w->inbox) != 0 || qti_rt.sched->length(w->shepherd) != 0;
}

void qti_poller_await(bool suspends)
{
	struct qti_worker *w = qti_self();

	add_rlx(&qti_rt.idle.awaited, 1);
	fence_light();                                                                  /* PW1 */
	if (qti_likely(load_rlx(&qti_rt.idle.parked) == 0))
		return;
	fence_sc();                                                                     /* PW3 */
	if (!load_rlx(&turns.watched) && has_more_to_do(w, suspends))
		qti_notify_slow(w ? w->shepherd : &qti_rt.shepherds[0]);
}

void qti_poller_met(void)
{
	sub_rlx(&qti_rt.idle.awaited, 1);
}
