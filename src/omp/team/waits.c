/* omp/team/waits.c -- see omp/team/waits.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Who waits for a word or for the team stands in a list, under its lock.  Who waits for children, or at a barrier along
 * a tree, is in no list: those that are tasks are found through the frames and members that there are, while all
 * workers are asleep and none of them can be roused.  Those that are threads, which go on meanwhile, are passed over by
 * their place.
 */
#include "omp/team/waits.h"

#include "omp/team/address_wait.h"
#include "omp/team/lock.h"
#include "omp/team/member.h"
#include "omp/team/record.h"
#include "omp/team/root.h"
#include "omp/team/standing.h"
#include "omp/team/teams.h"

struct visitor {
	qti_waiter_visit visit;
	void *arg;
	struct qomp_team *team;
};

static void frame_visit(const struct qomp_frame *f, void *visitor)
{
	const struct visitor *v = visitor;

	if (load_rlx(&f->place) < QOMP_OUTSIDE && load_acq(&f->remote) & QOMP_REMOTE_WAIT) /* C1 */
		v->visit(load_rlx(&f->waiter), v->arg);
}

static void task_visit(void *task, void *visitor)
{
	frame_visit(&((struct qomp_task *)task)->frame, visitor);
}

static void member_visit(const struct qomp_member *m, const struct visitor *v)
{
	const struct qti_waiter *sleeper = load_acq(&m->tree.sleeper);                                  /* TB4 */

	frame_visit(&m->frame, (void *)(uintptr_t)v);
	if (sleeper && load_rlx(&m->frame.place) < QOMP_OUTSIDE)
		v->visit(sleeper, v->arg);
}

static void members_visit(void *visitor)
{
	const struct visitor *v = visitor;
	unsigned n = load_acq(&v->team->n);                                                             /* T6 */
	struct qomp_member **member = load_acq(&v->team->member);                                       /* T6 */

	for (unsigned i = 0; i < n; i++)
		member_visit(member[i], v);
}

static void team_visit(struct qomp_team *team, void *visitor)
{
	struct visitor *v = visitor;

	qti_word_lock(&team->lock);
	qti_waiters_each(team->sleepers, v->visit, v->arg);
	store_rel(&team->lock, 0);
	v->team = team;
	qti_guest_hold_asleep(members_visit, v);
}

static void frames_visit(void *visitor)
{
	qti_pool_each(&qomp_tasks, task_visit, visitor);
	qomp_roots_each(frame_visit, visitor);
}

void qomp_waits_each(qti_waiter_visit visit, void *arg)
{
	struct visitor v = { .visit = visit, .arg = arg };

	qomp_address_each_waiter(visit, arg);
	qomp_teams_each(team_visit, &v);
	qti_guest_hold_asleep(frames_visit, &v);
}

/* Thread 0 of a region stands on who met it, and a task that is called at once on its parent. */
static const struct qti_task *task_of(const struct qomp_frame *f)
{
	while (f && ((f->flags & QOMP_UNDEFERRED) || ((f->flags & QOMP_IMPLICIT) && f->num == 0 && f->parent)))
		f = f->parent;
	if (!f)
		return NULL;
	if (!(f->flags & QOMP_IMPLICIT))
		return &qomp_task_of((struct qomp_frame *)(uintptr_t)f)->base;
	return f->num == 0 ? qti_guest_main_task() : &qomp_member(f)->base;
}

const struct qti_task *qomp_waits_holder(const struct qti_waiter *w)
{
	return w->kind == QTI_WAIT_NEST_LOCK ? task_of(qomp_nest_owner(w->word)) : NULL;
}

/* Every member has what its own dispatch said, but for those of a bubble, which begin with the master's. */
int qomp_waits_thread(const struct qti_task *t, const void **fn)
{
	const struct qomp_frame *f = t->arg;

	if (!(f->flags & QOMP_IMPLICIT))
		return -1;
	const struct qomp_member *m = qomp_member(f->team->is_bubble ? &f->team->member[0]->frame : f);
	*fn = qomp_region_function(m->fn, m->data);
	return f->num;
}
