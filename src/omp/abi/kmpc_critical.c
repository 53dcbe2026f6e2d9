/* omp/abi/kmpc_critical.c -- critical sections, as clang calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmpc_region.h"

#include "omp/team/told_lock.h"

static __attribute__((noinline)) void enter_told(kmpc_critical_name *name)
{
	qomp_tool_called();
	qomp_section_enter_told((uint32_t *)name, ompt_mutex_critical);
	qomp_locks_held++;
}

static __attribute__((noinline)) void leave_told(kmpc_critical_name *name)
{
	qomp_tool_called();
	qomp_locks_held--;
	qomp_section_leave_told((uint32_t *)name, ompt_mutex_critical);
}

void __kmpc_critical(struct kmpc_ident *loc, int32_t thread, kmpc_critical_name *name)
{
	(void)loc, (void)thread;
	if (qomp_tool_maybe()) {
		enter_told(name);
		return;
	}
	qomp_section_enter((uint32_t *)name);
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
	if (qomp_tool_maybe()) {
		leave_told(name);
		return;
	}
	qomp_locks_held--;
	qomp_section_leave((uint32_t *)name);
}
