/* core/duty.c -- which workers take work: what is disabled and enabled, and where the tasks go meanwhile.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The protocol, P4 and P5, is in core/worker.h.  A worker is off duty if it is disabled or its shepherd is; worker 0
 * never is, so there is always a shepherd to stand in for others.
 */
#include "core/duty.h"

#include "base/park.h"
#include "core/notify.h"
#include "core/ready.h"

struct qti_census qti_census;

void qti_duty_init(void)
{
	for (unsigned i = 0; i < qti_rt.nshepherds; i++) {
		struct qti_shepherd *s = &qti_rt.shepherds[i];
		s->stand_in = s;
		s->on_duty = s->nworkers;
	}
	store_rlx(&qti_census.workers, qti_rt.nworkers);
	store_rlx(&qti_census.shepherds, qti_rt.nshepherds);
	store_rlx(&qti_census.workers_on_duty, qti_rt.nworkers);
	store_rlx(&qti_census.shepherds_on_duty, qti_rt.nshepherds);
	store_rlx(&qti_census.stack_size, qti_rt.shepherds[0].stacks.promised);
}

void qti_duty_over(void)
{
	store_rlx(&qti_census.workers, 0);
	store_rlx(&qti_census.shepherds, 0);
	store_rlx(&qti_census.workers_on_duty, 0);
	store_rlx(&qti_census.shepherds_on_duty, 0);
	store_rlx(&qti_census.stack_size, 0);
}

/* --- who is on duty; under idle.lock --------------------------------------------------------------------- */

static struct qti_shepherd *nearest_on_duty(struct qti_shepherd *s)
{
	for (unsigned i = 0; s->on_duty == 0; i++) {
		struct qti_shepherd *near = &qti_rt.shepherds[s->nearest[i]];
		if (near->on_duty != 0)
			return near;
	}
	return s;
}

static void choose_stand_ins(void)
{
	uint32_t on_duty = 0;

	for (unsigned i = 0; i < qti_rt.nshepherds; i++) {
		struct qti_shepherd *s = &qti_rt.shepherds[i];
		store_rlx(&s->stand_in, nearest_on_duty(s));
		on_duty += s->on_duty != 0;
	}
	store_rlx(&qti_census.shepherds_on_duty, on_duty);
}

static void duty_change(struct qti_shepherd *s)
{
	for (unsigned i = 0; i < s->nworkers; i++) {
		struct qti_worker *w = &s->workers[i];
		bool off = s->disabled || w->disabled;
		if (off == w->off)
			continue;
		store_rlx(&w->off, off);
		s->on_duty += off ? -1u : 1u;
		store_rlx(&qti_census.workers_on_duty, load_rlx(&qti_census.workers_on_duty) + (off ? -1u : 1u));
		if (qti_worker_rouse(w))
			qti_futex_wake(&w->state, 1);
	}
	choose_stand_ins();
}

/* --- handing on ------------------------------------------------------------------------------------------ */

void qti_duty_hand_on(struct qti_worker *w)
{
	struct qti_shepherd *s = w->shepherd;
	struct qti_task *t;
	bool moved = false;

	if (qti_rt.sched->leave)
		qti_rt.sched->leave(w);
	qti_forward_inbox(s);
	for (; qti_has_stand_in(s) && (t = qti_rt.sched->pop(w)) != NULL; moved = true)
		qti_taskq_push_back(&qti_rt.inbox, t);
	if (moved)
		qti_notify(load_rlx(&s->stand_in));
}

/* --- changes --------------------------------------------------------------------------------------------- */

/* A worker that runs a task notices when that one gives way; what is pinned need not wait for it. */
static void duty_settle(struct qti_shepherd *s)
{
	qti_fence_heavy();                                                      /* P4, as whoever pushed before */
	if (qti_has_stand_in(s))
		qti_forward(s);
}

void qti_duty_set_shepherd(struct qti_shepherd *s, bool disabled)
{
	qti_lock_take(&qti_rt.idle.lock);
	s->disabled = disabled;
	duty_change(s);
	qti_lock_drop(&qti_rt.idle.lock);
	duty_settle(s);
}

/* The first worker of a shepherd takes the shepherd along. */
void qti_duty_set_worker(struct qti_worker *w, bool disabled)
{
	struct qti_shepherd *s = w->shepherd;

	qti_lock_take(&qti_rt.idle.lock);
	w->disabled = disabled;
	if (w->local == 0)
		s->disabled = disabled;
	duty_change(s);
	qti_lock_drop(&qti_rt.idle.lock);
	duty_settle(s);
}
