/* test/omp/tasking.h -- what the tests of tasks share: words that several write, and waiting for somebody else.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_TEST_OMP_TASKING_H
#define QTI_TEST_OMP_TASKING_H

#include "omp/every.h"

#include <sched.h>

/* One more, whoever else counts; returns what was before. */
static inline int bump(int *counter)
{
	return __atomic_fetch_add(counter, 1, __ATOMIC_ACQ_REL);
}

static inline int now(const int *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void put(int *word, int value)
{
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/* Waits for another thread: for nothing that a task of this one would have to do first. */
#define wait_until(cond) \
	do { \
		while (!(cond)) \
			sched_yield(); \
	} while (0)

#endif
