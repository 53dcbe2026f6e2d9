/* omp/gomp_critical.c -- critical sections, and atomic operations that the processor does not have.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/gomp_critical.h"

#include "omp/lock.h"

/* One in the program each, on lines of their own. */
static struct {
	uint32_t lock QTI_ALIGNED_LINE;
} unnamed, atomic;

void GOMP_critical_start(void)
{
	qomp_lock_take(&unnamed.lock);
}

void GOMP_critical_end(void)
{
	qomp_lock_drop(&unnamed.lock);
}

void GOMP_critical_name_start(void **name)
{
	qomp_lock_take((uint32_t *)name);
}

void GOMP_critical_name_end(void **name)
{
	qomp_lock_drop((uint32_t *)name);
}

void GOMP_atomic_start(void)
{
	qomp_lock_take(&atomic.lock);
}

void GOMP_atomic_end(void)
{
	qomp_lock_drop(&atomic.lock);
}
