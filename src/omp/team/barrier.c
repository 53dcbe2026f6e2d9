/* omp/team/barrier.c -- waiting for a team: at a barrier and at a region's end.  omp/team/team.h has the protocols.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Terms.  A member arrives when it counts itself in the gate.  A barrier is complete when all members have arrived
 * and the team is quiet: no explicit task is unfinished.  It is passed when its opener, the first thread to find it
 * complete, has given the gate the next number.  The watch is a mark that asks enders of tasks to look whether the
 * barrier is complete.
 *
 * Promise: every member goes on after the barrier is complete, and none before, unless the region is cancelled; while
 * it waits it runs tasks of the team, and it sleeps only after a wait loop (omp/team/wait_loop.h) has found nothing.
 *
 * Proof: T2 to T6 of omp/team/team.h.
 */
#include "omp/team/barrier.h"

#include "omp/team/told.h"
#include "omp/team/tree.h"
#include "omp/team/tree_wait.h"
#include "omp/team/wait_loop.h"
#include "sync/waiter.h"

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

/* --- sleeping -------------------------------------------------------------------------------------------- */

/* None of the others. */
static uint32_t watch_for(uint32_t number)
{
	return number % (QOMP_WATCH_TREE - 1) + 1;
}

void qomp_team_block(
	struct qomp_team *team, bool (*ready)(const struct qomp_team *, uint32_t key), uint32_t key, bool end)
{
	struct qti_waiter r;

