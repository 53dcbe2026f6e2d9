/* omp/env/allocator.h -- allocators: what they are made of, and what omp/abi/memory.c sees of them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_ALLOCATOR_H
#define QOMP_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The standard's have the numbers 1 to 8; GCC's own 200, for pinned memory, and 201, for memory shared with devices.
 * No address is as low as these. */
enum { QOMP_ALLOCATOR_DEFAULT = 1, QOMP_ALLOCATOR_NUMBERS = 4096 };

enum qomp_trait_key {                   /* the numbers of omp_alloctrait_key_t */
	QOMP_TRAIT_SYNC_HINT = 1,
	QOMP_TRAIT_ALIGNMENT,
	QOMP_TRAIT_ACCESS,
	QOMP_TRAIT_POOL_SIZE,
	QOMP_TRAIT_FALLBACK,
	QOMP_TRAIT_FALLBACK_ALLOCATOR,
	QOMP_TRAIT_PINNED,
	QOMP_TRAIT_PARTITION,
	/* OpenMP 6.0's; 9 is a device that pins memory, and here is none. */
	QOMP_TRAIT_PREFERRED_DEVICE = 10,
	QOMP_TRAIT_DEVICE_ACCESS,
	QOMP_TRAIT_TARGET_ACCESS,
	QOMP_TRAIT_ATOMIC_SCOPE,
	QOMP_TRAIT_PART_SIZE,
};

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

/* Whether an allocator can have the trait. */
bool qomp_allocator_can(const struct qomp_trait *trait);

/* An allocator of a memory space (omp_memspace_handle_t) with these traits; 0: it cannot be had. */
uintptr_t qomp_allocator_make(uintptr_t space, int n, const struct qomp_trait *traits);

#endif
