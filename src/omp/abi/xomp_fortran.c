/* omp/abi/xomp_fortran.c -- XOMP for Fortran: the calls that only look different.  See omp/abi/xomp_fortran.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/xomp_fortran.h"

#include "libxomp.h"

void xomp_init_(void)
{
	XOMP_init(0, NULL);
}

void xomp_terminate_(const int *exitcode)
{
	XOMP_terminate(*exitcode);
}

/* --- loops ----------------------------------------------------------------------------------------------- */

/* Bounds of nothing may be beyond those of an int, and are others therefore. */
void xomp_loop_default_(const int *lower, const int *upper, const int *stride, int *n_lower, int *n_upper)
{
	long from, to;

	XOMP_loop_default(*lower, *upper, *stride, &from, &to);
	bool some = *stride > 0 ? from <= to : from >= to;
	*n_lower = some ? (int)from : *stride > 0;
	*n_upper = some ? (int)to : *stride <= 0;
}

static int fortran_give(bool got, long from, long to, int *istart, int *iend)
{
	if (got) {
		*istart = (int)from;
		*iend = (int)to;
	}
	return got;
}

#define NEXT(name) \
	int xomp_loop_##name##_next_(int *istart, int *iend) \
	{ \
		long from = 0, to = 0; \
		bool got = XOMP_loop_##name##_next(&from, &to); \
		return fortran_give(got, from, to, istart, iend); \
	}

#define WITH_CHUNK(name) \
	void xomp_loop_##name##_init_(const int *lower, const int *upper, const int *stride, const int *chunk) \
	{ \
		XOMP_loop_##name##_init(*lower, *upper, *stride, *chunk); \
	} \
	int xomp_loop_##name##_start_(const int *lower, const int *upper, const int *stride, const int *chunk, \
	                              int *istart, int *iend) \
	{ \
		long from = 0, to = 0; \
		bool got = XOMP_loop_##name##_start(*lower, *upper, *stride, *chunk, &from, &to); \
		return fortran_give(got, from, to, istart, iend); \
	} \
	NEXT(name)

#define WITHOUT_CHUNK(name) \
	void xomp_loop_##name##_init_(const int *lower, const int *upper, const int *stride) \
	{ \
		XOMP_loop_##name##_init(*lower, *upper, *stride); \
	} \
	int xomp_loop_##name##_start_(const int *lower, const int *upper, const int *stride, int *istart, int *iend) \
	{ \
		long from = 0, to = 0; \
		bool got = XOMP_loop_##name##_start(*lower, *upper, *stride, &from, &to); \
		return fortran_give(got, from, to, istart, iend); \
	} \
	NEXT(name)

XOMP_FORTRAN_LOOPS(WITH_CHUNK, WITHOUT_CHUNK)

/* --- the same without arguments -------------------------------------------------------------------------- */

#define SAME(name) \
	void xomp_##name##_(void) \
	{ \
		XOMP_##name(); \
	}
#define SAME_RESULT(name) \
	int xomp_##name##_(void) \
	{ \
		return XOMP_##name(); \
	}

SAME(barrier)
SAME_RESULT(single)
SAME_RESULT(master)
SAME(taskwait)
SAME(loop_end)
SAME(loop_end_nowait)
SAME(ordered_start)
SAME(ordered_end)
SAME_RESULT(sections_next)
SAME(sections_end)
SAME(sections_end_nowait)
SAME(atomic_start)
SAME(atomic_end)
SAME(flush_all)

int xomp_sections_init_next_(const int *count)
{
	return XOMP_sections_init_next(*count);
}

void xomp_critical_start_(void **word)
{
	XOMP_critical_start(word);
}

void xomp_critical_end_(void **word)
{
	XOMP_critical_end(word);
}
