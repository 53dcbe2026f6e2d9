/* omp/team/region.h -- what regions, barriers and teams know of each other.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_REGION_H
#define QOMP_REGION_H

#include "omp/team/team.h"

struct qomp_team *qomp_team_new(struct qomp_root *root);

/* The next region of the team, which is idle, has n members; f meets it. */
void qomp_team_resize(struct qomp_team *team, const struct qomp_frame *f, unsigned n);

/* The member begins its life at m->home.  False: no thread can be had for it. */
bool qomp_member_launch(struct qomp_member *m);

/* It has left: its thread, if it was one of its own, has ended when this returns. */
void qomp_member_join(struct qomp_member *m);

/* True if it slept, idle: it looks for the team's tasks (T8). */
bool qomp_member_call(struct qomp_member *m);

/* T1: m runs fn(data) in the region of that number, or leaves if fn is NULL.  True if it slept. */
bool qomp_member_dispatch(struct qomp_member *m, void (*fn)(void *), void *data, uint64_t region);

/* T2: the team has no unfinished explicit task, if its members create none. */
bool qomp_team_quiet(const struct qomp_team *team);

/* Sleeps until rousing (T4), unless ready(team, key) is true by then.  end: of the region; else key is the barrier's. */
void qomp_team_block(struct qomp_team *team, bool (*ready)(const struct qomp_team *, uint32_t key), uint32_t key, bool end);

/* A task of the team has ended, and `watch` was set: nobody else may look whether that was what they wait for. */
void qomp_team_look(struct qomp_team *team);

/* All members have ended their part, all tasks their work. */
void qomp_region_join(struct qomp_frame *f);

/* Threads of a qthread's team that are no tasks: the running task may have such, waits for them from here on, or no more.
 * Whether any does; none in the child of fork(2). */
bool qomp_crew_may_be(void);
void qomp_crew_begin(void);
void qomp_crew_end(void);
bool qomp_crews_left(void);
void qomp_crews_forget(void);

#endif
