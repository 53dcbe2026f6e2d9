/* omp/abi/allocator.h -- the routines that make and destroy allocators.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_ABI_ALLOCATOR_H
#define QOMP_ABI_ALLOCATOR_H

#include "omp/env/allocator.h"

#pragma GCC visibility push(default)

uintptr_t omp_init_allocator(uintptr_t space, int n, const struct qomp_trait *traits);
void omp_destroy_allocator(uintptr_t allocator);

uintptr_t omp_init_allocator_(const uintptr_t *space, const int32_t *n, const struct qomp_trait *traits);
uintptr_t omp_init_allocator_8_(const uintptr_t *space, const int64_t *n, const struct qomp_trait *traits);
void omp_destroy_allocator_(const uintptr_t *allocator);

#pragma GCC visibility pop

#endif
