/* omp/team/standing.c -- see omp/team/standing.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/standing.h"

#include "base/forked.h"
#include "base/mem.h"
#include "omp/env/env.h"
#include "omp/env/text.h"
#include "omp/team/locals.h"
#include "omp/team/lost.h"
#include "omp/team/patience.h"
#include "omp/team/record.h"
#include "omp/team/teams.h"
#include "omp/team/told.h"
#include "qthread/tls.h"

#include <string.h>

/* --- nobody ---------------------------------------------------------------------------------------------- */

struct qomp_root qomp_root_of_nobody = {
	.team = {
		.member = &qomp_root_of_nobody.only,
		.root = &qomp_root_of_nobody,
		.n = 1,
		.room = 1,
	},
	.member = {
		.team = &qomp_root_of_nobody.team,
		.frame = { .team = &qomp_root_of_nobody.team, .place = QOMP_OUTSIDE, .flags = QOMP_IMPLICIT },
	},
	.only = &qomp_root_of_nobody.member,
	.teams = 1,
};

/* --- the end of a thread --------------------------------------------------------------------------------- */

static pthread_key_t exit_key;
static void thread_exits(void *frame);

static void make_key(void)
{
	if (pthread_key_create(&exit_key, thread_exits) != 0)
		qomp_fatal("no thread-specific key is left");
}

/* The calling thread has f at first, a root's, which then goes when it exits, or a member's; NULL: nothing any more. */
static void set_at_exit(struct qomp_frame *f)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_key);
	if (pthread_setspecific(exit_key, f) != 0)
		qomp_fatal("out of memory for a thread's first OpenMP call");
}

/* --- threads that are no workers ------------------------------------------------------------------------- */

/* The upper part of its stack, from where it first stood: above that lie its thread-local variables, and these may
 * be large. Who stands on another stack is never in there. */
static __thread struct {
	const char *floor, *top;
	const char *last;               /* beneath it so little is left that no more task runs at once */
} shallows __attribute__((tls_model("initial-exec")));

static void find_shallows(void)
{
	struct qti_stack s;

	qti_stack_of_thread(&s);
	if (qti_stack_left(&s) == 0)
		return;         /* it stands on a stack of the program's */
	shallows.top = s.base;
	shallows.last = s.limit + (size_t)(s.base - s.limit) / TUNE_STACK_SHARE;
	shallows.floor = (const char *)__builtin_frame_address(0) - qti_stack_shallows(qti_stack_left(&s));
}

bool qomp_outside_is_shallow(void)
{
	const char *here = __builtin_frame_address(0);

	return here > shallows.floor && here <= shallows.top;
}

bool qomp_outside_lasts(void)
{
	const char *here = __builtin_frame_address(0);

	return here > shallows.last && here <= shallows.top;
}

size_t qomp_stack_part(uintptr_t *last)
{
	const struct qti_worker *w = qti_self();

	if (!qomp_stack_lasts())
		return *last = 0;
	*last = w ? (uintptr_t)w->stack->limit + qti_worker_stack_size(w) / TUNE_STACK_SHARE : (uintptr_t)shallows.last;
	return (w ? (uintptr_t)w->stack->base : (uintptr_t)shallows.top) - *last;
}

void qomp_outside_begin(struct qomp_frame *f)
{
	find_shallows();
	qti_call_in_anyhow();   /* its creator's CPU is not its own, nor its team's */
	qti_call_out();
	qomp_records_begin(f);
	set_at_exit(f);
	qti_guest_word_set(f);
}

void qomp_outside_end(void)
{
	set_at_exit(NULL);
	qti_guest_word_set(NULL);
	qomp_records_end();
}

static struct qomp_root *root_new(uint32_t place)
{
	struct qomp_root *r = qti_mem_aligned(QTI_CACHE_LINE, sizeof(*r));

	if (!r)
		qomp_fatal("out of memory for a thread's first OpenMP call");
	qomp_settings_read();
	qomp_patience_set();    /* before, it knew nothing of them */
	/* Teams of threads of their own come before any workers.  As many as there are CPUs, unless it is said. */
	qti_fence_setup_for(qomp_settings.most_threads ? qomp_settings.most_threads : UINT32_MAX);
	if (place < QOMP_OUTSIDE)
		qomp_locals_settle();
	qomp_records_setup();
	memset(r, 0, sizeof(*r));
	r->only = &r->member;
	r->inside = place < QOMP_OUTSIDE;
	r->team.member = &r->only;
	r->team.n = r->team.room = 1;
	r->team.alone = true;
	r->team.root = r;
	r->teams = 1;
	r->member.team = &r->team;
	r->member.frame.team = &r->team;
	r->member.frame.icv = qomp_icv_initial;
	store_rlx(&r->member.frame.place, place);
	r->member.frame.flags = QOMP_IMPLICIT;
	qomp_shares_reset(&r->team.shares, &r->member.share);
	qomp_share_enter(&r->team.shares, &r->member.share);
	return r;
}

