/* api/team.h -- teams: tasks that are waited for together.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A task of an explicit team has QTI_TASK_TEAM set and says at the end of its record which team that is.  Tasks of the
 * default team know nothing of all this.
 */
#ifndef QTI_API_TEAM_H
#define QTI_API_TEAM_H

#include "core/worker.h"

struct qti_team;

/* The last bytes of the record of a task with QTI_TASK_TEAM; a copied argument has so much less room there. */
struct qti_membership {
	struct qti_team *team;
	qti_task_finish deliver;        /* what the task's finish would be without a team */
};

_Static_assert(sizeof(struct qti_membership) <= 2 * sizeof(void *), "every record has room for it");

/* Bytes of a copied argument that fit into t's record. */
static inline size_t qti_team_arg_room(const struct qti_task *t)
{
	return qti_rt.arg_room - (qti_task_is(t, QTI_TASK_TEAM) ? sizeof(struct qti_membership) : 0);
}

void qti_teams_init(void);
void qti_teams_fini(void);
void qti_teams_forget(void);    /* in the child of fork(2) */

/* Forking.  First, as it settles the room in the record, and may make a new team: notes the team that t, forked by the
 * caller with these QTHREAD_SPAWN_* features, will be in.  QTHREAD_SUCCESS or _MALLOC_ERROR. */
int qti_team_choose(struct qti_task *t, unsigned features);

/* Last, when t's finish is known and t is sure to run: it counts from now on.  Or, if it will not run: undoes the
 * choice. */
void qti_team_enter(struct qti_task *t);
void qti_team_unchoose(struct qti_task *t);

/* Finalize, in the main task, when nothing is ready: waits until there was a moment without an explicit team.  False
 * if that is now, or if there is no memory for waiting. */
bool qti_teams_await(void);

#endif
