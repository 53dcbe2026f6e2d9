/* test/omp/asking.h -- each routine that answers anywhere: in the handler of a signal, within malloc(3).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * libqomp(7) lists them.
 */
#ifndef QTI_TEST_OMP_ASKING_H
#define QTI_TEST_OMP_ASKING_H

#include "omp/every.h"

enum { ASKING_MOST = 1 << 16 };         /* more than there is of anything */

/* Not in GCC 12's <omp.h>. */
extern int omp_in_explicit_task(void) __attribute__((weak));

static inline bool asking_number(int n)
{
	return n >= 0 && n < ASKING_MOST;
}

/* Where the thread is. */
static inline bool asking_where(void)
{
	const int level = omp_get_level();

	return asking_number(omp_get_thread_num()) && omp_get_num_threads() > 0 && asking_number(level) &&
		asking_number(omp_get_active_level()) && (omp_in_parallel() | 1) == 1 &&
		omp_get_ancestor_thread_num(0) == 0 && omp_get_team_size(0) == 1 && omp_get_ancestor_thread_num(-1) == -1 &&
		omp_get_team_size(ASKING_MOST) == -1 && omp_get_num_teams() > 0 && asking_number(omp_get_team_num()) &&
		(omp_in_final() | 1) == 1 && (!omp_in_explicit_task || (omp_in_explicit_task() | 1) == 1);
}

/* Its control variables. */
static inline bool asking_icvs(void)
{
	omp_sched_t kind;
	int chunk = -1;

	omp_get_schedule(&kind, &chunk);
	return omp_get_max_threads() > 0 && omp_get_thread_limit() > 0 && (omp_get_dynamic() | 1) == 1 &&
		asking_number(omp_get_max_active_levels()) && omp_get_supported_active_levels() > 0 && chunk >= 0 &&
		asking_number((int)omp_get_proc_bind()) && (omp_get_cancellation() | 1) == 1 &&
		asking_number(omp_get_max_task_priority()) && asking_number(omp_get_max_teams()) &&
		asking_number(omp_get_teams_thread_limit()) && asking_number(omp_get_default_device()) &&
		omp_get_default_allocator() != omp_null_allocator;
}

/* The machine. */
static inline bool asking_machine(void)
{
	int cpus[1024], places = omp_get_num_places(), part = omp_get_partition_num_places();

	if (places > 0 && omp_get_place_num_procs(0) <= 1024)
		omp_get_place_proc_ids(0, cpus);
	if (part > 0 && part <= 1024)
		omp_get_partition_place_nums(cpus);
	return omp_get_num_procs() > 0 && asking_number(places) && asking_number(part) && omp_get_place_num() >= -1 &&
		asking_number(omp_get_num_devices()) && omp_get_initial_device() >= -1 && omp_is_initial_device() == 1 &&
		omp_get_device_num() >= -1 && omp_get_wtime() >= 0 && omp_get_wtick() > 0;
}

/* All of them, with answers that may be. */
static inline bool asking_all(void)
{
	return asking_where() && asking_icvs() && asking_machine();
}

/* The answers outside of regions. */
static inline bool asking_finds_nobody(void)
{
	return omp_get_thread_num() == 0 && omp_get_num_threads() == 1 && omp_get_level() == 0 &&
		omp_get_active_level() == 0 && !omp_in_parallel() && !omp_in_final() && omp_get_num_teams() == 1 &&
		omp_get_team_num() == 0 && omp_get_ancestor_thread_num(0) == 0 && omp_get_team_size(0) == 1;
}

#endif
