/* omp/abi/memory.h -- memory that programs allocate through OpenMP.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An allocator is one of those that have a number, or has been made with traits.  There is one kind of memory; so the
 * traits that count are the alignment, the size of the pool, and what happens when that or the memory is used up.
 */
#ifndef QOMP_MEMORY_H
#define QOMP_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)

/* NULL if size is 0, align (which may be 0) is not a power of two, or as the allocator's fallback says. */
void *omp_alloc(size_t size, uintptr_t allocator);
void *omp_aligned_alloc(size_t align, size_t size, uintptr_t allocator);
void *omp_calloc(size_t n, size_t size, uintptr_t allocator);
void *omp_aligned_calloc(size_t align, size_t n, size_t size, uintptr_t allocator);
void *omp_realloc(void *p, size_t size, uintptr_t allocator, uintptr_t free_allocator);
void omp_free(void *p, uintptr_t allocator);

/* What compiled code calls for the allocate clause: aborts when out of memory. */
void *GOMP_alloc(size_t align, size_t size, uintptr_t allocator);
void GOMP_free(void *p, uintptr_t allocator);

#pragma GCC visibility pop

#endif
