/* omp/team/list.c -- see omp/team/list.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/list.h"

#include "omp/team/member.h"
#include "omp/team/tree.h"
#include "sync/waiter.h"

/* --- adding ---------------------------------------------------------------------------------------------- */

/* Under the lock, as is its look at the list before it sleeps: relaxed. */
static void call_sleeper(struct qomp_frame *f)
{
	if (qti_unlikely(load_rlx(&f->remote) & (QOMP_REMOTE_WAIT | QOMP_REMOTE_ADDRESS)))
		qomp_frame_call(f);
}

/* It may have become ready on any thread, while its parent and the owner of its group sleep. */
static void call_others(struct qomp_frame *parent, struct qomp_frame *owner)
{
	call_sleeper(parent);
	if (owner && owner != parent)
		call_sleeper(owner);
}

/* One that has come to the region's end; after the lock has been held (T8). */
static void call_member(struct qomp_team *team)
{
	unsigned n = load_acq(&team->n);                                                        /* T6 */
	struct qomp_member **member = load_acq(&team->member);                                  /* T6 */

	for (unsigned i = 1; i < n; i++)
		if (qomp_member_call(member[i]) && qomp_member_begun(member[i]))
			return;
}

static uint32_t task_priority(const struct qomp_task *t)
{
	return t->frame.flags & QOMP_PRIORITY ? t->priority : 0;
}

/* Before those that have a higher priority, behind all others. */
static void put_in_order(struct qti_tasklist *l, struct qomp_task *t)
{
	struct qti_task *before = l->back, *after = NULL;

	while (before && task_priority(qomp_task_of_base(before)) > task_priority(t)) {
		after = before;
		before = before->prev;
	}
	t->base.prev = before;
	t->base.next = after;
	*(before ? &before->next : &l->front) = &t->base;
	*(after ? &after->prev : &l->back) = &t->base;
	store_rlx(&l->count, l->count + 1);
}

void qomp_list_push(struct qomp_task *t, void (*run)(struct qomp_frame *, struct qomp_task *),
                    struct qomp_frame *owner)
{
	struct qomp_team *team = t->frame.team;
	struct qti_waiter *woken = NULL;

	qti_guest_queued_apart(qti_self());
	t->run = run;
	qti_word_lock(&team->lock);
	put_in_order(&team->list, t);
	struct qti_waiter *r = qti_waiters_take(&team->sleepers);
	if (!r)
		call_others(t->frame.parent, owner);
	store_rel(&team->lock, 0);
	if (r) {
		qti_waiters_add(&woken, r);
		qti_wake_all(&woken);
	} else if (!load_rlx(&team->is_tree) || !qomp_tree_rouse_one(team)) {
		call_member(team);
	}
}

/* --- taking ---------------------------------------------------------------------------------------------- */

/* A group begins with the one that it is in (omp/task/group.h). */
static const struct qomp_group *group_outer(const struct qomp_group *g)
{
	return *(struct qomp_group *const *)(const void *)g;
}

static bool in_group(const struct qomp_frame *f, const struct qomp_group *group)
{
	const struct qomp_group *g = f->group;

	while (g && g != group)
		g = group_outer(g);
	return g != NULL;
}

bool qomp_list_fits(const struct qomp_frame *f, struct qomp_filter filter)
{
	if (!filter.parent && !filter.group)
		return true;
	return f->parent == filter.parent || (filter.group && in_group(f, filter.group));
}

/* Under the lock.  Members that take no part in the region have no say, nor do those that have not begun it (T9). */
static struct qti_task *list_find(const struct qomp_frame *f, struct qomp_filter filter)
{
	struct qti_task *t = qomp_member_begun(qomp_member_late(f)) ? f->team->list.back : NULL;

	while (t && !qomp_list_fits(&qomp_task_of_base(t)->frame, filter))
		t = t->prev;
	return t;
}

static void take_out(struct qti_tasklist *l, struct qti_task *t)
{
	*(t->prev ? &t->prev->next : &l->front) = t->next;
	*(t->next ? &t->next->prev : &l->back) = t->prev;
	store_rlx(&l->count, l->count - 1);
}

bool qomp_list_run(struct qomp_frame *f, struct qomp_filter filter)
{
	struct qomp_team *team = f->team;

	if (load_rlx(&team->list.count) == 0)
		return false;
	qti_word_lock(&team->lock);
	struct qti_task *t = list_find(f, filter);
	if (t)
		take_out(&team->list, t);
	store_rel(&team->lock, 0);
	if (!t)
		return false;
	struct qomp_task *task = qomp_task_of_base(t);
	task->run(f, task);
	return true;
}

bool qomp_list_has(const struct qomp_frame *f, struct qomp_filter filter)
{
	struct qomp_team *team = f->team;

	qti_word_lock(&team->lock);
	bool has = list_find(f, filter) != NULL;
	store_rel(&team->lock, 0);
	return has;
}