/* The calling thread stands in it. */
static void root_tell(struct qomp_root *r, struct qomp_told_region *league)
{
	if (!qomp_tool_here())
		return;
	r->member.frame.flags |= QOMP_TRACED;
	r->member.told = qomp_tell_initial_begin(league, r->number);
	qomp_told_place(r->member.told, &r->member.spot);
}

static void root_free(struct qomp_root *r)
{
	if (r->member.told)
		qomp_tell_initial_end(r->member.told);
	if (r->member.idle)
		qomp_team_dismiss(r->member.idle);
	qomp_root_see_off(r);
	qomp_root_keeps_no_teams(r);
	qomp_frame_drop(&r->member.frame);
	qomp_shares_fini(&r->team.shares);
	qti_mem_free(r);
}

/* --- threads of the program ------------------------------------------------------------------------------ */

/* A thread may make OpenMP calls from later destructors: then it begins anew.  The main one may leave a runtime
 * behind. */
static void thread_exits(void *arg)
{
	struct qomp_frame *f = arg;
	struct qomp_root *r = f->team->root;

	if (qti_guest_word() != f || f != &r->member.frame)
		qomp_lost_thread(f);
	qomp_outside_end();
	root_free(r);
}

static void adopt_thread(void)
{
	struct qomp_root *r = root_new(qomp_outside_place());

	qomp_outside_begin(&r->member.frame);
	qomp_records_begin(r);
	root_tell(r, NULL);
}

/* --- native qthreads ------------------------------------------------------------------------------------- */

static qthread_key_t end_key;
static struct qti_lock adopting;        /* of the next */
static struct qomp_root *adopted;

static void root_enlist(struct qomp_root *r)
{
	qti_lock_take(&adopting);
	r->prev = NULL;
	r->next = adopted;
	if (adopted)
		adopted->prev = r;
	adopted = r;
	qti_lock_drop(&adopting);
}

static void root_delist(struct qomp_root *r)
{
	qti_lock_take(&adopting);
	*(r->prev ? &r->prev->next : &adopted) = r->next;
	if (r->next)
		r->next->prev = r->prev;
	qti_lock_drop(&adopting);
}

void qomp_roots_free(void)
{
	struct qomp_root *next;

	for (struct qomp_root *r = adopted; r; r = next) {
		next = r->next;
		r->member.idle = NULL;  /* gone with all teams */
		root_free(r);
	}
	adopted = NULL;
}

static void task_ends(void *arg)
{
	struct qomp_root *r = arg;

	root_delist(r);
	qti_guest_word_set(NULL);
	root_free(r);
}

static void make_end_key(void)
{
	if (qthread_key_create(&end_key, task_ends) != QTHREAD_SUCCESS)
		qomp_fatal("no key for task-specific data is left");
}

/* It stays on its worker: its regions' members and its thread's data are found from where it stands. */
static void adopt_task(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct qti_worker *w = qti_self();
	struct qomp_root *r = root_new(qti_worker_number(w));

	pthread_once(&once, make_end_key);
	if (qthread_setspecific(end_key, r) != QTHREAD_SUCCESS)
		qomp_fatal("out of memory for a task's first OpenMP call");
	root_enlist(r);
	qti_guest_word_set(&r->member.frame);
	qti_guest_task_bind(qti_guest_running(w), qti_worker_number(w));
	root_tell(r, NULL);
}

/* Frames point into a root; checkers of memory look for its beginning.  Set by a release store -> acquire load: whoever
 * lists waiters at that moment, for a signal has asked for it, finds the root as root_new left it. */
static struct qomp_root *of_main;

static void adopt_main(void)
{
	struct qomp_root *r = root_new(0);

	store_rel(&of_main, r);
	qti_guest_word_set(&r->member.frame);
	root_tell(r, NULL);
}

struct qomp_frame *qomp_frame_of_main(void)
{
	return &load_acq(&of_main)->member.frame;
}

void qomp_roots_each(void (*visit)(const struct qomp_frame *f, void *arg), void *arg)
{
	const struct qomp_root *main_root = load_acq(&of_main);

	if (main_root)
		visit(&main_root->member.frame, arg);
	qti_lock_take(&adopting);
	for (const struct qomp_root *r = adopted; r; r = r->next)
		visit(&r->member.frame, arg);
	qti_lock_drop(&adopting);
}

