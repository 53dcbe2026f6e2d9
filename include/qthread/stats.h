/* qthread/stats.h -- what the workers have done.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTHREAD_STATS_H
#define QTHREAD_STATS_H

#include <stdint.h>

#include "macros.h"

Q_STARTCXX
#pragma GCC visibility push(default)

/* What the workers have done since qthread_initialize. */
typedef struct qt_stats_s {
	uint64_t tasks_run;     /* tasks whose function returned; the main task is not counted */
	uint64_t forks;         /* tasks created that went through the scheduler */
	uint64_t tasks_created; /* tasks_queued + tasks_in_place */
	uint64_t tasks_queued;  /* forks, and tasks of OpenMP that went to a queue of their team */
	uint64_t tasks_in_place; /* tasks of OpenMP that ran at once where they were created;
				  * they are not in tasks_run */
	uint64_t inline_joins;  /* tasks run on top of the task that waited for them */
	uint64_t steals;        /* successful steals: steals_local + steals_remote */
	uint64_t steals_local;  /* from a worker of the thief's own shepherd */
	uint64_t steals_remote; /* from another shepherd */
	uint64_t steals_same_chip;  /* the same steals by distance: thief and victim share a chip, */
	uint64_t steals_other_chip; /* or the NUMA node only, */
	uint64_t steals_other_node; /* or not even that */
	uint64_t failed_steals; /* a queue that showed tasks had none left once the thief had its lock */
	uint64_t tasks_stolen;  /* tasks that changed hands; a steal may take several */
	uint64_t parks;         /* times a worker went to sleep for want of work */
	uint64_t wakeups;       /* times a sleeping worker was woken */
	uint64_t switches;      /* changes from one stack to another */

	/* Under xq, na-rp and na-ws, else 0.  Of new tasks that went through the scheduler: */
	uint64_t tasks_self;     /* taken, in order to run, by the worker that created them, or run at once */
	uint64_t tasks_local;    /* by another worker of its shepherd */
	uint64_t tasks_remote;   /* by a worker of another shepherd */
	uint64_t static_pushes;  /* dealt out in turn */
	uint64_t at_once;        /* run at once, as the ring whose turn it was had no room */
	uint64_t given_local;    /* moved (na-ws) or sent (na-rp) to a worker out of work, of the same shepherd */
	uint64_t given_remote;   /* of another shepherd */

	/* Requests for work, by who is out of it; and answers, by who was asked. */
	uint64_t requests;         /* sent; others may overwrite them */
	uint64_t requests_handled; /* requests_served + requests_vain + requests_full */
	uint64_t requests_served;  /* brought a task at least */
	uint64_t requests_vain;    /* no task: there was none to give */
	uint64_t requests_full;    /* no task: the ring to the thief had no room */

	/* Bubbles, one of which comes apart when the first of those that are left in it starts. */
	uint64_t bursts;            /* so often */
	uint64_t bursts_same_chip;  /* of these, on another worker than where the bubble was made,
				     * which share a chip, */
	uint64_t bursts_other_chip; /* or the NUMA node only, */
	uint64_t bursts_other_node; /* or not even that */
} qt_stats_t;

/* Whose figures are asked for. */
typedef enum qt_stats_scope_e {
	QT_STATS_TOTAL,    /* all workers and external threads together; index is ignored */
	QT_STATS_SHEPHERD, /* the workers of shepherd `index`, counted from 0 */
	QT_STATS_WORKER    /* worker `index`, counted from 0: qthread_worker_unique() - 1 */
} qt_stats_scope_t;

/* Copy the counters of `scope` to *out.
 *
 * Anybody may call it; it does not block.  Counters are kept by each worker for itself and read here without stopping
 * anybody: a figure is exact for work that happened before the call (a task that was waited for, say) and may lag for
 * work under way.
 *
 * QTHREAD_SUCCESS; QTHREAD_BADARGS for a NULL out, an unknown scope or an index out of range; QTHREAD_NOT_ALLOWED while
 * the runtime is down.  *out is written on success only. */
int qthread_stats(qt_stats_t *out, qt_stats_scope_t scope, unsigned index);

#pragma GCC visibility pop
Q_ENDCXX

#endif
