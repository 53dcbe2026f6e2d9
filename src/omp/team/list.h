/* omp/team/list.h -- the explicit tasks of a team that does not leave them to the scheduler (uses_scheduler in
 * omp/team/team.h).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * They stand in the team's own list, by priority, under its lock, and members run them on top of where they wait: at a
 * barrier any, in a taskwait children, at the end of a taskgroup its own, in an implicit task's taskyield
 * children.  Who adds one calls those who may be waiting for it.
 */
#ifndef QOMP_LIST_H
#define QOMP_LIST_H

#include "omp/team/record.h"
#include "omp/team/team.h"

/* What is looked for.  Both NULL: anything. */
struct qomp_filter {
	const struct qomp_frame *parent;        /* a child of this frame, */
	const struct qomp_group *group;         /* or one of this group, or of a group in it */
};

/* Every team keeps such a list: somebody has asked for the task scheduling constraint, or for priorities. */
static inline bool qomp_list_always(void)
{
	return qti_host_constrains_tasks() || qomp_settings.max_task_priority != 0;
}

/* About so many tasks wait there, or more. */
static inline bool qomp_list_holds(const struct qomp_team *team, size_t n)
{
	return load_rlx(&team->list.count) >= n;
}

bool qomp_list_fits(const struct qomp_frame *f, struct qomp_filter filter);

/* Whoever takes the task out calls run(f, task), f being the running frame.  owner: of its group; NULL: there is
 * none.  From any thread. */
void qomp_list_push(struct qomp_task *t, void (*run)(struct qomp_frame *, struct qomp_task *),
                    struct qomp_frame *owner);

/* The newest of the tasks that fit and have the highest priority among these, on top of f, a frame of the team; false
 * if there is none. */
bool qomp_list_run(struct qomp_frame *f, struct qomp_filter filter);

/* There is one. */
bool qomp_list_has(const struct qomp_frame *f, struct qomp_filter filter);

#endif
