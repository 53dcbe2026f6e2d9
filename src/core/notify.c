/* core/notify.c -- see core/notify.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/notify.h"

#include "base/park.h"

#include <sched.h>

/* Under idle.lock.  A worker woken for work counts as searching from now on, so that nobody wakes another one for the
 * same task.  True if it has to be woken by futex. */
bool qti_worker_rouse(struct qti_worker *w)
{
	uint32_t was = load_rlx(&w->state);
	bool sleeping = was == QTI_WORKER_ASLEEP || was == QTI_WORKER_AWAY;

	if (was == QTI_WORKER_AWAKE)
		return false;
	qti_rt.idle.rouses++;
	if (sleeping)
		qti_rt.idle.asleep--;
	if (was == QTI_WORKER_LEAVING || was == QTI_WORKER_AWAY) {
		store_rlx(&qti_rt.idle.away, qti_rt.idle.away - 1);
	} else {
		store_rlx(&qti_rt.idle.parked, qti_rt.idle.parked - 1);
		store_rlx(&w->shepherd->parked, w->shepherd->parked - 1);
		add_rlx(&qti_rt.idle.searching, 1);
		add_rlx(&w->shepherd->searching, 1);
	}
	store_rel(&w->state, QTI_WORKER_AWAKE);
	return sleeping;
}

/* The calling thread's. */
static __thread bool serves __attribute__((tls_model("initial-exec")));

void qti_notify_then_sleep(void)
{
	serves = true;
}

/* A thread that is no worker wakes no worker on its own CPU if there is another: the thread goes on, and the worker
 * would take its place.  But a thread that serves tasks sleeps then, and a worker on its CPU runs at once, where
 * another CPU would have to be woken, too. */
static int waker_cpu(void)
{
	return qti_self() || serves ? -1 : sched_getcpu();
}

static bool worker_suits(const struct qti_worker *w, int not_on)
{
	return w && (not_on < 0 || w->pu != not_on);
}

/* The first that suits; the first of all where none does. */
static struct qti_worker *parked_better(struct qti_worker *found, struct qti_worker *w, int not_on)
{
	return !found || worker_suits(w, not_on) ? w : found;
}

static struct qti_worker *parked_in(const struct qti_shepherd *s, int not_on)
{
	struct qti_worker *found = NULL;

	for (unsigned i = 0; i < s->nworkers && !worker_suits(found, not_on); i++)
		if (load_rlx(&s->workers[i].state) >= QTI_WORKER_PARKED)
			found = parked_better(found, &s->workers[i], not_on);
	return found;
}

static struct qti_worker *parked_near(const struct qti_shepherd *near, int not_on)
{
	struct qti_worker *found = load_rlx(&near->parked) != 0 ? parked_in(near, not_on) : NULL;

	for (unsigned i = 0; i + 1 < qti_rt.nshepherds && !worker_suits(found, not_on); i++) {
		const struct qti_shepherd *s = &qti_rt.shepherds[near->nearest[i]];
		struct qti_worker *w = load_rlx(&s->parked) != 0 ? parked_in(s, not_on) : NULL;
		found = parked_better(found, w, not_on);
	}
	return found;
}

static void count_wakeup(void)
{
	struct qti_worker *w = qti_self();
	if (w)
		qti_count(w, wakeups);
}

/* Under idle.lock, which it drops. */
static void wake_worker(struct qti_worker *w)
{
	bool sleeping = w && qti_worker_rouse(w);

	qti_lock_drop(&qti_rt.idle.lock);
	if (sleeping) {
		count_wakeup();
		qti_futex_wake(&w->state, 1);
	}
}

/* A searching worker will find the task, or see it when it leaves the search with another one (P3). */
void qti_notify_slow(struct qti_shepherd *near)
{
	if (load_rlx(&qti_rt.idle.parked) == 0)
		return;
	fence_sc();                                                                             /* P3 */
	if (load_rlx(&qti_rt.idle.searching) != 0)
		return;
	qti_lock_take_crowded(&qti_rt.idle.lock);
	wake_worker(load_rlx(&qti_rt.idle.searching) == 0 ? parked_near(near, waker_cpu()) : NULL);
}

void qti_notify_shepherd_slow(struct qti_shepherd *s)
{
	if (load_rlx(&s->parked) == 0)
		return;
	fence_sc();                                                                             /* P3 */
	if (load_rlx(&s->searching) != 0)
		return;
	qti_lock_take_crowded(&qti_rt.idle.lock);
	wake_worker(load_rlx(&s->searching) == 0 ? parked_in(s, waker_cpu()) : NULL);
}

void qti_notify_worker(struct qti_worker *w)
{
	fence_light();                                                                          /* P1 */
	if (load_rlx(&w->state) == QTI_WORKER_AWAKE)
		return;
	qti_lock_take_crowded(&qti_rt.idle.lock);
	wake_worker(w);
}
