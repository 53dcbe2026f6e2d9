/* omp/team/root.h -- initial tasks: where threads stand that have met no region yet.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The main thread, other threads of the program and native qthreads each have one, made at their first call.  It comes
 * with a team of one, so that everything works outside of regions as inside.
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
	uint32_t nests;                 /* inner regions are met: their members may wait to
					 * be begun (relaxed: a hint) */
	uint32_t busy;                  /* threads besides its own, where thread-limit-var limits them */
	struct qomp_root *next, *prev;  /* of all that belong to a native qthread */
};

/* Roots outside of workers that have had a team and live: those keep workers. */
extern uint32_t qomp_outside_teams;

/* Counts the root there, once. */
void qomp_root_keeps_teams(struct qomp_root *root);

/* T7: returns when no visitor is left of those who came before the tasks of its teams had all ended. */
void qomp_root_see_off(const struct qomp_root *root);

/* It is about to go. */
void qomp_root_keeps_no_teams(struct qomp_root *root);

/* A number for the place of a thread that is no worker. */
uint32_t qomp_outside_place(void);

#endif
