/* omp/team/member.h -- a member of a team: its life, its dispatches, and its sleep between regions.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_MEMBER_H
#define QOMP_MEMBER_H

#include "omp/team/team.h"

/* What a member does from its launch until it leaves. */
struct qomp_life {
	qthread_f as_task;              /* gets its frame */
	void *(*as_thread)(void *member);       /* calls qomp_member_gone at last */
};

/* The member begins its life at m->home.  False: no thread can be had for it. */
bool qomp_member_launch(struct qomp_member *m, const struct qomp_life *life);

/* It has left: its thread, if it was one of its own, has ended when this returns. */
void qomp_member_join(struct qomp_member *m);

/* True if it slept, idle: it looks for the team's tasks (T8). */
bool qomp_member_call(struct qomp_member *m);

/* T1: m runs fn(data) in the region of that number, or leaves if fn is NULL.  True if it slept. */
bool qomp_member_dispatch(struct qomp_member *m, void (*fn)(void *), void *data, uint64_t region);

/* What the program knows a region by whose members run fn(data): fn, or, where that stands in for a function of the
 * program's, that function, with which data begins. */
const void *qomp_region_function(void (*fn)(void *), const void *data);

/* fn stands in so; said while the library is loaded. */
void qomp_region_stand_in(void (*fn)(void *));

/* m, the calling thread, sleeps until there is a dispatch, or a task of the team that it may run. */
void qomp_member_sleep(struct qomp_member *m);

/* m has left, but for its thread's end.  Nothing of it is looked at after this. */
void qomp_member_gone(struct qomp_member *m);

#endif
