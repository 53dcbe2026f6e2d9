/* omp/abi/api.h -- the routines of <omp.h> that this directory's api_*.c define.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs have the compiler's <omp.h>; this is what it comes down to in the calling convention.  In Fortran a
 * routine's name ends in `_` and its arguments are references; `_8_` is for INTEGER*8.  Where that makes no difference,
 * because there is no argument or it is a reference already, the Fortran routine is another name of the same function.
 */
#ifndef QOMP_API_H
#define QOMP_API_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define QOMP_EXPORT __attribute__((visibility("default")))

/* Beside the definition of a function that is Fortran's, too. */
#define QOMP_FORTRAN_SAME(name) extern __typeof__(name) name##_ __attribute__((alias(#name))) QOMP_EXPORT

/* The Fortran routines of one that has one integer argument. */
#define QOMP_FORTRAN_INTEGER(type, name) \
	QOMP_EXPORT type name##_(const int32_t *arg); \
	QOMP_EXPORT type name##_8_(const int64_t *arg); \
	type name##_(const int32_t *arg) \
	{ \
		return name(*arg); \
	} \
	type name##_8_(const int64_t *arg) \
	{ \
		return name(qomp_to_int(*arg)); \
	}

static inline int qomp_to_int(int64_t n)
{
	return n < INT_MIN ? INT_MIN : n > INT_MAX ? INT_MAX : (int)n;
}

/* A Fortran function that returns a string has the address and the length of its characters; NULL: none. */
static inline void qomp_fortran_string(const char *string, const char **result, size_t *length)
{
	*result = string;
	*length = string ? strlen(string) : 0;
}

struct qomp_icv;

/* The calling task has other values from here on, and so have those that it creates. */
void qomp_icv_set(const struct qomp_icv *values);

#pragma GCC visibility push(default)

/* api_threads.c */
int omp_get_num_threads(void);
int omp_get_thread_num(void);
int omp_in_parallel(void);
int omp_get_level(void);
int omp_get_active_level(void);
int omp_get_ancestor_thread_num(int level);
int omp_get_team_size(int level);
int omp_get_num_teams(void);
int omp_get_team_num(void);
int omp_in_final(void);
int omp_in_explicit_task(void);
int omp_get_num_procs(void);
double omp_get_wtime(void);
double omp_get_wtick(void);

/* api_icv.c */
void omp_set_num_threads(int threads);
int omp_get_max_threads(void);
int omp_get_thread_limit(void);
void omp_set_dynamic(int dynamic);
int omp_get_dynamic(void);
void omp_set_nested(int nested);
int omp_get_nested(void);
void omp_set_max_active_levels(int levels);
int omp_get_max_active_levels(void);
int omp_get_supported_active_levels(void);
void omp_set_schedule(uint32_t kind, int chunk);
void omp_get_schedule(uint32_t *kind, int *chunk);
int omp_get_proc_bind(void);
int omp_get_cancellation(void);
int omp_get_max_task_priority(void);
void omp_set_num_teams(int teams);
int omp_get_max_teams(void);
void omp_set_teams_thread_limit(int limit);
int omp_get_teams_thread_limit(void);
void omp_set_default_allocator(uintptr_t allocator);
uintptr_t omp_get_default_allocator(void);

void omp_display_env(int verbose);
void omp_display_env_(const int32_t *verbose);
void omp_display_env_8_(const int64_t *verbose);
void omp_set_schedule_(const uint32_t *kind, const int32_t *chunk);
void omp_set_schedule_8_(const uint32_t *kind, const int64_t *chunk);
void omp_get_schedule_8_(uint32_t *kind, int64_t *chunk);
void omp_set_default_allocator_(const uintptr_t *allocator);

#pragma GCC visibility pop

#endif
