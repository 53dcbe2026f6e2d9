/* omp/team/locals.h -- what a worker keeps for itself: objects that are free.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_LOCALS_H
#define QOMP_LOCALS_H

#include "base/pool.h"
#include "core/guest.h"

/* Kinds of objects that few tasks need (omp/team/store.h). */
enum qomp_store {
	QOMP_STORE_EXTRAS,              /* omp/task/depend.h */
	QOMP_STORE_TABLES,              /* omp/task/depend.c: the small ones */
	QOMP_STORE_GROUPS,              /* omp/task/group.h */
	QOMP_STORE_DATA,                /* omp/team/record.h: of tasks that have more of it than most */
	QOMP_STORES,
};

struct qomp_local {
	struct qti_pool_cache tasks;    /* omp/team/record.h */
	struct qti_pool_cache stores[QOMP_STORES];
} QTI_ALIGNED_LINE;

extern struct qomp_local *qomp_local;   /* by worker */

/* There is one for every worker of the runtime that runs.  The second returns false when out of memory, the first
 * aborts. */
void qomp_locals_settle(void);
bool qomp_locals_try(void);

/* Around fork(2): they are not left half way. */
void qomp_locals_hold(void);
void qomp_locals_release(void);

static inline bool qomp_started(void)
{
	return qti_host_runs() && load_acq(&qomp_local);
}

#endif
