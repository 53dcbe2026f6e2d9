/* omp/team/root.c -- see omp/team/root.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/root.h"

#include <sched.h>

uint32_t qomp_outside_teams;

static uint32_t next_place = QOMP_OUTSIDE;

void qomp_root_keeps_no_teams(struct qomp_root *root)
{
	if (root->has_teams)
		sub_rlx(&qomp_outside_teams, 1);
	root->has_teams = false;
}

/* They neither sleep nor wait for a task. */
void qomp_root_see_off(const struct qomp_root *root)
{
	while (load_acq(&root->visitors) != 0)                                                  /* T7 */
		sched_yield();
}

void qomp_root_keeps_teams(struct qomp_root *root)
{
	if (root->inside || root->has_teams)
		return;
	root->has_teams = true;
	add_rlx(&qomp_outside_teams, 1);
}

uint32_t qomp_outside_place(void)
{
	return add_rlx(&next_place, 1);
}
