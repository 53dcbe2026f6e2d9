/* omp/tool/race.h -- what OpenMP promises to happen before what, for a race checker (base/race.h).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A race checker is told where a tool would be (omp/tool/tell.h): frames are QOMP_TRACED while there is either of them.
 *
 *   what is released            by                                      is acquired by
 *   a region's beginning        who met it                              its members, when they begin
 *   its end                     members that have come to it            who met it, when it goes on
 *   a barrier, one of two       members that come                       members that go on: none is two barriers ahead
 *   a task's creation           its creator                             the task
 *   its end                     the task, or who fulfils its event      its parent after a taskwait, its group's owner
 *                                                                       after that, its team after a barrier or the end
 *   a dependence                a task that ends                        those that the clauses order after it
 *   a lock                      who drops it                            who takes it
 */
#ifndef QOMP_TOOL_RACE_H
#define QOMP_TOOL_RACE_H

#include "base/race.h"
#include "omp-tools.h"

struct qomp_told;
struct qomp_told_region;

/* Each may be called with NULL. */

void qomp_race_parallel(struct qomp_told_region *r);
void qomp_race_member_begin(struct qomp_told *t);
void qomp_race_member_end(struct qomp_told *t);

void qomp_race_created(struct qomp_told *creator, struct qomp_told *t);
void qomp_race_depends(struct qomp_told *t, const ompt_dependence_t *list, int n);
void qomp_race_task_begin(struct qomp_told *t);
void qomp_race_task_end(struct qomp_told *t);
void qomp_race_drop(struct qomp_told *t);

/* The running task has waited for what these say. */
void qomp_race_waited(const struct qomp_told *t, const ompt_dependence_t *list, int n);

/* t belongs to group g; all of g has ended. */
void qomp_race_group(struct qomp_told *t, const void *g);
void qomp_race_group_end(const void *g);

/* The running task, t, uses what others use on its thread, one after the other: copies of reductions. */
void qomp_race_shares(struct qomp_told *t, const void *thread);

/* Waiting for others, as qomp_tell_sync_begin has it; the second may be one of a taskgroup, too. */
void qomp_race_sync_begin(struct qomp_told *t, ompt_sync_region_t kind);
void qomp_race_sync_end(struct qomp_told *t, ompt_sync_region_t kind);

#endif
