/* omp/team/teams.h -- making teams, keeping their members idle and dismissing them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_TEAMS_H
#define QOMP_TEAMS_H

#include "omp/team/member.h"

struct qomp_team *qomp_team_new(struct qomp_root *root);

/* The next region of the team, which is idle, has n members; f meets it.  Members that it has not had yet begin
 * their lives. */
void qomp_team_resize(struct qomp_team *team, const struct qomp_frame *f, unsigned n, const struct qomp_life *life);

/* What `kept` has goes. */
void qomp_kept_free(struct qomp_team *team);

/* Ends the members of an idle team, and of those idle at its members; it is gone. */
void qomp_team_dismiss(struct qomp_team *team);

/* Whether a root that is in no region has an idle team whose members are tasks of the runtime.  Waits for no lock: true
 * if that would be necessary. */
bool qomp_teams_idle(const struct qomp_root *root);

/* Ends the members of all those. */
void qomp_teams_dismiss(const struct qomp_root *root);

/* Calls visit(team, arg) for every one that is in use or idle; none of them goes meanwhile. */
void qomp_teams_each(void (*visit)(struct qomp_team *team, void *arg), void *arg);

/* The same for every one of the root's that has a region under way.  Only where the thread that meets the region is
 * known not to begin or end one. */
void qomp_teams_each_in_use(
	const struct qomp_root *root, void (*visit)(struct qomp_team *team, void *arg), void *arg);

/* Their memory, once nobody can look at it any more. */
void qomp_teams_free(void);

/* In the child of fork(2). */
void qomp_teams_forget(void);

#endif
