/* omp/abi/kmpc_critical.c -- critical sections, as clang calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmpc_region.h"

#include "omp/team/lock.h"

void __kmpc_critical(struct kmpc_ident *loc, int32_t thread, kmpc_critical_name *name)
{
	(void)loc, (void)thread;
	qomp_lock_take((uint32_t *)name);
	qomp_locks_held++;
}

/* One kind of lock does for all hints. */
void __kmpc_critical_with_hint(struct kmpc_ident *loc, int32_t thread, kmpc_critical_name *name, uint32_t hint)
{
	(void)hint;
	__kmpc_critical(loc, thread, name);
}

void __kmpc_end_critical(struct kmpc_ident *loc, int32_t thread, kmpc_critical_name *name)
{
	(void)loc, (void)thread;
	qomp_locks_held--;
	qomp_lock_drop((uint32_t *)name);
}
