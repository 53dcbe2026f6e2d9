/* omp/team/region.c -- parallel regions: beginning them, the members' life, and their end.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/region.h"

#include "machine/guard.h"
#include "omp/env/icv.h"
#include "omp/team/barrier.h"
#include "omp/team/bind.h"
#include "omp/team/bubble.h"
#include "omp/team/crew.h"
#include "omp/team/locals.h"
#include "omp/team/member.h"
#include "omp/team/root.h"
#include "omp/team/standing.h"
#include "omp/team/start.h"
#include "omp/team/teams.h"
#include "omp/team/told.h"
#include "omp/team/tree.h"
#include "omp/team/wait_loop.h"

/* --- members --------------------------------------------------------------------------------------------- */

/* Tasks that had to wait for m's beginning (T9) may run. */
static __attribute__((noinline)) void release_held(struct qomp_member *m)
{
	struct qti_task *t;

	while ((t = m->held) != NULL) {
		m->held = t->next;
		qti_guest_push(qti_self(), t);
	}
}

/* The region begins for m. */
static void region_enter(struct qomp_member *m, uint32_t place, uint64_t region)
{
	struct qomp_frame *f = &m->frame;
	struct qomp_team *team = m->team;

	qti_guard_look();
	f->parent = team->parent;
	f->icv = team->inner;
	f->group = NULL;
	f->extra = NULL;
	f->created = f->finished = 0;
	store_rlx(&f->place, place);
	fence_compiler();               /* last: the handler of a signal may ask (QOMP_RESTING) */
	f->flags = QOMP_IMPLICIT | (qti_guest_traces() ? QOMP_TRACED : 0);
	store_rlx(&f->remote, 0);
	f->skip = 0;
	m->fine = 0;
	qomp_share_enter(&team->shares, &m->share);
	store_rlx(&m->region, region);                                                          /* T9 */
	if (qti_unlikely(m->held != NULL))
		release_held(m);
}

/* Between regions.  The last one's tasks may still be under way. */
static void await_dispatch(struct qomp_member *m)
{
	struct qomp_wait_loop v = qomp_wait_loop_begin(&m->frame);
	uint32_t go;

	qti_guest_trace(QTI_TRACE_IDLE, 0, 0);
	while ((go = load_acq(&m->go)) == m->seen) {
		if (!qomp_wait_loop_help(&v) && qomp_wait_loop_over(&v)) {
			qomp_wait_loop_break(&v);
			qomp_member_sleep(m);
		}
	}
	qomp_wait_loop_end(&v);
	qti_guest_trace(QTI_TRACE_IDLE + QTI_TRACE_END, 0, 0);
	m->seen = go;
}

/* From here on an inquiry in the handler of a signal reads m's team as the next region's master writes it: any of its
 * numbers is an answer, but the parent and the control variables may be gone. */
static void member_rest(struct qomp_member *m)
{
	m->frame.flags |= QOMP_RESTING;
	fence_compiler();
}

/* The team may be another region's once the last has arrived. */
static void arrive_at_end(struct qomp_member *m)
{
	member_rest(m);
	struct qomp_team *team = m->team;
	unsigned n = team->n;

	if (add_sc(&team->ended, 1) + 2 == n && load_sc(&team->asleep) != 0) {                  /* T4 */
		qomp_team_rouse(team);
		qti_spin_woke(&m->spin);
	}
}

/* What the tool is told of a member: it begins; is through with its part; goes on from the region's end, perhaps much
 * later, for until then it runs what others have left. */

static __attribute__((noinline)) void member_tell_begin(struct qomp_member *m, void *exit_frame)
{
	m->frame.flags |= QOMP_TRACED;
	m->told = qomp_tell_implicit_begin(m->team->told, m->team->n, m->frame.num, exit_frame);
	qomp_told_place(m->told, &m->spot);
}

static void member_tell_end(struct qomp_member *m)
{
	qomp_tell_member_end(m->told);
	m->told = NULL;
}

static void region_trace(unsigned number, void (*fn)(void *), const void *data)
{
	if (qti_guest_traces())
		qti_guest_trace(QTI_TRACE_REGION, number, (uintptr_t)qomp_region_function(fn, data));
}

