/* omp/abi/kmpc_copies.h -- what clang calls for reductions by tasks.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_KMPC_COPIES_H
#define QOMP_KMPC_COPIES_H

#include "omp/abi/kmpc.h"
#include "omp/task/copies.h"

/* Before LLVM 11 copies knew nothing of the original. */
struct kmpc_copied_old {
	void *shared;
	size_t size;
	void (*begin)(void *copy);
	void (*end)(void *copy);
	void (*merge)(void *into, void *from);
	uint32_t flags;
};

#pragma GCC visibility push(default)

/* Of the innermost taskgroup; returns a name for it. */
void *__kmpc_taskred_init(int32_t thread, int32_t n, struct qomp_copied *item);
void *__kmpc_task_reduction_init(int32_t thread, int32_t n, struct kmpc_copied_old *old);

/* Of a region or a work-sharing construct (is_ws), by all of its threads. */
void *__kmpc_taskred_modifier_init(
	struct kmpc_ident *loc, int32_t thread, int32_t is_ws, int32_t n, struct qomp_copied *item);
void *__kmpc_task_reduction_modifier_init(struct kmpc_ident *loc, int32_t thread, int32_t is_ws, int32_t n,
                                          struct kmpc_copied_old *old);
void __kmpc_task_reduction_modifier_fini(struct kmpc_ident *loc, int32_t thread, int32_t is_ws);

/* The running task's copy of the item, by any of the addresses that it has.  group: NULL or a name. */
void *__kmpc_task_reduction_get_th_data(int32_t thread, void *group, void *item);

#pragma GCC visibility pop

#endif
