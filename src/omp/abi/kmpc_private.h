/* omp/abi/kmpc_private.h -- threadprivate variables that are not in thread-local storage, as Intel's compilers and
 * flang ask for them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The thread with number 0 uses the variable itself; each other one has a block of its own, begun when it first asks.
 */
#ifndef QOMP_KMPC_PRIVATE_H
#define QOMP_KMPC_PRIVATE_H

#include "omp/abi/kmpc.h"

/* How an object is made, alone or as a copy, and destroyed; NULL: by copying bytes, and nothing. */
typedef void *kmpc_construct(void *object);
typedef void *kmpc_copy(void *object, void *from);
typedef void kmpc_destruct(void *object);
typedef void *kmpc_construct_many(void *object, size_t n);
typedef void *kmpc_copy_many(void *object, void *from, size_t n);
typedef void kmpc_destruct_many(void *object, size_t n);

#pragma GCC visibility push(default)

void __kmpc_threadprivate_register(struct kmpc_ident *loc, void *data, kmpc_construct *construct, kmpc_copy *copy,
                                   kmpc_destruct *destruct);
void __kmpc_threadprivate_register_vec(struct kmpc_ident *loc, void *data, kmpc_construct_many *construct,
                                       kmpc_copy_many *copy, kmpc_destruct_many *destruct, size_t n);

/* The calling thread's.  _cached: *cache becomes a table by number, in which compiled code looks first. */
void *__kmpc_threadprivate(struct kmpc_ident *loc, int32_t thread, void *data, size_t size);
void *__kmpc_threadprivate_cached(struct kmpc_ident *loc, int32_t thread, void *data, size_t size, void ***cache);

#pragma GCC visibility pop

#endif
