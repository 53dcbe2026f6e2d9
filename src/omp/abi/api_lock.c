/* omp/abi/api_lock.c -- the lock routines.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/api.h"
#include "omp/team/called.h"
#include "omp/team/told_lock.h"

static void init_lock(uint32_t *lock)
{
	qomp_tool_called();
	store_rlx(lock, QOMP_LOCK_FREE);
	qomp_lock_made(lock, ompt_mutex_lock, 0);
}

static void destroy_lock(uint32_t *lock)
{
	qomp_tool_called();
	qomp_lock_gone(lock, ompt_mutex_lock);  /* there is nothing but the word */
}

static __attribute__((noinline)) void set_lock_told(uint32_t *lock)
{
	qomp_tool_called();
	qomp_lock_enter(lock, ompt_mutex_lock);
	qomp_locks_held++;
}

static void set_lock(uint32_t *lock)
{
	if (qomp_tool_maybe()) {
		set_lock_told(lock);
		return;
	}
	qomp_lock_take(lock);
	qomp_locks_held++;
}

static __attribute__((noinline)) void unset_lock_told(uint32_t *lock)
{
	qomp_tool_called();
	qomp_locks_held--;
	qomp_lock_leave(lock, ompt_mutex_lock);
}

static void unset_lock(uint32_t *lock)
{
	if (qomp_tool_maybe()) {
		unset_lock_told(lock);
		return;
	}
	qomp_locks_held--;
	qomp_lock_drop(lock);
}

static __attribute__((noinline)) int test_lock_told(uint32_t *lock)
{
	qomp_tool_called();
	bool taken = qomp_lock_enter_try(lock);

	qomp_locks_held += taken;
	return taken;
}

static int test_lock(uint32_t *lock)
{
	if (qomp_tool_maybe())
		return test_lock_told(lock);
	bool taken = qomp_lock_try(lock);

	qomp_locks_held += taken;
	return taken;
}

static void init_nest_lock(uint64_t *lock)
{
	qomp_tool_called();
	store_rlx(lock, 0);
	qomp_lock_made(lock, ompt_mutex_nest_lock, 0);
}

static void destroy_nest_lock(uint64_t *lock)
{
	qomp_tool_called();
	qomp_lock_gone(lock, ompt_mutex_nest_lock);
}

static __attribute__((noinline)) void set_nest_lock_rare(uint64_t *lock)
{
	qomp_tool_called();
	qomp_nest_enter(lock);
	qomp_locks_held++;
}

static void set_nest_lock(uint64_t *lock)
{
	struct qomp_frame *f = qomp_frame_if_any();

	if (qti_unlikely(!f || qomp_frame_is_rare(f))) {
		set_nest_lock_rare(lock);
		return;
	}
	qomp_nest_take(f, lock);
	qomp_locks_held++;
}

static __attribute__((noinline)) void unset_nest_lock_told(uint64_t *lock)
{
	qomp_tool_called();
	qomp_locks_held--;
	qomp_nest_leave(lock);
}

static void unset_nest_lock(uint64_t *lock)
{
	if (qomp_tool_maybe()) {
		unset_nest_lock_told(lock);
		return;
	}
	qomp_locks_held--;
	qomp_nest_drop(lock);
}

static __attribute__((noinline)) int test_nest_lock_told(uint64_t *lock)
{
	qomp_tool_called();
	int count = (int)qomp_nest_enter_try(lock);

	qomp_locks_held += count != 0;
	return count;
}

static int test_nest_lock(uint64_t *lock)
{
	if (qomp_tool_maybe())
		return test_nest_lock_told(lock);
	int count = (int)qomp_nest_try(qomp_frame(), lock);

	qomp_locks_held += count != 0;
	return count;
}

/* Every routine stands at two versions: OMP_1.0 is what programs older than GCC 4.4 ask for.  Clang has only the
 * assembler for this, which link-time optimization would lose. */
#ifdef __has_attribute
#if __has_attribute(symver)
#define AT(version, symbol, name) \
	extern __typeof__(name) symbol __attribute__((alias(#name), symver(version))) QOMP_EXPORT
#endif
#endif
#ifndef AT
#define AT(version, symbol, name) \
	extern __typeof__(name) symbol __attribute__((alias(#name))) QOMP_EXPORT; \
	__asm__(".symver " #symbol ", " version)
#endif

/* A lock is a reference to Fortran as well. */
#define EVERYWHERE(name) \
	AT("omp_" #name "@@OMP_3.0", qomp_new_##name, name); \
	AT("omp_" #name "_@@OMP_3.0", qomp_new_fortran_##name, name); \
	AT("omp_" #name "@OMP_1.0", qomp_old_##name, name); \
	AT("omp_" #name "_@OMP_1.0", qomp_old_fortran_##name, name)

EVERYWHERE(init_lock);
EVERYWHERE(destroy_lock);
EVERYWHERE(set_lock);
EVERYWHERE(unset_lock);
EVERYWHERE(test_lock);
EVERYWHERE(init_nest_lock);
EVERYWHERE(destroy_nest_lock);
EVERYWHERE(set_nest_lock);
EVERYWHERE(unset_nest_lock);
EVERYWHERE(test_nest_lock);
