/* omp/abi/kmpc_memory.c -- memory for variables with an allocator, as clang asks for it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmpc_memory.h"

#include "omp/abi/allocator.h"
#include "omp/abi/api.h"
#include "omp/abi/memory.h"

void *__kmpc_alloc(int32_t thread, size_t size, uintptr_t allocator)
{
	(void)thread;
	return omp_alloc(size, allocator);
}

void *__kmpc_aligned_alloc(int32_t thread, size_t align, size_t size, uintptr_t allocator)
{
	(void)thread;
	return omp_aligned_alloc(align, size, allocator);
}

void *__kmpc_calloc(int32_t thread, size_t n, size_t size, uintptr_t allocator)
{
	(void)thread;
	return omp_calloc(n, size, allocator);
}

void *__kmpc_realloc(int32_t thread, void *p, size_t size, uintptr_t allocator, uintptr_t free_allocator)
{
	(void)thread;
	return omp_realloc(p, size, allocator, free_allocator);
}

void __kmpc_free(int32_t thread, void *p, uintptr_t allocator)
{
	(void)thread;
	omp_free(p, allocator);
}

uintptr_t __kmpc_init_allocator(int32_t thread, uintptr_t space, int32_t n, const struct qomp_trait *traits)
{
	(void)thread;
	return omp_init_allocator(space, n, traits);
}

void __kmpc_destroy_allocator(int32_t thread, uintptr_t allocator)
{
	(void)thread;
	omp_destroy_allocator(allocator);
}

void __kmpc_set_default_allocator(int32_t thread, uintptr_t allocator)
{
	(void)thread;
	omp_set_default_allocator(allocator);
}

uintptr_t __kmpc_get_default_allocator(int32_t thread)
{
	(void)thread;
	return omp_get_default_allocator();
}
