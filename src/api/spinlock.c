/* api/spinlock.c -- ticket locks, plain and recursive.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *   lock.s.users    the next ticket to draw
 *   lock.s.ticket   the ticket whose turn it is; the lock is free when it equals users
 *   state.s         QTHREAD_SPINLOCK_IS_NOT_RECURSIVE: a plain lock, always
 *                   QTHREAD_SPINLOCK_IS_RECURSIVE: a recursive lock that is free; its owner's identity otherwise
 *   state.count     recursive lock: how often its owner has it; only the owner touches it
 *
 * The owner is a task (or an external OS thread), not a worker: a task may hold the lock across a wait and go on
 * elsewhere.
 *
 * SL1  unlock raises ticket (release) -> lock and trylock read it (acquire): the next holder sees all that the
 *      last one did.  How who sleeps until its turn is called: sync/line.h.
 * SL2  state.s is read by anybody and relaxed: who finds its own identity wrote that itself, anything else is not it.
 */
#include "base/poll.h"
#include "base/race.h"
#include "base/tuning.h"
#include "core/stackless.h"
#include "qthread/qthread.h"
#include "sync/line.h"

/* The header says _Atomic for the benefit of C programs; base/atomic.h works on plain words. */
static inline haligned_t *spinlock_turn(qthread_spinlock_t *a)
{
	return (haligned_t *)&a->lock.s.ticket;
}

static inline haligned_t *spinlock_next(qthread_spinlock_t *a)
{
	return (haligned_t *)&a->lock.s.users;
}

static inline int64_t spinlock_me(void)
{
	return (int64_t)(intptr_t)qti_self_identity();
}

static inline bool spinlock_is_plain(qthread_spinlock_t *a)
{
	return load_rlx(&a->state.s) == QTHREAD_SPINLOCK_IS_NOT_RECURSIVE;
}

/* Only who is among the next so many as there are workers may hope that the holder and those before it all run just
 * now.  And one worker cannot see its own tasks release a lock. */
static bool spinlock_may_spin(haligned_t before)
{
	if (!qti_self())
		return before <= TUNE_SPINLOCK_THREADS;
	return load_rlx(&qti_patience) != 0 && qti_rt.nworkers > 1 && before <= qti_rt.nworkers;
}

/* Who waits sleeps: the lock is handed on in order, so anybody who does not run then would be waited for by all others,
 * and it would run only after they have had their turns at looking. */
static __attribute__((noinline)) void spinlock_await(qthread_spinlock_t *a, haligned_t mine)
{
	const haligned_t *turn = spinlock_turn(a);
	struct qti_poll poll = { .ns = TUNE_SPINLOCK_NS };

	if (spinlock_may_spin(mine - load_rlx(turn)))
		do
			if (load_acq(turn) == mine)                             /* SL1 */
				return;
		while (qti_poll_again(&poll));
	while (load_acq(turn) != mine && !qti_line_wait(turn, mine))            /* SL1 */
		qti_stackless_wait_in_line(qti_self());
}

static void spinlock_take(qthread_spinlock_t *a)
{
	const haligned_t mine = add_rlx(spinlock_next(a), 1);

	if (qti_unlikely(load_acq(spinlock_turn(a)) != mine))
		spinlock_await(a, mine);
	qti_race_acquire(a);
}

static bool spinlock_try(qthread_spinlock_t *a)
{
	haligned_t turn = load_acq(spinlock_turn(a));           /* SL1 */

	/* Draw a ticket only if it is the one whose turn it is.  Nobody can have raised `ticket` past `users`, so if
	 * users still is what ticket was, nobody holds the lock.  Relaxed, as all changes of users are: the load has
	 * acquired what the last holder did, and nobody has been in between. */
	bool taken = cas_rlx(spinlock_next(a), &turn, turn + 1);
	if (taken)
		qti_race_acquire(a);
	return taken;
}

static void spinlock_drop(qthread_spinlock_t *a)
{
	qti_race_release(a);
	qti_line_raise(spinlock_turn(a));                       /* SL1 */
}

static void spinlock_own(qthread_spinlock_t *a, int64_t me)
{
	store_rlx(&a->state.s, me);
	a->state.count = 1;
}

int qthread_spinlock_init(qthread_spinlock_t *a, bool const is_recursive)
{
	if (!a)
		return QTHREAD_OPFAIL;
	a->lock.u = 0;
	a->state.s = is_recursive ? QTHREAD_SPINLOCK_IS_RECURSIVE : QTHREAD_SPINLOCK_IS_NOT_RECURSIVE;
	a->state.count = 0;
	return QTHREAD_SUCCESS;
}

int qthread_spinlock_destroy(qthread_spinlock_t *a)
{
	return a ? QTHREAD_SUCCESS : QTHREAD_OPFAIL;
}

int qthread_spinlocks_init(qthread_spinlock_t *a, const bool is_recursive)
{
	return qthread_spinlock_init(a, is_recursive);
}

int qthread_spinlocks_destroy(qthread_spinlock_t *a)
{
	return qthread_spinlock_destroy(a);
}

int qthread_spinlock_lock(qthread_spinlock_t *a)
{
	if (!a)
		return QTHREAD_OPFAIL;
	if (spinlock_is_plain(a)) {
		spinlock_take(a);
		return QTHREAD_SUCCESS;
	}
	const int64_t me = spinlock_me();
	if (load_rlx(&a->state.s) == me) {                      /* SL2 */
		a->state.count++;
	} else {
		spinlock_take(a);
		spinlock_own(a, me);
	}
	return QTHREAD_SUCCESS;
}

int qthread_spinlock_trylock(qthread_spinlock_t *a)
{
	if (!a)
		return QTHREAD_OPFAIL;
	if (spinlock_is_plain(a))
		return spinlock_try(a) ? QTHREAD_SUCCESS : QTHREAD_OPFAIL;

	const int64_t me = spinlock_me();
	if (load_rlx(&a->state.s) == me) {                      /* SL2 */
		a->state.count++;
		return QTHREAD_SUCCESS;
	}
	if (!spinlock_try(a))
		return QTHREAD_OPFAIL;
	spinlock_own(a, me);
	return QTHREAD_SUCCESS;
}

int qthread_spinlock_unlock(qthread_spinlock_t *a)
{
	if (!a)
		return QTHREAD_OPFAIL;
	if (spinlock_is_plain(a)) {
		if (load_rlx(spinlock_turn(a)) == load_rlx(spinlock_next(a)))
			return QTHREAD_OPFAIL;
		spinlock_drop(a);
		return QTHREAD_SUCCESS;
	}
	if (load_rlx(&a->state.s) != spinlock_me())             /* SL2 */
		return QTHREAD_OPFAIL;
	if (--a->state.count == 0) {
		store_rlx(&a->state.s, QTHREAD_SPINLOCK_IS_RECURSIVE);
		spinlock_drop(a);
	}
	return QTHREAD_SUCCESS;
}
