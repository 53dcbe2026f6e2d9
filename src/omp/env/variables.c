/* omp/env/variables.c -- see omp/env/variables.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/env/variables.h"

#include <stddef.h>

static const char *const names[QOMP_NVARIABLES] = {
	[QOMP_VAR_DYNAMIC] = "OMP_DYNAMIC",
	[QOMP_VAR_NESTED] = "OMP_NESTED",
	[QOMP_VAR_NUM_THREADS] = "OMP_NUM_THREADS",
	[QOMP_VAR_SCHEDULE] = "OMP_SCHEDULE",
	[QOMP_VAR_PROC_BIND] = "OMP_PROC_BIND",
	[QOMP_VAR_PLACES] = "OMP_PLACES",
	[QOMP_VAR_STACKSIZE] = "OMP_STACKSIZE",
	[QOMP_VAR_WAIT_POLICY] = "OMP_WAIT_POLICY",
	[QOMP_VAR_THREAD_LIMIT] = "OMP_THREAD_LIMIT",
	[QOMP_VAR_MAX_ACTIVE_LEVELS] = "OMP_MAX_ACTIVE_LEVELS",
	[QOMP_VAR_NUM_TEAMS] = "OMP_NUM_TEAMS",
	[QOMP_VAR_TEAMS_THREAD_LIMIT] = "OMP_TEAMS_THREAD_LIMIT",
	[QOMP_VAR_CANCELLATION] = "OMP_CANCELLATION",
	[QOMP_VAR_DEFAULT_DEVICE] = "OMP_DEFAULT_DEVICE",
	[QOMP_VAR_MAX_TASK_PRIORITY] = "OMP_MAX_TASK_PRIORITY",
	[QOMP_VAR_DISPLAY_AFFINITY] = "OMP_DISPLAY_AFFINITY",
	[QOMP_VAR_AFFINITY_FORMAT] = "OMP_AFFINITY_FORMAT",
	[QOMP_VAR_ALLOCATOR] = "OMP_ALLOCATOR",
	[QOMP_VAR_TARGET_OFFLOAD] = "OMP_TARGET_OFFLOAD",
	[QOMP_VAR_DISPLAY_ENV] = "OMP_DISPLAY_ENV",
	[QOMP_VAR_GOMP_CPU_AFFINITY] = "GOMP_CPU_AFFINITY",
	[QOMP_VAR_GOMP_STACKSIZE] = "GOMP_STACKSIZE",
	[QOMP_VAR_GOMP_SPINCOUNT] = "GOMP_SPINCOUNT",
	[QOMP_VAR_GOMP_DEBUG] = "GOMP_DEBUG",
};

const char *qomp_variable_name(enum qomp_variable which)
{
	return names[which];
}

const char *const qomp_bind_words[] = { "false", "true", "primary", "close", "spread", "master", NULL };

const char *const qomp_schedule_words[] = { "static", "dynamic", "guided", "auto", NULL };

const char *const qomp_offload_words[] = { "default", "mandatory", "disabled", NULL };

const char *const qomp_allocator_words[] = {
	"omp_default_mem_alloc", "omp_large_cap_mem_alloc", "omp_const_mem_alloc", "omp_high_bw_mem_alloc",
	"omp_low_lat_mem_alloc", "omp_cgroup_mem_alloc", "omp_pteam_mem_alloc", "omp_thread_mem_alloc", NULL,
};