	if (!qti_waiter_begin(&r, QTI_WAIT_TEAM, team))
		return;
	if (add_sc(&team->asleep, 1) + 1 >= team->n || end) {                                   /* T4 */
		store_rel(&team->watch, end ? QOMP_WATCH_END : watch_for(key));                 /* T3, T5 */
		if (load_rlx(&team->tasks))
			qti_fence_heavy();                                                      /* T3 */
	}
	qti_word_lock(&team->lock);
	if (ready(team, key)) {
		store_rel(&team->lock, 0);
	} else {
		qti_waiters_add(&team->sleepers, &r);
		qti_waiter_sleep(&r, &team->lock, 0);
	}
	sub_rlx(&team->asleep, 1);      /* for as long as it is too high, others rouse no member */
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

static uint32_t gate_arrived(uint64_t gate)
{
	return (uint32_t)gate;
}

/* All are here and quiet; *gate is what says so. */
static bool barrier_complete(const struct qomp_team *team, uint64_t *gate)
{
	*gate = load_sc(&team->gate);                                                           /* T4 */
	return gate_arrived(*gate) == load_acq(&team->n) && qomp_team_quiet(team);  /* T6 */
}

static uint32_t gate_number(uint64_t gate)
{
	return (uint32_t)(gate >> 32);
}

static bool open_up(struct qomp_team *team, uint64_t gate, struct qomp_member *m)
{
	uint64_t next = (uint64_t)(gate_number(gate) + 1) << 32;

	if (!cas_sc(&team->gate, &gate, next))                                                  /* T4, T5 */
		return false;
	if (load_sc(&team->asleep) != 0) {                                                      /* T4 */
		qomp_team_rouse(team);
		if (m)
			qti_spin_woke(&m->spin);
	}
	return true;
}

static bool open_if_complete(struct qomp_team *team, struct qomp_member *m)
{
	uint64_t gate;

	return barrier_complete(team, &gate) && open_up(team, gate, m);
}

static bool barrier_passed(const struct qomp_team *team, uint32_t key)
{
	uint64_t gate;
	bool yes = barrier_complete(team, &gate);

	return yes || gate_number(gate) != key || load_rlx(&team->list.count) != 0;
}

static bool barrier_passed_or_cancelled(const struct qomp_team *team, uint32_t key)
{
	return load_acq(&team->cancelled) & QOMP_CANCEL_PARALLEL || barrier_passed(team, key);
}

/* False if the region was cancelled. */
static bool wait_at_barrier(struct qomp_frame *f, bool cancellable)
{
	struct qomp_team *team = f->team;
	struct qomp_wait_loop v = qomp_wait_loop_begin(f);
	struct qomp_member *m = qomp_member(f);
	uint64_t gate = add_acq_rel(&team->gate, 1) + 1;                                        /* T5 */
	uint32_t key = gate_number(gate);

	if (gate_arrived(gate) == team->n && qomp_team_quiet(team) && open_up(team, gate, m))
		return true;
	while (gate_number(load_acq(&team->gate)) == key) {
		if (load_rlx(&team->tasks) && open_if_complete(team, m))
			break;
		if (cancellable && load_acq(&team->cancelled) & QOMP_CANCEL_PARALLEL) {
			qomp_wait_loop_end(&v);
			return false;
		}
		if (!qomp_wait_loop_help(&v) && qomp_wait_loop_over(&v)) {
			qomp_wait_loop_break(&v);
			qomp_team_block(team, cancellable ? barrier_passed_or_cancelled : barrier_passed, key, false);
			/* The one that came last may have lost its CPU before it opened. */
			if (open_if_complete(team, m))
				break;
		}
	}
	qomp_wait_loop_end(&v);
	return true;
}

/* Who is alone and has no tasks waits for nothing. */
static inline bool barrier_is_empty(const struct qomp_team *team)
{
	return team->n == 1 && !load_rlx(&team->tasks);
}

/* A function of its own, as await_members below. */
static __attribute__((noinline)) bool wait_for_team(struct qomp_frame *f, bool cancellable)
{
	struct qomp_team *team = f->team;

	qti_guest_trace(QTI_TRACE_BARRIER, 0, 0);
	bool passed = qti_unlikely(load_rlx(&team->is_tree))
		? qomp_tree_wait(f, cancellable) : wait_at_barrier(f, cancellable);
	qti_guest_trace_waited(QTI_TRACE_BARRIER);
	return passed;
}

/* GCC calls the same for the end of a single construct and for a barrier of the program's. */
static ompt_sync_region_t barrier_told_kind(struct qomp_told *t)
{
	ompt_sync_region_t kind = t ? t->barrier : 0;

	if (kind == 0)
		kind = qomp_told_in_single(t)
			? ompt_sync_region_barrier_implicit_workshare : ompt_sync_region_barrier_explicit;
	if (t)
		t->barrier = 0;
	return kind;
}

static __attribute__((noinline)) bool barrier_wait_told(struct qomp_frame *f, bool cancellable)
{
	struct qomp_told *t = qomp_told_of(f);
	ompt_sync_region_t kind = barrier_told_kind(t);

	qomp_tell_sync_begin(t, kind);
	bool passed = barrier_is_empty(f->team) || wait_for_team(f, cancellable);
	qomp_tell_sync_end(t, kind);
	return passed;
}

void qomp_barrier_untold(struct qomp_frame *f)
{
	if (!barrier_is_empty(f->team))
		wait_for_team(f, false);
}

void qomp_barrier(struct qomp_frame *f)
{
	if (qomp_is_told(f))
		barrier_wait_told(f, false);
	else
		qomp_barrier_untold(f);
}

bool qomp_barrier_cancel(struct qomp_frame *f)
{
	struct qomp_team *team = f->team;

	if (load_acq(&team->cancelled) & QOMP_CANCEL_PARALLEL)
		return true;
	if (qomp_is_told(f))
		return !barrier_wait_told(f, true);
	return !barrier_is_empty(team) && !wait_for_team(f, true);
}

uint32_t qomp_barrier_number(const struct qomp_frame *f)
{
	return load_rlx(&f->team->is_tree) ? qomp_member(f)->tree.gathered : gate_number(load_rlx(&f->team->gate));
}

/* --- the region's end ------------------------------------------------------------------------------------ */

static bool region_ended(const struct qomp_team *team)
{
	return load_sc(&team->ended) + 1 == team->n && qomp_team_quiet(team);                   /* T4 */
}

static bool region_joined(const struct qomp_team *team, uint32_t unused)
{
	(void)unused;
	return load_rlx(&team->list.count) != 0 || region_ended(team);
}

/* A function of its own: who finds all at the end already, as in a region of one thread, needs none of it. */
static __attribute__((noinline)) void await_members(struct qomp_frame *f)
{
	struct qomp_team *team = f->team;
	struct qomp_wait_loop v = qomp_wait_loop_begin(f);

	qti_guest_trace(QTI_TRACE_BARRIER, 0, 0);
	do {
		if (!qomp_wait_loop_help(&v) && qomp_wait_loop_over(&v)) {
			qomp_wait_loop_break(&v);
			qomp_team_block(team, region_joined, 0, true);
		}
	} while (!region_ended(team));
	qomp_wait_loop_end(&v);
	qti_guest_trace_waited(QTI_TRACE_BARRIER);
}

void qomp_region_join(struct qomp_frame *f)
{
	struct qomp_team *team = f->team;

	if (!region_ended(team))
		await_members(f);
	/* Read first: members that wait for the next region keep these in their caches. */
	if (load_rlx(&team->tasks))
		store_rlx(&team->tasks, 0);
	if (load_rlx(&team->watch))
		store_rlx(&team->watch, 0);
}

/* --- a task's end, T3 ------------------------------------------------------------------------------------ */

/* A barrier that has been passed needs no watch any more; one for the next may be set already. */
static void forget_watch(struct qomp_team *team, uint32_t watch)
{
	if (watch < QOMP_WATCH_TREE && watch != watch_for(gate_number(load_acq(&team->gate))))
		cas_acq_rel(&team->watch, &watch, 0);
}

void qomp_team_look(struct qomp_team *team, struct qomp_member *m)
{
	uint32_t watch = load_acq(&team->watch);

	if (m)
		qomp_tree_rouse(&m->tree);                                                      /* TB5 */
	fence_sc();                                                                             /* T3 */
	if (!open_if_complete(team, NULL) && load_rlx(&team->asleep) != 0 && qomp_team_quiet(team))
		qomp_team_rouse(team);
	forget_watch(team, watch);
}
