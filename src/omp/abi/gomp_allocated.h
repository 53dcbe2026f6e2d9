/* omp/abi/gomp_allocated.h -- variables that compiled code has allocated.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_GOMP_ALLOCATED_H
#define QOMP_GOMP_ALLOCATED_H

#include <stdbool.h>

#pragma GCC visibility push(default)

/* Remembers p, but NULL; whether p is remembered, which it is no longer then. */
void GOMP_add_alloc(void *p);
bool GOMP_is_alloc(void *p);

#pragma GCC visibility pop

#endif
