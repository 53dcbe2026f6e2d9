/* omp/env/variables.h -- the names of environment variables, and of their values.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_VARIABLES_H
#define QOMP_VARIABLES_H

enum qomp_variable {                    /* in the order in which they are read and shown */
	QOMP_VAR_DYNAMIC,
	QOMP_VAR_NESTED,
	QOMP_VAR_NUM_THREADS,
	QOMP_VAR_SCHEDULE,
	QOMP_VAR_PROC_BIND,
	QOMP_VAR_PLACES,
	QOMP_VAR_STACKSIZE,
	QOMP_VAR_WAIT_POLICY,
	QOMP_VAR_THREAD_LIMIT,
	QOMP_VAR_MAX_ACTIVE_LEVELS,
	QOMP_VAR_NUM_TEAMS,
	QOMP_VAR_TEAMS_THREAD_LIMIT,
	QOMP_VAR_CANCELLATION,
	QOMP_VAR_DEFAULT_DEVICE,
	QOMP_VAR_MAX_TASK_PRIORITY,
	QOMP_VAR_DISPLAY_AFFINITY,
	QOMP_VAR_AFFINITY_FORMAT,
	QOMP_VAR_ALLOCATOR,
	QOMP_VAR_TARGET_OFFLOAD,
	QOMP_VAR_DISPLAY_ENV,
	QOMP_VAR_GOMP_CPU_AFFINITY,
	QOMP_VAR_GOMP_STACKSIZE,
	QOMP_VAR_GOMP_SPINCOUNT,
	QOMP_VAR_GOMP_DEBUG,
	QOMP_NVARIABLES
};

const char *qomp_variable_name(enum qomp_variable which);

/* The names of some values; each list ends with NULL. */
extern const char *const qomp_bind_words[];             /* by enum qomp_bind, then other names */
extern const char *const qomp_schedule_words[];         /* by enum qomp_schedule, less one */
extern const char *const qomp_allocator_words[];        /* by handle, less one */
extern const char *const qomp_offload_words[];          /* by enum qomp_offload */

#endif
