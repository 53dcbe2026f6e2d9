/* omp/abi/kmpc_memory.h -- what clang calls for memory.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_KMPC_MEMORY_H
#define QOMP_KMPC_MEMORY_H

#include "omp/abi/kmpc.h"

struct qomp_trait;

#pragma GCC visibility push(default)

void *__kmpc_alloc(int32_t thread, size_t size, uintptr_t allocator);
void *__kmpc_aligned_alloc(int32_t thread, size_t align, size_t size, uintptr_t allocator);
void *__kmpc_calloc(int32_t thread, size_t n, size_t size, uintptr_t allocator);
void *__kmpc_realloc(int32_t thread, void *p, size_t size, uintptr_t allocator, uintptr_t free_allocator);
void __kmpc_free(int32_t thread, void *p, uintptr_t allocator);
uintptr_t __kmpc_init_allocator(int32_t thread, uintptr_t space, int32_t n, const struct qomp_trait *traits);
void __kmpc_destroy_allocator(int32_t thread, uintptr_t allocator);
void __kmpc_set_default_allocator(int32_t thread, uintptr_t allocator);
uintptr_t __kmpc_get_default_allocator(int32_t thread);

#pragma GCC visibility pop

#endif
