/* omp/team/start.h -- the runtime beneath libqomp: started when the main thread's first region needs it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_START_H
#define QOMP_START_H

#include "omp/task/store.h"
#include "omp/task/task.h"

/* What a worker has for itself. */
struct qomp_local {
	struct qti_pool_cache tasks;
	struct qti_pool_cache stores[QOMP_STORES];
} QTI_ALIGNED_LINE;

extern struct qomp_local *qomp_local;   /* by worker */
extern struct qti_pool qomp_tasks;
extern uint32_t qomp_extras;            /* members that are threads of their own */
extern uint64_t qomp_spin_ns;           /* how long who waits for others of a team looks before it sleeps */
extern bool qomp_crowded;               /* more threads than CPUs */

/* The pool is there; and a cache for every worker of the runtime that runs. */
void qomp_tasks_setup(void);
void qomp_settle(void);

/* Starts the runtime, if it is the main thread that asks: it meets the first region of n threads. */
void qomp_start(unsigned n);

/* Ends the runtime, and with it the workers' threads and what is theirs, unless the program itself has asked for it.  The main
 * thread, outside of regions and tasks; another's call does nothing. */
void qomp_stop(void);

/* Anew, after the number of threads has changed. */
void qomp_set_patience(void);

/* How often who waits for somebody else looks before it sleeps, where `looks` take about a microsecond. */
static inline unsigned qomp_looks(unsigned looks)
{
	return load_rlx(&qomp_spin_ns) != 0 && !load_rlx(&qomp_crowded) ? looks : 1;
}

static inline bool qomp_started(void)
{
	return qti_host_runs() && load_acq(&qomp_local);
}

/* Ends the members of an idle team, and of those idle at its members; it is gone. */
void qomp_team_dismiss(struct qomp_team *team);

/* The same for all teams of a root that is in no region. */
void qomp_teams_dismiss(const struct qomp_root *root);

/* Their memory, once nobody can look at it any more. */
void qomp_teams_free(void);

/* In the child of fork(2). */
void qomp_teams_forget(void);

#endif
