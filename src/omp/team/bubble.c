/* omp/team/bubble.c -- see omp/team/bubble.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/bubble.h"

#include "omp/team/barrier.h"
#include "omp/team/root.h"
#include "omp/team/wait_loop.h"

/* --- members --------------------------------------------------------------------------------------------- */

/* Nothing of the member is looked at after it is counted: the master may have begun the next region. */
static bool member_ended(struct qti_task *t, aligned_t unused)
{
	struct qomp_frame *f = t->arg;
	struct qomp_team *team = f->team;
	unsigned n = team->n;

	(void)unused;
	if (add_sc(&team->ended, 1) + 2 == n && load_sc(&team->asleep) != 0)                    /* T4 */
		qomp_team_rouse(team);
	return false;
}

/* --- the master ------------------------------------------------------------------------------------------ */

void qomp_bubble_fork(struct qomp_team *team, qthread_f begin)
{
	struct qti_task *rest = NULL;

	if (!load_rlx(&team->root->nests))
		store_rlx(&team->root->nests, true);
	for (unsigned i = team->n; i-- > 1;) {
		struct qomp_member *m = team->member[i];
		qti_guest_task_set(&m->base, &m->more, begin, &m->frame, team, member_ended, QTI_TASK_OPEN);
		if (rest)
			qti_task_lead(&m->base, rest);
		rest = &m->base;
	}
	qti_guest_push_bubble(qti_self(), rest, team->n - 1);
}

void qomp_bubble_collect(struct qomp_team *team)
{
	struct qti_worker *w;
	struct qti_task *t;

	if (!qti_host_runs_in_place())
		return;
	while ((w = qti_self()) && qomp_stack_has_room(w) && (t = qti_guest_claim(w, team)) != NULL)
		qti_run_on_top(w, t);
}