static void member_live(struct qomp_member *m)
{
	for (await_dispatch(m); m->fn; await_dispatch(m)) {
		if (qti_unlikely(m->told != NULL))
			member_tell_end(m);
		region_enter(m, m->home, m->called);
		qomp_bind_member(m);
		if (qti_unlikely(m->team->rare) && m->team->told)
			member_tell_begin(m, __builtin_dwarf_cfa());
		region_trace(m->frame.num, m->fn, m->data);
		qti_probe_region(m->frame.num, (const void *)m->fn);
		m->fn(m->data);
		qti_guest_trace(QTI_TRACE_REGION + QTI_TRACE_END, 0, 0);
		qomp_frame_drop(&m->frame);     /* its children may be under way */
		if (qti_unlikely(m->told != NULL))
			qomp_tell_last_barrier(m->told, true);
		arrive_at_end(m);
	}
	if (qti_unlikely(m->told != NULL))
		member_tell_end(m);
}

static aligned_t task_main(void *arg)
{
	struct qomp_frame *f = arg;
	struct qomp_member *m = f->team->member[f->num];

	member_rest(m);
	qomp_frame_set(f);
	member_live(m);
	qomp_frame_set(NULL);           /* the team may go before this worker turns to another task */
	return 0;
}

/* A member that lives for the region alone. */
static aligned_t bubble_main(void *arg)
{
	struct qomp_frame *f = arg;
	struct qomp_member *m = f->team->member[f->num], *master = f->team->member[0];

	m->home = qti_worker_number(qti_self());
	qti_guest_task_bind(&m->base, m->home);
	qomp_frame_set(f);
	region_enter(m, m->home, master->called);
	qomp_bind_member(m);
	if (qti_unlikely(m->team->rare) && m->team->told)
		member_tell_begin(m, __builtin_dwarf_cfa());
	region_trace(f->num, master->fn, master->data);
	qti_probe_region(f->num, (const void *)master->fn);
	master->fn(master->data);
	qti_guest_trace(QTI_TRACE_REGION + QTI_TRACE_END, 0, 0);
	qomp_frame_drop(f);
	if (qti_unlikely(m->told != NULL)) {
		qomp_tell_last_barrier(m->told, true);
		member_tell_end(m);
	}
	qomp_frame_set(NULL);           /* likewise */
	return 0;
}

static void *thread_main(void *arg)
{
	struct qomp_member *m = arg;

	if (qomp_tool_here())
		qomp_tell_worker();
	member_rest(m);
	qomp_outside_begin(&m->frame);
	member_live(m);
	qomp_outside_end();
	qomp_member_gone(m);
	return NULL;
}

static const struct qomp_life life = { .as_task = task_main, .as_thread = thread_main };

/* --- size ------------------------------------------------------------------------------------------------ */

/* Before thread-limit-var, which counts all threads of a root's regions. */
static unsigned size_wanted(const struct qomp_frame *f, unsigned asked)
{
	unsigned n = asked ? asked : f->icv->nthreads;

	if (n <= 1 || f->team->active_level >= f->icv->max_active_levels)
		return 1;
	if (f->icv->dynamic && n > qomp_settings.procs)
		n = qomp_settings.procs;
	return n < QOMP_NOBODY ? n : QOMP_NOBODY - 1;
}

static bool is_limited(const struct qomp_frame *f)
{
	return qti_unlikely(f->icv->thread_limit != UINT32_MAX);
}

/* Of n threads those that there may be when `busy` are, besides the root's own. */
static unsigned within_limit(const struct qomp_frame *f, unsigned n, uint32_t busy)
{
	uint32_t limit = f->icv->thread_limit;

	if (limit <= busy + 1)
		return 1;
	return n <= limit - busy ? n : limit - busy;
}

unsigned qomp_region_size(const struct qomp_frame *f, unsigned asked)
{
	unsigned n = size_wanted(f, asked);

	return is_limited(f) ? within_limit(f, n, load_rlx(&f->team->root->busy)) : n;
}

