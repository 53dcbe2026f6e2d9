/* omp/abi/allocator.c -- the routines that make allocators from traits, and destroy them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/allocator.h"

#include "base/mem.h"
#include "omp/abi/api.h"

uintptr_t omp_init_allocator(uintptr_t space, int n, const struct qomp_trait *traits)
{
	return qomp_allocator_make(space, n, traits);
}

void omp_destroy_allocator(uintptr_t allocator)
{
	qti_mem_free(qomp_allocator(allocator));
}

uintptr_t omp_init_allocator_(const uintptr_t *space, const int32_t *n, const struct qomp_trait *traits)
{
	return omp_init_allocator(*space, *n, traits);
}

uintptr_t omp_init_allocator_8_(const uintptr_t *space, const int64_t *n, const struct qomp_trait *traits)
{
	return omp_init_allocator(*space, qomp_to_int(*n), traits);
}

void omp_destroy_allocator_(const uintptr_t *allocator)
{
	omp_destroy_allocator(*allocator);
}
