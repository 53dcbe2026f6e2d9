/* omp/team/root.h -- initial tasks: where threads stand that have met no region yet.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The main thread, other threads of the program and native qthreads each have one, made at their first call.  It comes with a
 * team of one, so that everything works outside of regions as inside.
 */
#ifndef QOMP_ROOT_H
#define QOMP_ROOT_H

#include "omp/team/team.h"

struct qomp_root {
	struct qomp_team team;
	struct qomp_member member;      /* its frame is the initial task's */
	struct qomp_member *only;
	bool inside;                    /* of a worker's thread */
	bool has_teams;                 /* counted in qomp_outside_teams */
	unsigned teams, number;         /* of its league: how many teams there are, and which one this is */
	uint32_t visitors;              /* T7: threads that end a task of its teams without being of them */
	uint32_t busy;                  /* threads besides its own, where thread-limit-var limits them */
	struct qomp_root *next, *prev;  /* of all that belong to a native qthread */
};

/* Roots outside of workers that have had a team and live: those keep workers. */
extern uint32_t qomp_outside_teams;

/* Counts the root there, once. */
void qomp_root_keeps_teams(struct qomp_root *root);

/* T7: returns when no visitor is left of those who came before the tasks of its teams had all ended. */
void qomp_root_see_off(const struct qomp_root *root);

/* A number for the place of a thread that is no worker. */
uint32_t qomp_outside_place(void);

/* The calling thread, which is no worker, stands in f from here on; until it ends. */
void qomp_outside_begin(struct qomp_frame *f);
void qomp_outside_end(void);

/* It has used little of its stack (qti_stack_shallow). */
bool qomp_outside_is_shallow(void);

/* What the end of a thread means there: the end of the process, with a message. */
void qomp_left_region(void) __attribute__((noreturn));

/* Its cache of task records; NULL if it stands in no frame. */
struct qti_pool_cache *qomp_outside_records(void);

/* The calling thread stands in another initial task from here on, in no region, which begins with these control variables:
 * as if it were another thread of the program.  Until qomp_root_leave, which brings it back. */
struct qomp_root *qomp_root_enter(const struct qomp_icv *icv);
void qomp_root_leave(struct qomp_root *root);

/* The runtime has ended, and with it the qthreads that wait for ever: what they had goes. */
void qomp_roots_free(void);

/* In the child of fork(2): no root has a team. */
void qomp_roots_forget(void);

/* The calling thread, which stands in a frame, has become worker 0, or ceases to be it: it takes its frames along. */
void qomp_root_move_in(void);
void qomp_root_move_out(void);

#endif