/* The same, and they count: members of one team may meet inner regions at the same time. */
static unsigned reserve_threads(const struct qomp_frame *f, unsigned asked)
{
	uint32_t *busy = &f->team->root->busy, seen = load_rlx(busy);
	unsigned wanted = size_wanted(f, asked), n = wanted;

	if (!is_limited(f))
		return wanted;
	do {
		n = within_limit(f, wanted, seen);
	} while (n > 1 && !cas_acq_rel(busy, &seen, seen + n - 1));
	return n;
}

static void give_back(const struct qomp_frame *f, unsigned threads)
{
	if (is_limited(f) && threads)
		sub_acq_rel(&f->team->root->busy, threads);
}

/* --- regions --------------------------------------------------------------------------------------------- */

/* The team that was idle at f's member, or another. */
static struct qomp_team *take_team(struct qomp_frame *f)
{
	struct qomp_member *m = qomp_member(f);
	struct qomp_team *team = m->idle;
	bool inner = f->team->active_level > 0, bubble = inner && qomp_bubble_suits(f);

	m->idle = NULL;
	if (qti_unlikely(team && (team->shares_workers != inner || team->is_bubble != bubble))) {
		qomp_team_dismiss(team);        /* its members are where those of such a team may not be */
		team = NULL;
	}
	if (qti_unlikely(!team)) {
		team = qomp_team_new(f->team->root);
		team->shares_workers = inner;
		team->is_bubble = bubble;
	}
	return team;
}

static inline __attribute__((always_inline)) void put_team(struct qomp_frame *f, struct qomp_team *team)
{
	struct qomp_member *m = qomp_member(f);

	if (m->idle || qti_unlikely(m->team->is_bubble && !team->is_bubble))
		qomp_team_dismiss(team);        /* two regions met by tasks of one thread overlapped;
						 * or m's next worker is another */
	else
		m->idle = team;
}

/* What seldom changes from one region to the next stays unwritten, and so in every member's cache. */
static void region_describe(struct qomp_team *team, struct qomp_frame *f, unsigned n, unsigned bind)
{
	if (team->n != n)
		qomp_team_resize(team, f, n, &life);
	team->parent = f;
	store_rlx(&team->level, f->team->level + 1);    /* members that rest may be asked (QOMP_RESTING) */
	store_rlx(&team->active_level, f->team->active_level + (n > 1));
	team->outer = f->icv;
	team->inner = qomp_icv_inside(f->icv, team->level, bind);
	team->bind = bind;
	team->has_crew = qomp_crew_in(f, n);
	team->rare = team->has_crew || qomp_tool_here();
}

static inline void team_set_up(struct qomp_team *team, struct qomp_frame *f, unsigned n, unsigned bind)
{
	unsigned active_level = f->team->active_level + (n > 1);

	if (qti_unlikely(team->n != n || team->parent != f || team->outer != f->icv || team->bind != bind ||
	                 team->active_level != active_level))
		region_describe(team, f, n, bind);
	if (qti_unlikely(load_rlx(&team->cancelled) != 0)) {
		store_rlx(&team->cancelled, 0);
		/* Another number, too: a task's end may still hold the gate as it was, to open it. */
		store_rlx(&team->gate, ((load_rlx(&team->gate) >> 32) + 1) << 32);
		qomp_tree_reset(team);
	}
	if (qti_unlikely(team->fine_grained))
		store_rlx(&team->fine_grained, false);
	store_rlx(&team->ended, 0);
	qomp_shares_reset(&team->shares, &team->member[0]->share);
}

static inline void dispatch_all(struct qomp_team *team, void (*fn)(void *), void *data, uint64_t region)
{
	struct qomp_member *master = team->member[0];

	if (team->is_bubble) {
		master->fn = fn;
		master->data = data;
		master->called = region;
		if (team->n > 1)
			qomp_bubble_fork(team, bubble_main);
		return;
	}
	for (unsigned i = 1; i < team->n; i++)
		if (qomp_member_dispatch(team->member[i], fn, data, region))
			qti_spin_woke(&master->spin);
}

