/* omp/team/bind.h -- which member of a team runs where.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A team's member is assigned a place when its region begins, and a part of the list of places for the regions inside
 * it.  Its OS thread is bound when the member starts; where members of several teams share a thread, it stays where
 * the latest to start belongs.  Before the runtime has started no thread is bound: its workers are to find the CPUs
 * of the whole process.
 *
 * A mask that somebody else has set - another process, or the program - stays: a thread that has another one than it got
 * here is never bound again.  The kernel has no call that changes a mask unless somebody else has.  So the process's
 * first thread is asked, to whom a setter of all threads comes first.  What remains: the first thread has nobody to ask
 * when it is bound itself, and a new thread cannot tell its creator's place from the same CPUs set from outside.
 */
#ifndef QOMP_BIND_H
#define QOMP_BIND_H

#include "omp/env/affinity.h"
#include "omp/team/team.h"

/* Thread i of the n of a region, met where `from` is (n > 0 there). */
struct qomp_spot qomp_bind_spot(unsigned policy, const struct qomp_spot *from, unsigned i, unsigned n);

/* The spot of the thread that runs the task. */
struct qomp_spot qomp_bind_where(const struct qomp_frame *f);

/* What OMP_AFFINITY_FORMAT says of f, the running task's. */
struct qomp_whereabouts qomp_bind_whereabouts(const struct qomp_frame *f);

void qomp_bind_team_slow(struct qomp_team *team, unsigned clause);
void qomp_bind_member_slow(struct qomp_member *m);

/* The master, before others start: assigns places to the team's members.  clause: of enum qomp_bind, or 0: bind-var
 * decides. */
static inline void qomp_bind_team(struct qomp_team *team, unsigned clause)
{
	if (qti_unlikely(qomp_settings.binding))
		qomp_bind_team_slow(team, clause);
}

/* A member that starts: binds its thread, and shows it if OMP_DISPLAY_AFFINITY says so. */
static inline void qomp_bind_member(struct qomp_member *m)
{
	if (qti_unlikely(qomp_settings.binding))
		qomp_bind_member_slow(m);
}

/* The calling thread may run on all the process's CPUs again: it is about to start the runtime, or has ended it. */
void qomp_unbind(void);

/* In the child of fork(2) the calling thread is the process's first one. */
void qomp_bind_in_child(void);

#endif
