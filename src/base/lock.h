/* base/lock.h -- a lock for a few instructions' worth of work.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Never held across a context switch, a wait or user code.  A waiter that does not get it
 * soon gives its CPU away: with more workers than CPUs the holder may be the one that needs it.
 */
#ifndef QTI_BASE_LOCK_H
#define QTI_BASE_LOCK_H

#include "base/atomic.h"

#include <sched.h>

enum { QTI_LOCK_SPINS = 128 };

struct qti_lock {
	uint32_t held;
};

static inline bool qti_lock_try(struct qti_lock *l)
{
	uint32_t seen = 0;

	return load_rlx(&l->held) == 0 && cas_acq(&l->held, &seen, 1);
}

static inline void qti_lock_take(struct qti_lock *l)
{
	for (unsigned spins = 0; qti_unlikely(!qti_lock_try(l)); spins++) {
		if (spins < QTI_LOCK_SPINS)
			cpu_relax();
		else
			sched_yield();
	}
}

static inline void qti_lock_drop(struct qti_lock *l)
{
	store_rel(&l->held, 0);
}

#endif