static __attribute__((noinline)) void region_tell(
	struct qomp_team *team, struct qomp_frame *f, unsigned asked, bool by_program)
{
	team->told = qomp_tell_parallel_begin(qomp_told_of(f), asked, by_program);
	if (team->told)
		team->told->size = team->n;
}

static __attribute__((noinline)) void region_tell_end(struct qomp_team *team)
{
	struct qomp_member *master = team->member[0];

	qomp_tell_sync_end(master->told, ompt_sync_region_barrier_implicit_parallel);
	qomp_tell_implicit_end(master->told);
	qomp_tell_parallel_end(team->told);
	master->told = NULL;
	team->told = NULL;
}

/* rare: as the team's. */
static inline __attribute__((always_inline)) void region_start(struct qomp_team *team, struct qomp_frame *f,
	void (*fn)(void *), void *data, unsigned bind, const struct qomp_prepare *prepare, unsigned asked,
	void *called_from, bool rare)
{
	uint64_t region = team->member[0]->region + 1;  /* in the master's cache */

	if (rare && team->has_crew)
		qomp_crew_begin();
	store_rlx(&team->region, region);                                                       /* T9 */
	qomp_bind_team(team, bind);
	if (prepare)
		prepare->call(team, prepare->arg);
	if (rare && qomp_tool_here())
		region_tell(team, f, asked, !fn);
	dispatch_all(team, fn, data, region);
	region_enter(team->member[0], f->place, region);
	qomp_frame_set(&team->member[0]->frame);
	qomp_bind_member(team->member[0]);
	if (rare && team->told)
		member_tell_begin(team->member[0], called_from);
	qti_probe_region(0, (const void *)fn);
	if (qti_unlikely(team->member[0]->frame.flags & QOMP_TRACED))
		region_trace(0, fn, data);
}

static __attribute__((noinline)) void start_rare(struct qomp_team *team, struct qomp_frame *f,
	void (*fn)(void *), void *data, unsigned bind, const struct qomp_prepare *prepare, unsigned asked,
	void *called_from)
{
	region_start(team, f, fn, data, bind, prepare, asked ? asked : team->n, called_from, true);
}

void qomp_region_begin(struct qomp_frame *f, void (*fn)(void *), void *data, unsigned asked, unsigned bind,
                       const struct qomp_prepare *prepare)
{
	unsigned n = reserve_threads(f, asked);

	if (n > 1 && qti_unlikely(!qomp_started()))
		qomp_start(n);
	struct qomp_team *team = take_team(f);
	team_set_up(team, f, n, bind);
	give_back(f, n - team->n);      /* no more could be had */
	if (qti_unlikely(team->rare))
		start_rare(team, f, fn, data, bind, prepare, asked, __builtin_dwarf_cfa());
	else
		region_start(team, f, fn, data, bind, prepare, asked, NULL, false);
}

static inline __attribute__((always_inline)) void region_finish(
	struct qomp_frame *own, struct qomp_team *team, bool rare)
{
	struct qomp_frame *f = team->parent;

	qomp_frame_drop(own);
	if (rare && team->told)
		qomp_tell_last_barrier(team->member[0]->told, false);
	if (qti_unlikely(team->is_bubble) && team->n > 1)
		qomp_bubble_collect(team);
	qomp_region_join(own);
	if (qti_unlikely(own->flags & QOMP_TRACED))
		qti_guest_trace(QTI_TRACE_REGION + QTI_TRACE_END, 0, 0);
	if (rare && team->told)
		region_tell_end(team);
	if (!team->shares_workers)
		qomp_bubble_over(team);
	if (qti_unlikely(team->kept != NULL))
		qomp_kept_free(team);
	give_back(f, team->n - 1);
	if (rare && team->has_crew)
		qomp_crew_end();
	qomp_frame_set(f);
	put_team(f, team);
}

static __attribute__((noinline)) void finish_rare(struct qomp_frame *own, struct qomp_team *team)
{
	region_finish(own, team, true);
}

void qomp_region_end(void)
{
	struct qomp_frame *own = qomp_frame();
	struct qomp_team *team = own->team;

	if (qti_unlikely(team->rare))
		finish_rare(own, team);
	else
		region_finish(own, team, false);
}
