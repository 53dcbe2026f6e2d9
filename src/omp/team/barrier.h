/* omp/team/barrier.h -- waiting for a team: at a barrier and at a region's end.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_BARRIER_H
#define QOMP_BARRIER_H

#include "omp/team/team.h"

/* T2: the team has no unfinished explicit task, if its members create none. */
bool qomp_team_quiet(const struct qomp_team *team);

/* Sleeps until rousing (T4), unless ready(team, key) is true by then.  end: of the region; else key is the
 * barrier's. */
void qomp_team_block(struct qomp_team *team, bool (*ready)(const struct qomp_team *, uint32_t key), uint32_t key,
                     bool end);

/* A task of the team has ended, counted with m, or NULL, and `watch` was set: nobody else may look whether that was
 * what they wait for. */
void qomp_team_look(struct qomp_team *team, struct qomp_member *m);

/* All of the team's members are here and all its tasks have ended.  Runs tasks meanwhile. */
void qomp_barrier(struct qomp_frame *f);

/* The same where not qomp_is_told(f), for who has asked that. */
void qomp_barrier_untold(struct qomp_frame *f);

/* The same in a region that can be cancelled: true if it was, and then no member waits. */
bool qomp_barrier_cancel(struct qomp_frame *f);

/* How many barriers the member has passed, or as good as that: one number for all, and another after each. */
uint32_t qomp_barrier_number(const struct qomp_frame *f);

/* Members that sleep look again at what they wait for; after it has changed (T4). */
void qomp_team_rouse(struct qomp_team *team);

/* All members have ended their part, all tasks their work. */
void qomp_region_join(struct qomp_frame *f);

#endif
