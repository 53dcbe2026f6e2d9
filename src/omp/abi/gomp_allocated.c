/* omp/abi/gomp_allocated.c -- which of Fortran's allocatable variables have come from an allocator of OpenMP's.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * deallocate, and assignments that make a variable another size, cannot tell from the address alone whether free or
 * GOMP_free is to take it.  So compiled code announces what GOMP_alloc has given, and asks before it gives it back.
 */
#include "omp/abi/gomp_allocated.h"

#include "base/forked.h"
#include "base/lock.h"
#include "omp/env/text.h"

#include <search.h>
#include <stdbool.h>

static void *allocated;                 /* a tree of tsearch(3), whose keys are the addresses themselves */
static struct qti_lock lock;            /* its */

static int address_compare(const void *a, const void *b)
{
	return ((uintptr_t)a > (uintptr_t)b) - ((uintptr_t)a < (uintptr_t)b);
}

void GOMP_add_alloc(void *p)
{
	void *known;

	if (!p)
		return;
	qti_lock_take(&lock);
	known = tsearch(p, &allocated, address_compare);
	qti_lock_drop(&lock);
	if (!known)
		qomp_fatal("out of memory to remember an allocatable variable");
}

bool GOMP_is_alloc(void *p)
{
	bool known;

	if (!p)
		return false;
	qti_lock_take(&lock);
	known = tdelete(p, &allocated, address_compare) != NULL;
	qti_lock_drop(&lock);
	return known;
}

static void allocated_lock(void)
{
	qti_lock_take(&lock);
}

static void allocated_unlock(void)
{
	qti_lock_drop(&lock);
}

QTI_FORKED(QTI_FORKED_LOCKS, allocated_lock, allocated_unlock, NULL)
