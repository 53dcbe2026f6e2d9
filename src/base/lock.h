/* base/lock.h -- a lock for a few instructions' worth of work.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Who has it is known by the process: in the child of fork(2) one that another thread held is free (FK2 of
 * base/forked.h).  Never held across a wait, nor across a context switch but for the one that core/sched.h allows
 * (pop_to_yield).  User code runs under one in three places: a sinc's operation (sync/sinc.c), who is told of those
 * that wait for syncvars (sync/syncvar.c), and what MPI calls while it is asked (mpi/wait.c).  A waiter that does not
 * get it soon gives its CPU away: with more workers than CPUs the holder may be the one that needs it.
 */
#ifndef QTI_BASE_LOCK_H
#define QTI_BASE_LOCK_H

#include "base/atomic.h"
#include "base/poll.h"
#include "base/tuning.h"

#include <sched.h>

struct qti_lock {
	uint32_t held;                  /* 0, or the number of its holder's process */
};

/* Grows in the child of fork(2). */
extern uint32_t qti_process QTI_SHARED_VARIABLE(qti_process);

/* No look before the first try: a load that a locked instruction on the same line has to wait for doubles the cost
 * of an uncontended lock (8.9 instead of 5.3 ns on the machine this was measured on). */
static inline bool qti_lock_try(struct qti_lock *l)
{
	uint32_t process = load_rlx(&qti_process);

	return swap_acq(&l->held, process) != process;
}

/* Between two looks at what another thread does in a few instructions, if it has a CPU: after a while of looking in
 * vain, ours. */
static inline void qti_pause(unsigned looks)
{
	if (looks < qti_poll_looks(TUNE_LOCK_NS))
		cpu_relax();
	else
		sched_yield();
}

static inline void qti_lock_take(struct qti_lock *l)
{
	if (qti_likely(qti_lock_try(l)))
		return;
	for (unsigned looks = 0; load_rlx(&l->held) == load_rlx(&qti_process) || !qti_lock_try(l); looks++)
		qti_pause(looks);
}

/* The same where very many may wait at once: each look slows down whoever has it, so who finds it taken looks half as
 * often from then on. */
static inline void qti_lock_take_crowded(struct qti_lock *l)
{
	unsigned pause = 1, looks = 0;

	if (qti_likely(qti_lock_try(l)))
		return;
	do {
		for (unsigned i = 0; i < pause; i++)
			qti_pause(looks++);
		pause *= pause < TUNE_LOCK_PAUSES ? 2 : 1;
	} while (load_rlx(&l->held) == load_rlx(&qti_process) || !qti_lock_try(l));
}

static inline void qti_lock_drop(struct qti_lock *l)
{
	store_rel(&l->held, 0);
}

#endif
