/* omp/abi/kmpc_lock.h -- what Intel's compilers call for locks.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_KMPC_LOCK_H
#define QOMP_KMPC_LOCK_H

#include "omp/abi/kmpc.h"

#pragma GCC visibility push(default)

void __kmpc_init_lock(struct kmpc_ident *loc, int32_t thread, void **lock);
void __kmpc_init_lock_with_hint(struct kmpc_ident *loc, int32_t thread, void **lock, uintptr_t hint);
void __kmpc_destroy_lock(struct kmpc_ident *loc, int32_t thread, void **lock);
void __kmpc_set_lock(struct kmpc_ident *loc, int32_t thread, void **lock);
void __kmpc_unset_lock(struct kmpc_ident *loc, int32_t thread, void **lock);
int32_t __kmpc_test_lock(struct kmpc_ident *loc, int32_t thread, void **lock);
void __kmpc_init_nest_lock(struct kmpc_ident *loc, int32_t thread, void **lock);
void __kmpc_init_nest_lock_with_hint(struct kmpc_ident *loc, int32_t thread, void **lock, uintptr_t hint);
void __kmpc_destroy_nest_lock(struct kmpc_ident *loc, int32_t thread, void **lock);
void __kmpc_set_nest_lock(struct kmpc_ident *loc, int32_t thread, void **lock);
void __kmpc_unset_nest_lock(struct kmpc_ident *loc, int32_t thread, void **lock);
int32_t __kmpc_test_nest_lock(struct kmpc_ident *loc, int32_t thread, void **lock);

#pragma GCC visibility pop

#endif
