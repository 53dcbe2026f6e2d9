/* omp/abi/api_lock.c -- the lock routines.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/api.h"
#include "omp/team/lock.h"

static void init_lock(uint32_t *lock)
{
	store_rlx(lock, QOMP_LOCK_FREE);
}

static void destroy_lock(uint32_t *lock)
{
	(void)lock;     /* there is nothing but the word */
}

static void set_lock(uint32_t *lock)
{
	qomp_lock_take(lock);
	qomp_locks_held++;
}

static void unset_lock(uint32_t *lock)
{
	qomp_locks_held--;
	qomp_lock_drop(lock);
}

static int test_lock(uint32_t *lock)
{
	bool taken = qomp_lock_try(lock);

	qomp_locks_held += taken;
	return taken;
}

static void init_nest_lock(uint64_t *lock)
{
	store_rlx(lock, 0);
}

static void destroy_nest_lock(uint64_t *lock)
{
	(void)lock;
}

static void set_nest_lock(uint64_t *lock)
{
	qomp_nest_take(lock);
	qomp_locks_held++;
}

static void unset_nest_lock(uint64_t *lock)
{
	qomp_locks_held--;
	qomp_nest_drop(lock);
}

static int test_nest_lock(uint64_t *lock)
{
	int count = (int)qomp_nest_try(lock);

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
