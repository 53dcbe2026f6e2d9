/* omp/abi/allocator.h -- allocators, as memory.c sees them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_ALLOCATOR_H
#define QOMP_ALLOCATOR_H

#include "omp/abi/memory.h"

enum qomp_fallback {                    /* the numbers of omp_alloctrait_value_t */
	QOMP_FALLBACK_DEFAULT_MEM = 11,
	QOMP_FALLBACK_NULL = 12,
	QOMP_FALLBACK_ABORT = 13,
	QOMP_FALLBACK_ALLOCATOR = 14,
};

struct qomp_allocator {
	size_t align;                   /* of all that it gives */
	size_t pool;                    /* bytes that its blocks may take, all told; SIZE_MAX: no limit */
	size_t used;                    /* bytes in use, if there is a limit */
	enum qomp_fallback fallback;
	uintptr_t next;                 /* where QOMP_FALLBACK_ALLOCATOR turns to */
};

/* NULL: one of those that have a number, and no traits. */
static inline struct qomp_allocator *qomp_allocator(uintptr_t handle)
{
	return handle >= QOMP_ALLOCATOR_NUMBERS ? (struct qomp_allocator *)handle : NULL;
}

#endif
