/* omp/team/lock.h -- locks in 4 bytes, and locks in 8 bytes that their owner may take again.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * These are the sizes that every compiler leaves room for: GCC has 4 and 16 bytes in C and 4 and 8 in Fortran, before
 * 4.4 it had 4 and 8, clang has 8 and 8.  All zero bytes are a free lock.
 *
 * A plain lock is free, held, or held while somebody may wait for it; waiters queue up under its address
 * (Drepper, "Futexes Are Tricky", 2011, the second mutex).
 *
 * LK1  take sleeps only on a word that says CONTENDED || drop exchanges FREE into it (acq_rel) and, if it said so,
 *      calls qomp_address_wake: Z1 does the rest.  Who has slept takes the lock as CONTENDED: there may be others.
 *
 * The acquire of the word that take finds FREE pairs with drop's exchange.  Checked by test/stress/omp_locks.c.
 */
#ifndef QOMP_LOCK_H
#define QOMP_LOCK_H

#include "omp/team/address_wait.h"

/* Locks and critical sections that tasks of the calling OS thread have, by the calls of the program.  Not 0 where a
 * program has one thread lock what another unlocks. */
extern __thread int qomp_locks_held __attribute__((tls_model("initial-exec")));

enum { QOMP_LOCK_FREE, QOMP_LOCK_HELD, QOMP_LOCK_CONTENDED };

void qomp_lock_take_slowly(uint32_t *l);

static inline bool qomp_lock_try(uint32_t *l)
{
	uint32_t seen = QOMP_LOCK_FREE;

	return cas_acq(l, &seen, QOMP_LOCK_HELD);
}

static inline void qomp_lock_take(uint32_t *l)
{
	if (qti_unlikely(!qomp_lock_try(l)))
		qomp_lock_take_slowly(l);
}

static inline void qomp_lock_drop(uint32_t *l)
{
	if (qti_unlikely(swap_acq_rel(l, QOMP_LOCK_FREE) == QOMP_LOCK_CONTENDED))               /* LK1 */
		qomp_address_wake(l, 1);
}

struct qomp_frame;

/* The same for the running task, which may hold the lock already: how often it does now; 0 if try failed.  drop: it
 * does not any more. */
unsigned qomp_nest_take(const struct qomp_frame *f, uint64_t *l);
unsigned qomp_nest_try(const struct qomp_frame *f, uint64_t *l);
bool qomp_nest_drop(uint64_t *l);

/* The frame of the task that has the lock for whose word somebody waits; NULL: nobody has it. */
const struct qomp_frame *qomp_nest_owner(const uint32_t *waited);

#endif
