/* omp/task/cancel.c -- see omp/task/cancel.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Who cancels leaves a mark that the others find where they ask or wait.  That of a region stays until its end.  That
 * of a loop or of sections carries the number of the barrier at their end, which has not been passed while anybody is
 * inside.
 */
#include "omp/task/cancel.h"

#include "omp/env/icv.h"
#include "omp/task/group.h"
#include "omp/team/barrier.h"
#include "omp/team/told.h"
#include "omp/team/tree.h"

static struct qomp_group *innermost_group(const struct qomp_frame *f)
{
	struct qomp_group *g = f->group;

	while (g && g->implied)
		g = g->outer;
	return g;
}

static bool group_cancelled(const struct qomp_frame *f)
{
	struct qomp_group *g = innermost_group(f);

	return g && load_rlx(&g->cancelled);
}

/* As it stands in a team's `cancelled`, beside the bit of the region. */
static uint32_t share_mark(const struct qomp_frame *f, unsigned which)
{
	return which | qomp_barrier_number(f) << 3;
}

static int cancel_told_kind(unsigned which)
{
	switch (which) {
	case QOMP_CANCEL_LOOP:
		return ompt_cancel_loop;
	case QOMP_CANCEL_SECTIONS:
		return ompt_cancel_sections;
	case QOMP_CANCEL_TASKGROUP:
		return ompt_cancel_taskgroup;
	default:
		return ompt_cancel_parallel;
	}
}

static bool construct_cancelled(const struct qomp_frame *f, unsigned which)
{
	uint32_t marks = load_acq(&f->team->cancelled);

	switch (which) {
	case QOMP_CANCEL_LOOP:
	case QOMP_CANCEL_SECTIONS:
		return (marks & ~(uint32_t)QOMP_CANCEL_PARALLEL) == share_mark(f, which);
	case QOMP_CANCEL_TASKGROUP:
		return group_cancelled(f) || marks & QOMP_CANCEL_PARALLEL;      /* that ends all of its tasks, too */
	default:
		return marks & QOMP_CANCEL_PARALLEL;
	}
}

bool qomp_cancelled(struct qomp_frame *f, unsigned which)
{
	bool yes = construct_cancelled(f, which);

	if (yes && qomp_is_told(f))
		qomp_tell_cancel(qomp_told_of(f), cancel_told_kind(which) | ompt_cancel_detected);
	return yes;
}

/* A team of one need not be told, nor does it count barriers. */
static void cancel_share(struct qomp_frame *f, unsigned which)
{
	struct qomp_team *team = f->team;
	uint32_t marks = load_rlx(&team->cancelled);
	uint32_t mark = share_mark(f, which);

	if (team->n == 1)
		return;
	while (!cas_acq_rel(&team->cancelled, &marks, (marks & QOMP_CANCEL_PARALLEL) | mark))
		;
	qomp_share_cancel(&qomp_member(f)->share);
}

static void cancel_region(struct qomp_team *team)
{
	or_acq_rel(&team->cancelled, QOMP_CANCEL_PARALLEL);
	qomp_team_rouse(team);
	if (load_rlx(&team->is_tree))
		qomp_tree_rouse_all(team);
}

bool qomp_cancel(struct qomp_frame *f, unsigned which)
{
	struct qomp_group *g = innermost_group(f);

	if (!qomp_settings.cancellation)
		return false;
	if (qomp_is_told(f))
		qomp_tell_cancel(qomp_told_of(f), cancel_told_kind(which) | ompt_cancel_activated);
	if (which & (QOMP_CANCEL_LOOP | QOMP_CANCEL_SECTIONS))
		cancel_share(f, which);
	else if (which == QOMP_CANCEL_PARALLEL)
		cancel_region(f->team);
	else if (g)
		store_rlx(&g->cancelled, 1);
	return true;
}

bool qomp_task_unwanted(const struct qomp_frame *f)
{
	if (load_rlx(&f->team->cancelled) & QOMP_CANCEL_PARALLEL)
		return true;
	for (const struct qomp_group *g = f->group; g; g = g->outer)
		if (load_rlx(&g->cancelled))
			return true;
	return false;
}

bool qomp_task_discarded(const struct qomp_frame *f)
{
	return !(f->flags & QOMP_COPIED) && qomp_task_unwanted(f);
}
