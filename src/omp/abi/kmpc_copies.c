/* omp/abi/kmpc_copies.c -- reductions by tasks, as clang calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmpc_copies.h"

#include "omp/team/standing.h"

void *__kmpc_taskred_init(int32_t thread, int32_t n, struct qomp_copied *item)
{
	(void)thread;
	return qomp_copies_register(qomp_frame(), (unsigned)n, item);
}

void *__kmpc_taskred_modifier_init(
	struct kmpc_ident *loc, int32_t thread, int32_t is_ws, int32_t n, struct qomp_copied *item)
{
	(void)loc, (void)thread, (void)is_ws;
	return qomp_copies_open(qomp_frame(), (unsigned)n, item);
}

void __kmpc_task_reduction_modifier_fini(struct kmpc_ident *loc, int32_t thread, int32_t is_ws)
{
	(void)loc, (void)thread, (void)is_ws;
	qomp_copies_close(qomp_frame());
}

void *__kmpc_task_reduction_get_th_data(int32_t thread, void *group, void *item)
{
	(void)thread;
	return qomp_copies_find(qomp_frame(), group, item);
}

/* --- before LLVM 11 -------------------------------------------------------------------------------------- */

/* A function that is given one argument more than it takes. */
static void item_renew(struct qomp_copied *to, const struct kmpc_copied_old *from)
{
	*to = (struct qomp_copied){
		.shared = from->shared, .original = from->shared, .size = from->size,
		.begin = (void (*)(void *, void *))(void (*)(void))from->begin,
		.end = from->end, .merge = from->merge, .flags = from->flags,
	};
}

void *__kmpc_task_reduction_init(int32_t thread, int32_t n, struct kmpc_copied_old *old)
{
	struct qomp_copied item[n > 0 ? n : 1];

	for (int32_t i = 0; i < n; i++)
		item_renew(&item[i], &old[i]);
	return __kmpc_taskred_init(thread, n, item);
}

void *__kmpc_task_reduction_modifier_init(struct kmpc_ident *loc, int32_t thread, int32_t is_ws, int32_t n,
                                          struct kmpc_copied_old *old)
{
	struct qomp_copied item[n > 0 ? n : 1];

	for (int32_t i = 0; i < n; i++)
		item_renew(&item[i], &old[i]);
	return __kmpc_taskred_modifier_init(loc, thread, is_ws, n, item);
}
