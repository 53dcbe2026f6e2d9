/* omp/team/lock.c -- locks: the contended case, and the owner of a nestable one.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/lock.h"

#include "base/poll.h"
#include "base/tuning.h"
#include "omp/env/text.h"
#include "omp/team/standing.h"

__thread int qomp_locks_held __attribute__((tls_model("initial-exec")));

static void take_slowly(uint32_t *l)
{
	struct qti_poll poll = { .ns = TUNE_OMP_LOCK_NS };

	do
		if (load_rlx(l) == QOMP_LOCK_FREE && qomp_lock_try(l))
			return;
	while (qti_poll_again(&poll));
	while (swap_acq(l, QOMP_LOCK_CONTENDED) != QOMP_LOCK_FREE)                               /* LK1 */
		qomp_address_wait_lock(l, QOMP_LOCK_CONTENDED, false);
}

void qomp_lock_take_slowly(uint32_t *l)
{
	qti_guest_trace(QTI_TRACE_LOCK, 0, (uintptr_t)l);
	take_slowly(l);
	qti_guest_trace_waited(QTI_TRACE_LOCK);
}

/* The word of a nestable lock, 0 while it is free:
 *
 *     bit 0            somebody may wait for it, as in CONTENDED
 *     bit 1            it is held
 *     bits 2 to 43     its owner: the frame's address, bits 6 to 47
 *     bits 44 to 63    how often the owner has it
 *
 * The whole word changes when the lock is taken and dropped.  In between the lower half is the others', who set bit 0
 * and wait for that half to change; the upper one is the owner's alone,
 * who counts there without a locked instruction. */
#define WAITED UINT32_C(1)
#define HELD UINT64_C(2)
#define OWNER (((UINT64_C(1) << 42) - 1) << 2)
#define ONCE (UINT64_C(1) << 44)
#define MOST (UINT64_MAX / ONCE)

_Static_assert(_Alignof(struct qomp_frame) >= 64, "six bits of a frame's address are zero");

typedef uint32_t __attribute__((may_alias)) half;

static inline half *lower_half(uint64_t *l)
{
	return (half *)l + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

static inline half *upper_half(uint64_t *l)
{
	return (half *)l + (__BYTE_ORDER__ != __ORDER_BIG_ENDIAN__);
}

static inline uint64_t owner_word(const struct qomp_frame *f)
{
	return ((uint64_t)(uintptr_t)f >> 4 & OWNER) | HELD;
}

/* By the owner, who alone changes this half. */
static inline void nesting_store(uint64_t *l, uint64_t word)
{
	store_rlx(upper_half(l), (uint32_t)(word >> 32));
}

/* Takes it if it is free or the owner's already: how often it is now; else 0, and *seen is the word as it was. */
static inline unsigned nest_take_free(uint64_t *l, uint64_t mine, uint64_t *seen)
{
	*seen = 0;
	if (qti_likely(cas_acq(l, seen, mine | ONCE)))
		return 1;
	if ((*seen & (OWNER | HELD)) != mine)
		return 0;
	if (*seen / ONCE == MOST)
		qomp_fatal("omp_set_nest_lock: a task has the lock %u times", (unsigned)MOST);
	nesting_store(l, *seen + ONCE);
	return (unsigned)(*seen / ONCE) + 1;
}

static bool nest_spin(uint64_t *l, uint64_t mine)
{
	struct qti_poll poll = { .ns = TUNE_OMP_LOCK_NS };

	do {
		uint64_t seen = 0;

		if (load_rlx(l) == 0 && cas_acq(l, &seen, mine | ONCE))
			return true;
	} while (qti_poll_again(&poll));
	return false;
}

/* LK1: sleeps only on a word that says so. */
static void nest_wait(uint64_t *l, uint32_t seen)
{
	if ((seen & WAITED) != 0 || cas_acq(lower_half(l), &seen, seen | WAITED))
		qomp_address_wait_lock(lower_half(l), seen | WAITED, true);
}

static void nest_take_slowly(uint64_t *l, uint64_t mine)
{
	uint64_t seen = 0;

	if (nest_spin(l, mine))
		return;
	while (!cas_acq(l, &seen, mine | ONCE | WAITED)) {
		nest_wait(l, (uint32_t)seen);
		seen = 0;
	}
}

const struct qomp_frame *qomp_nest_owner(const uint32_t *waited)
{
	const uint64_t *l = (const uint64_t *)((uintptr_t)waited / sizeof(uint64_t) * sizeof(uint64_t));
	uint64_t word = load_rlx(l);

	return word & HELD ? (const struct qomp_frame *)(uintptr_t)((word & OWNER) << 4) : NULL;
}

unsigned qomp_nest_try(const struct qomp_frame *f, uint64_t *l)
{
	uint64_t seen;

	return nest_take_free(l, owner_word(f), &seen);
}

unsigned qomp_nest_take(const struct qomp_frame *f, uint64_t *l)
{
	uint64_t mine = owner_word(f), seen;
	unsigned times = nest_take_free(l, mine, &seen);

	if (qti_likely(times != 0))
		return times;
	qti_guest_trace(QTI_TRACE_LOCK, 0, (uintptr_t)l);
	nest_take_slowly(l, mine);
	qti_guest_trace_waited(QTI_TRACE_LOCK);
	return 1;
}

bool qomp_nest_drop(uint64_t *l)
{
	uint64_t seen = load_rlx(l);

	if (seen / ONCE > 1) {
		nesting_store(l, seen - ONCE);
		return false;
	}
	if ((swap_acq_rel(l, 0) & WAITED) != 0)                                                 /* LK1 */
		qomp_address_wake(lower_half(l), 1);
	return true;
}
