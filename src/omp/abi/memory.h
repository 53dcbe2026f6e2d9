/* omp/abi/memory.h -- memory that programs allocate through OpenMP.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An allocator is one of those that have a number, or has been made with traits.  There is one kind of memory; so the traits
 * that count are the alignment, the size of the pool, and what happens when that or the memory is used up.
 */
#ifndef QOMP_MEMORY_H
#define QOMP_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The standard's have the numbers 1 to 8; GCC's own 200, for pinned memory, and 201, for memory shared with devices.  No address
 * is as low as these. */
enum { QOMP_ALLOCATOR_DEFAULT = 1, QOMP_ALLOCATOR_NUMBERS = 4096 };

struct qomp_trait {
	uint32_t key;
	uintptr_t value;
};

#pragma GCC visibility push(default)

uintptr_t omp_init_allocator(uintptr_t space, int n, const struct qomp_trait *traits);
void omp_destroy_allocator(uintptr_t allocator);

/* NULL if size is 0, align (which may be 0) is not a power of two, or as the allocator's fallback says. */
void *omp_alloc(size_t size, uintptr_t allocator);
void *omp_aligned_alloc(size_t align, size_t size, uintptr_t allocator);
void *omp_calloc(size_t n, size_t size, uintptr_t allocator);
void *omp_aligned_calloc(size_t align, size_t n, size_t size, uintptr_t allocator);
void *omp_realloc(void *p, size_t size, uintptr_t allocator, uintptr_t free_allocator);
void omp_free(void *p, uintptr_t allocator);

uintptr_t omp_init_allocator_(const uintptr_t *space, const int32_t *n, const struct qomp_trait *traits);
uintptr_t omp_init_allocator_8_(const uintptr_t *space, const int64_t *n, const struct qomp_trait *traits);
void omp_destroy_allocator_(const uintptr_t *allocator);

/* What compiled code calls for the allocate clause: aborts when out of memory. */
void *GOMP_alloc(size_t align, size_t size, uintptr_t allocator);
void GOMP_free(void *p, uintptr_t allocator);

/* gomp_allocated.c.  Remembers p, but NULL; whether p is remembered, which it is no longer then. */
void GOMP_add_alloc(void *p);
bool GOMP_is_alloc(void *p);

#pragma GCC visibility pop

#endif
