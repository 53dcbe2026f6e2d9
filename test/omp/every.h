/* test/omp/every.h -- what the OpenMP programs share.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A program here is compiled by GCC for its own OpenMP library and has to pass on that one as well as on ours: it
 * checks what OpenMP promises, of which the environment decides only the number of threads.
 */
#ifndef QTI_TEST_OMP_EVERY_H
#define QTI_TEST_OMP_EVERY_H

#include "tap.h"

#include <omp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* The compiler's own library, GCC's or LLVM's: told by run.sh, so that a check which that one is known to fail can be left
 * out there. */
static inline bool on_oracle(void)
{
	return getenv("QTI_OMP_ORACLE") != NULL;
}

static inline bool on_libomp(void)
{
	return on_oracle() && strcmp(getenv("QTI_OMP_ORACLE"), "libomp") == 0;
}

/* Under a tool that makes a program some fifty times slower, and in builds with a sanitizer, a tenth of n. */
static inline int every_scaled(int n)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	return n / 10 ? n / 10 : 1;
#else
	const char *tool = getenv("QTI_TEST_TOOL");

	return !tool || !*tool ? n : n / 10 ? n / 10 : 1;
#endif
}

/* Waits until `members` have come, by other means than those under test: then all are under way at once, each on an OS
 * thread of its own. */
static inline void every_meet(int *come, int members)
{
	int seen;

#pragma omp atomic
	(*come)++;
	do {
		sched_yield();
#pragma omp atomic read
		seen = *come;
	} while (seen < members);
}

/* Takes so long that others who need not wait are past, on one CPU too. */
static inline void every_linger(void)
{
	for (int i = 0; i < 20; i++)
		sched_yield();
}

/* Whether the first n counters are all `want`. */
static inline bool every_is(const int *counters, int n, int want)
{
	for (int i = 0; i < n; i++)
		if (counters[i] != want) {
			diag("counter %d is %d, not %d", i, counters[i], want);
			return false;
		}
	return true;
}

#endif
