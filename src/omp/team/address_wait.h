/* omp/team/address_wait.h -- waiting for a word of memory: by its address.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Locks, turns and events are words of 32 bits that need room for nothing else; who waits for a change of one is
 * found here, by its address.  A task that waits gives its worker away, another OS thread sleeps on a futex.
 *
 * Z1  who waits: under the bucket's lock, raise `waiting` (seq_cst), look at the word (seq_cst); still as expected:
 *     queue up, drop the lock, sleep || who changes it: change the word (release), then qomp_address_wake: fence_sc,
 *     look at `waiting`
 *
 * so either the waiter sees the change or the other sees the waiter.  The idea is that of futexes (Franke, Russell and
 * Kirkwood, "Fuss, Futexes and Furwocks", OLS 2002).  Checked by test/stress/omp_address_wait.c, test/check/children.c.
 */
#ifndef QOMP_ADDRESS_WAIT_H
#define QOMP_ADDRESS_WAIT_H

#include "base/atomic.h"
#include "sync/waiter.h"

#include <limits.h>

/* Returns once qomp_address_wake was called for the word, or when it does not hold `expected` any more; also for
 * nothing: look again.  Spins for a while first. */
void qomp_address_wait(const uint32_t *word, uint32_t expected);

/* The same, of who is shown to wait for a lock. */
void qomp_address_wait_lock(const uint32_t *word, uint32_t expected, bool nestable);

/* As the first, but returns at once if reason(arg) is true, too.  Whoever makes it true calls qomp_address_wake after
 * that. */
void qomp_address_wait_unless(
	const uint32_t *word, uint32_t expected, bool (*reason)(const void *arg), const void *arg);

/* Wakes up to n who wait for the word, first come first served.  The word may be no more: it is only an address. */
void qomp_address_wake(const uint32_t *word, unsigned n);

/* Stores (release) and wakes everybody. */
static inline void qomp_address_set(uint32_t *word, uint32_t value)
{
	store_rel(word, value);
	qomp_address_wake(word, UINT_MAX);
}

/* Calls visit(waiter, arg) for everybody who waits, under the bucket's lock. */
void qomp_address_each_waiter(qti_waiter_visit visit, void *arg);

/* The runtime ends, and with it the tasks that wait for ever. */
void qomp_address_forget_tasks(void);

/* In the child of fork(2). */
void qomp_address_forget(void);

#endif
