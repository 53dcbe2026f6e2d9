/* omp/abi/allocator.h -- allocators: making them, and what memory.c sees of them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_ALLOCATOR_H
#define QOMP_ALLOCATOR_H

#include <stddef.h>
#include <stdint.h>

/* The standard's have the numbers 1 to 8; GCC's own 200, for pinned memory, and 201, for memory shared with devices.
 * No address is as low as these. */
enum { QOMP_ALLOCATOR_DEFAULT = 1, QOMP_ALLOCATOR_NUMBERS = 4096 };

struct qomp_trait {
	uint32_t key;
	uintptr_t value;
};

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

#pragma GCC visibility push(default)

uintptr_t omp_init_allocator(uintptr_t space, int n, const struct qomp_trait *traits);
void omp_destroy_allocator(uintptr_t allocator);

uintptr_t omp_init_allocator_(const uintptr_t *space, const int32_t *n, const struct qomp_trait *traits);
uintptr_t omp_init_allocator_8_(const uintptr_t *space, const int64_t *n, const struct qomp_trait *traits);
void omp_destroy_allocator_(const uintptr_t *allocator);

#pragma GCC visibility pop

#endif
