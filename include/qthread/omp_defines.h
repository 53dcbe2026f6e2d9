/* qthread/omp_defines.h -- the routines of OpenMP, by the name that programs translated for Qthreads 1.10 include.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * They are the compiler's, as its <omp.h> declares them.  For a compiler that has none, here are those that such
 * programs call; they do what OpenMP says.
 */
#ifndef QTHREAD_OMP_DEFINES_H
#define QTHREAD_OMP_DEFINES_H

#ifdef __has_include
#if !__has_include(<omp.h>)
#define QTHREAD_OMP_DECLARE
#endif
#endif

#ifndef QTHREAD_OMP_DECLARE
#include <omp.h>
#else

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
	void *word;
} omp_lock_t, omp_nest_lock_t;

typedef enum {
	omp_sched_static = 1,
	omp_sched_dynamic = 2,
	omp_sched_guided = 3,
	omp_sched_auto = 4
} omp_sched_t;

void omp_set_num_threads(int threads);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_thread_num(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);
int omp_in_final(void);
int omp_get_level(void);
int omp_get_active_level(void);
int omp_get_ancestor_thread_num(int level);
int omp_get_team_size(int level);
int omp_get_thread_limit(void);
void omp_set_dynamic(int dynamic);
int omp_get_dynamic(void);
void omp_set_nested(int nested);
int omp_get_nested(void);
void omp_set_max_active_levels(int levels);
int omp_get_max_active_levels(void);
void omp_set_schedule(omp_sched_t kind, int chunk);
void omp_get_schedule(omp_sched_t *kind, int *chunk);
double omp_get_wtime(void);
double omp_get_wtick(void);

void omp_init_lock(omp_lock_t *lock);
void omp_destroy_lock(omp_lock_t *lock);
void omp_set_lock(omp_lock_t *lock);
void omp_unset_lock(omp_lock_t *lock);
int omp_test_lock(omp_lock_t *lock);
void omp_init_nest_lock(omp_nest_lock_t *lock);
void omp_destroy_nest_lock(omp_nest_lock_t *lock);
void omp_set_nest_lock(omp_nest_lock_t *lock);
void omp_unset_nest_lock(omp_nest_lock_t *lock);
int omp_test_nest_lock(omp_nest_lock_t *lock);

#ifdef __cplusplus
}
#endif

#endif /* QTHREAD_OMP_DECLARE */

#endif
