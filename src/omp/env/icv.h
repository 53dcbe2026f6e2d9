/* omp/env/icv.h -- the internal control variables that a task carries, and the settings of the whole program.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A set of control variables never changes once it is published: tasks share it by pointer, and whoever sets a variable
 * gets another set.  So a new task inherits with one store, and what a parent sets later does not reach it.
 */
#ifndef QOMP_ICV_H
#define QOMP_ICV_H

#include "base/env.h"

#include <stdbool.h>
#include <stdint.h>

enum qomp_schedule {
	QOMP_STATIC = 1,                /* the numbers of omp_sched_t */
	QOMP_DYNAMIC = 2,
	QOMP_GUIDED = 3,
	QOMP_AUTO = 4,
};

enum qomp_bind {                        /* the numbers of omp_proc_bind_t */
	QOMP_BIND_FALSE = 0,
	QOMP_BIND_TRUE = 1,
	QOMP_BIND_PRIMARY = 2,
	QOMP_BIND_CLOSE = 3,
	QOMP_BIND_SPREAD = 4,
};

enum qomp_offload {
	QOMP_OFFLOAD_DEFAULT,
	QOMP_OFFLOAD_MANDATORY,
	QOMP_OFFLOAD_DISABLED,
};

enum {                                  /* numbers of devices */
	QOMP_HOST = 0,
	QOMP_DEVICE_INITIAL = -1,       /* omp_initial_device: the host */
	QOMP_DEVICE_INVALID = -4,       /* omp_invalid_device */
	QOMP_DEVICE_DEFAULT = -5,       /* omp_default_device: what omp_get_default_device returns */
};

enum { QOMP_LEVELS_MAX = 255 };         /* of active regions in each other */

enum { QOMP_STACK_BYTES = 8 << 20 };    /* of a task, if nobody says otherwise */

#define QOMP_UNLIMITED UINT32_MAX       /* as a number of threads */

struct qomp_icv {
	uint32_t nthreads;              /* nthreads-var: asked for by the next region */
	uint32_t thread_limit;          /* QOMP_UNLIMITED: none */
	uint8_t schedule;               /* run-sched-var: enum qomp_schedule */
	bool monotonic;
	bool dynamic;                   /* dyn-var */
	uint8_t max_active_levels;
	uint8_t bind;                   /* bind-var: enum qomp_bind */
	int32_t default_device;
	int64_t chunk;                  /* of run-sched-var; 0: none given */
	uintptr_t allocator;            /* def-allocator-var */
	const struct qomp_sizes *inner; /* what regions in the next one ask for, by level; NULL: what this one's do */
};

/* A list of sizes.  Equal lists are one, and stay for good. */
struct qomp_sizes {
	uint32_t nthreads;
	const struct qomp_sizes *rest;  /* NULL: the last, which is for all regions further inside, too */
};

/* NULL when out of memory, or if n is 0. */
const struct qomp_sizes *qomp_sizes_of(const int32_t *nthreads, unsigned n);

/* The initial task's, once qomp_settings_read of omp/env/env.h has been called. */
extern const struct qomp_icv *qomp_icv_initial;

/* The set that has these values: one and the same for equal values.  Sets stay for good.  NULL when out of memory. */
const struct qomp_icv *qomp_icv_of(const struct qomp_icv *values);

/* What the implicit tasks begin with that stand in `level` regions, the innermost met by a task that has `outer`, with
 * that proc_bind clause, or 0: it is what regions inside inherit, unless threads are not bound at all.  OMP_NUM_THREADS
 * and OMP_PROC_BIND may list values by level, which count for more, and so may a clause (`inner`), which counts for
 * most.  `outer` itself when out of memory. */
const struct qomp_icv *qomp_icv_inside(const struct qomp_icv *outer, unsigned level, unsigned clause);

enum qomp_patience {
	QOMP_PATIENCE_UNSET,
	QOMP_PATIENCE_ACTIVE,           /* OMP_WAIT_POLICY */
	QOMP_PATIENCE_PASSIVE,
};

/* Values for the initial task, the tasks of its regions, those of regions in these, and so on; the last is for all
 * others. */
struct qomp_levels {
	unsigned n;                     /* 0: none given */
	uint32_t value[QOMP_LEVELS_MAX];
};

struct qomp_settings {
	unsigned procs;                 /* CPUs in the affinity mask that the process began with, or as many as its
	                                 * quota is worth if that is fewer; at least 1 */
	unsigned cpu_limit;             /* the quota; 0: none; QTI_LOOK_UP: nobody has looked */
	struct qomp_levels nthreads, bind;
	bool cancellation;              /* cancel-var */
	bool display_affinity;
	enum qomp_patience patience;
	uint64_t spin_count;            /* GOMP_SPINCOUNT; UINT64_MAX: not set */
	uint64_t blocktime_us;          /* KMP_BLOCKTIME: how long threads look, whatever the two before say */
	uint64_t stack_size;            /* bytes; 0: not set */
	bool own_fp_control;            /* KMP_INHERIT_FP_CONTROL=false */
	bool duplicate_ok;              /* KMP_DUPLICATE_LIB_OK: another runtime in the process is meant to be there */
	uint32_t max_task_priority;
	uint32_t num_teams, teams_thread_limit;
	uint32_t most_threads;          /* the largest number that OMP_NUM_THREADS asks for at any level; 0: not set */
	enum qomp_offload offload;
	bool binding;                   /* there are places, or members are to be shown */
	enum qti_barrier barrier;       /* QT_BARRIER */
	enum qti_nested nested;         /* QT_NESTED */
};

#define QOMP_SPIN_FOREVER (UINT64_MAX - 1)      /* GOMP_SPINCOUNT=infinite */

#define QOMP_BLOCKTIME_UNSET UINT64_MAX
enum { QOMP_BLOCKTIME_MS = 200 };               /* LLVM's default */

/* Who asks for the default, perhaps to have again what there was, gets ours. */
static inline uint64_t qomp_blocktime_us(uint64_t ms)
{
	return ms == QOMP_BLOCKTIME_MS ? QOMP_BLOCKTIME_UNSET : ms * 1000;
}

extern struct qomp_settings qomp_settings;

/* What the quota leaves of so many CPUs. */
static inline unsigned qomp_procs_granted(unsigned cpus)
{
	unsigned limit = qomp_settings.cpu_limit;

	return limit && limit < cpus ? limit : cpus;
}

#endif
