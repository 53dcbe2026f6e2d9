/* omp/abi/kmpc_lock.c -- locks, as Intel's compilers call them: the routines of <omp.h>.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmpc_lock.h"

#include "omp/team/told_lock.h"

void __kmpc_init_lock(struct kmpc_ident *loc, int32_t thread, void **lock)
{
	qomp_tool_called();
	(void)loc, (void)thread;
	store_rlx((uint32_t *)lock, QOMP_LOCK_FREE);
	qomp_lock_made(lock, ompt_mutex_lock, 0);
}

void __kmpc_init_lock_with_hint(struct kmpc_ident *loc, int32_t thread, void **lock, uintptr_t hint)
{
	(void)hint;
	__kmpc_init_lock(loc, thread, lock);
}

/* There is nothing but the word. */
void __kmpc_destroy_lock(struct kmpc_ident *loc, int32_t thread, void **lock)
{
	qomp_tool_called();
	(void)loc, (void)thread;
	qomp_lock_gone(lock, ompt_mutex_lock);
}

void __kmpc_set_lock(struct kmpc_ident *loc, int32_t thread, void **lock)
{
	qomp_tool_called();
	(void)loc, (void)thread;
	qomp_lock_enter((uint32_t *)lock, ompt_mutex_lock);
	qomp_locks_held++;
}

void __kmpc_unset_lock(struct kmpc_ident *loc, int32_t thread, void **lock)
{
	qomp_tool_called();
	(void)loc, (void)thread;
	qomp_locks_held--;
	qomp_lock_leave((uint32_t *)lock, ompt_mutex_lock);
}

int32_t __kmpc_test_lock(struct kmpc_ident *loc, int32_t thread, void **lock)
{
	qomp_tool_called();
	bool taken = qomp_lock_enter_try((uint32_t *)lock);

	(void)loc, (void)thread;
	qomp_locks_held += taken;
	return taken;
}

void __kmpc_init_nest_lock(struct kmpc_ident *loc, int32_t thread, void **lock)
{
	qomp_tool_called();
	(void)loc, (void)thread;
	store_rlx((uint64_t *)lock, 0);
	qomp_lock_made(lock, ompt_mutex_nest_lock, 0);
}

void __kmpc_init_nest_lock_with_hint(struct kmpc_ident *loc, int32_t thread, void **lock, uintptr_t hint)
{
	(void)hint;
	__kmpc_init_nest_lock(loc, thread, lock);
}

void __kmpc_destroy_nest_lock(struct kmpc_ident *loc, int32_t thread, void **lock)
{
	qomp_tool_called();
	(void)loc, (void)thread;
	qomp_lock_gone(lock, ompt_mutex_nest_lock);
}

void __kmpc_set_nest_lock(struct kmpc_ident *loc, int32_t thread, void **lock)
{
	qomp_tool_called();
	(void)loc, (void)thread;
	qomp_nest_enter((uint64_t *)lock);
	qomp_locks_held++;
}

void __kmpc_unset_nest_lock(struct kmpc_ident *loc, int32_t thread, void **lock)
{
	qomp_tool_called();
	(void)loc, (void)thread;
	qomp_locks_held--;
	qomp_nest_leave((uint64_t *)lock);
}

int32_t __kmpc_test_nest_lock(struct kmpc_ident *loc, int32_t thread, void **lock)
{
	qomp_tool_called();
	unsigned depth = qomp_nest_enter_try((uint64_t *)lock);

	(void)loc, (void)thread;
	qomp_locks_held += depth != 0;
	return (int32_t)depth;
}