/* --- either ---------------------------------------------------------------------------------------------- */

struct qomp_frame *qomp_frame_first(void)
{
	switch (qti_guest_standing()) {
	case QTI_STANDS_OUTSIDE:
		adopt_thread();
		break;
	case QTI_STANDS_IN_MAIN:
		adopt_main();
		break;
	case QTI_STANDS_IN_TASK:
		adopt_task();
		break;
	case QTI_STANDS_IN_CALL:
		qomp_fatal("an OpenMP construct in a task that is in a blocking call");
	}
	return qti_guest_word();
}

/* --- light frames ---------------------------------------------------------------------------------------- */

/* Nobody but those on top of f knows where it is. */
struct qomp_frame *qomp_frame_settle(struct qomp_frame *f)
{
	struct qomp_frame *top, **to_it = &top;

	for (; f->flags & QOMP_LIGHT; f = f->parent) {
		struct qomp_frame *stays = &qomp_record_take(qti_self(), f->parent, NULL, NULL)->frame;
		stays->flags = f->flags & (uint16_t)~QOMP_LIGHT;
		stays->num = f->num;
		*to_it = stays;
		to_it = &stays->parent;
	}
	*to_it = f;
	qomp_frame_set(top);
	return top;
}

/* --- within another -------------------------------------------------------------------------------------- */

struct qomp_root *qomp_root_enter(struct qomp_frame *f, const struct qomp_icv *icv, const struct qomp_league *league)
{
	struct qomp_root *r = root_new(f->place);

	r->member.spot = qomp_member(f)->spot;
	r->member.frame.parent = f;
	r->member.frame.icv = icv;
	if (league) {
		r->number = league->number;
		r->teams = league->teams;
	}
	qomp_frame_set(&r->member.frame);
	root_tell(r, league ? league->told : NULL);
	return r;
}

void qomp_root_leave(struct qomp_root *r)
{
	struct qomp_frame *f = &r->member.frame;

	qomp_frame_set(f->parent);
	qomp_frame_drop(f);
	root_free(r);
}

/* Where f comes from, which is there for as long.  Who created a deferred task may have ended, and its creator's
 * record be another task's.  But thread 0's implicit task is there; another thread's may not have begun yet, so then
 * it is who met the region. */
static struct qomp_frame *frame_origin(const struct qomp_frame *f)
{
	if (f->flags & (QOMP_IMPLICIT | QOMP_UNDEFERRED))
		return f->parent;
	return f->num == 0 ? &qomp_member(f)->frame : f->team->parent;
}

static void take_roots(void)
{
	qti_lock_take(&adopting);
}

static void drop_roots(void)
{
	qti_lock_drop(&adopting);
}

QTI_FORKED(QTI_FORKED_LOCKS, take_roots, drop_roots, NULL)

void qomp_roots_forget(void)
{
	enum qti_standing at = qti_guest_standing();

	for (struct qomp_frame *f = qti_guest_word(); f; f = frame_origin(f)) {
		f->team->root->has_teams = false;
		store_rlx(&f->team->root->visitors, 0);
	}
	qomp_outside_teams = 0;
	adopted = NULL;
	if (at == QTI_STANDS_IN_MAIN)
		qomp_root_move_out();
	else if (at != QTI_STANDS_OUTSIDE)
		qti_guest_word_set(NULL);       /* that task is none any more */
}

/* --- the main thread ------------------------------------------------------------------------------------- */

/* All frames that stand on the calling thread. */
static void put_at(struct qomp_frame *f, uint32_t place)
{
	for (; f; f = frame_origin(f)) {
		f->team->root->inside = place < QOMP_OUTSIDE;
		store_rlx(&f->place, place);
		qomp_root_keeps_no_teams(f->team->root);
	}
}

void qomp_root_move_in(void)
{
	struct qomp_frame *f = qti_guest_word(), *outermost = f, *outer;

	qomp_records_begin(NULL);
	set_at_exit(NULL);
	put_at(f, 0);
	/* The root of a target region or a league goes with that. */
	while ((outer = frame_origin(outermost)) != NULL)
		outermost = outer;
	store_rel(&of_main, outermost->team->root);
}

void qomp_root_move_out(void)
{
	struct qomp_frame *f = qti_guest_word();

	if (!f)
		return;
	put_at(f, qomp_outside_place());
	qomp_records_begin(f->team->root);
	/* In a child of fork(2) a region around it has nobody else who would wait, and a target region's root goes
	 * before. */
	if (f == &f->team->root->member.frame && !frame_origin(f))
		set_at_exit(f);
}
