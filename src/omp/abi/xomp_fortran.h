/* omp/abi/xomp_fortran.h -- what ROSE calls in Fortran programs.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Everything is by reference, and an INTEGER is an int; what is true is 1.
 */
#ifndef QOMP_XOMP_FORTRAN_H
#define QOMP_XOMP_FORTRAN_H

#pragma GCC visibility push(default)

void xomp_init_(void);
void xomp_terminate_(const int *exitcode);

/* func gets the `count` addresses that follow. */
void xomp_parallel_start_(void (*func)(void), const int *if_clause, const int *threads, const int *count, ...);
void xomp_parallel_end_(void);
void xomp_barrier_(void);
int xomp_single_(void);
int xomp_master_(void);

/* count / 3 parameters follow, three addresses each: of a flag, by value or not, of the size in bytes, and of the
 * variable. */
void xomp_task_(void (*func)(void), const void *cpyfn, const int *arg_size, const int *arg_align, const int *if_clause,
                const int *untied, const int *count, ...);
void xomp_taskwait_(void);

void xomp_loop_default_(const int *lower, const int *upper, const int *stride, int *n_lower, int *n_upper);

/* The schedules of loops, each with three calls: to begin, to begin and get the first piece,
 * and to get the next one. */
#define XOMP_FORTRAN_LOOPS(WITH_CHUNK, WITHOUT_CHUNK) \
	WITH_CHUNK(static) \
	WITH_CHUNK(dynamic) \
	WITH_CHUNK(guided) \
	WITHOUT_CHUNK(runtime) \
	WITHOUT_CHUNK(auto) \
	WITH_CHUNK(ordered_static) \
	WITH_CHUNK(ordered_dynamic) \
	WITH_CHUNK(ordered_guided) \
	WITHOUT_CHUNK(ordered_runtime)

#define WITH_CHUNK(name) \
	void xomp_loop_##name##_init_(const int *lower, const int *upper, const int *stride, const int *chunk); \
	int xomp_loop_##name##_start_(const int *lower, const int *upper, const int *stride, const int *chunk, \
	                              int *istart, int *iend); \
	int xomp_loop_##name##_next_(int *istart, int *iend);
#define WITHOUT_CHUNK(name) \
	void xomp_loop_##name##_init_(const int *lower, const int *upper, const int *stride); \
	int xomp_loop_##name##_start_(const int *lower, const int *upper, const int *stride, int *istart, int *iend); \
	int xomp_loop_##name##_next_(int *istart, int *iend);

XOMP_FORTRAN_LOOPS(WITH_CHUNK, WITHOUT_CHUNK)

#undef WITH_CHUNK
#undef WITHOUT_CHUNK

void xomp_loop_end_(void);
void xomp_loop_end_nowait_(void);
void xomp_ordered_start_(void);
void xomp_ordered_end_(void);

int xomp_sections_init_next_(const int *count);
int xomp_sections_next_(void);
void xomp_sections_end_(void);
void xomp_sections_end_nowait_(void);

void xomp_critical_start_(void **word);
void xomp_critical_end_(void **word);
void xomp_atomic_start_(void);
void xomp_atomic_end_(void);
void xomp_flush_all_(void);

#pragma GCC visibility pop

#endif
