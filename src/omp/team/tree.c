/* omp/team/tree.c -- see omp/team/tree.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/tree.h"

#include "base/env.h"
#include "base/tuning.h"
#include "sync/waiter.h"

/* --- waking ---------------------------------------------------------------------------------------------- */

void qomp_tree_take_sleeper(struct qomp_tree *t, struct qti_waiter **woken)
{
	struct qti_waiter *r = load_rlx(&t->sleeper);

	if (qti_unlikely(r != NULL) && (r = swap_acq_rel(&t->sleeper, NULL)) != NULL)           /* TB4 */
		qti_waiters_add(woken, r);
}

bool qomp_tree_rouse(struct qomp_tree *t)
{
	struct qti_waiter *woken = NULL;

	qomp_tree_take_sleeper(t, &woken);
	if (!woken)
		return false;
	qti_wake_all(&woken);
	return true;
}

bool qomp_tree_rouse_one(struct qomp_team *team)
{
	fence_sc();                                                                             /* TB4 */
	for (unsigned i = 0; i < team->n; i++)
		if (qomp_tree_rouse(&team->member[i]->tree))
			return true;
	return false;
}

void qomp_tree_rouse_all(struct qomp_team *team)
{
	struct qti_waiter *woken = NULL;

	fence_sc();                                                                             /* TB4 */
	for (unsigned i = 0; i < team->n; i++)
		qomp_tree_take_sleeper(&team->member[i]->tree, &woken);
	qti_wake_all(&woken);
}

/* The team may have gone on to its next region. */
void qomp_tree_rouse_root(struct qomp_team *team)
{
	struct qomp_member **member = load_acq(&team->member);                                  /* T6 */

	fence_sc();                                                                             /* TB4 */
	qomp_tree_rouse(&member[0]->tree);
}

/* --- which teams ----------------------------------------------------------------------------------------- */

/* Members that share a worker come one after another anyway. */
bool qomp_tree_suits(const struct qomp_team *team)
{
	unsigned n = team->n;

	switch (qomp_settings.barrier) {
	case QTI_BARRIER_TREE:
		return n > 1;
	case QTI_BARRIER_AUTO:
		return n >= TUNE_TREE_MEMBERS && n <= qomp_settings.procs && !team->shares_workers;
	default:
		return false;
	}
}

void qomp_tree_reset(struct qomp_team *team)
{
	for (unsigned i = 0; i < team->n; i++) {
		struct qomp_tree *t = &team->member[i]->tree;
		t->gathered = 0;
		store_rlx(&t->asked, qomp_tree_let_go_after(0));
	}
}
