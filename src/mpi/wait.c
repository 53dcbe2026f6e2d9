/* mpi/wait.c -- see mpi/wait.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "mpi/wait.h"

#include "core/poller.h"
#include "mpi/table.h"

#include <stdio.h>

enum { STACK_BYTES = 256 << 10 };       /* MPI's own code was written for threads */

static struct {
	struct qmpi_wait *fresh QTI_ALIGNED_LINE;       /* the newest; anybody pushes */
	struct qti_lock lock QTI_ALIGNED_LINE;          /* of the table, too */
	bool ended;
	unsigned carried;               /* tasks in calls that other threads carry them through; atomic, as the next */
	bool session, session_threads;  /* the program has begun one; and one that has MPI_THREAD_MULTIPLE */
} waits;

/* --- where the caller stands ----------------------------------------------------------------------------- */

static bool mpi_is_there(void)
{
	int there = 0, over = 0;

	return load_rlx(&waits.session) ||
		(PMPI_Initialized(&there) == MPI_SUCCESS && there && PMPI_Finalized(&over) == MPI_SUCCESS && !over);
}

void qmpi_session_begins(bool threads)
{
	if (threads)
		store_rlx(&waits.session_threads, true);
	store_rel(&waits.session, true);
}

/* Open MPI 5 says MPI_THREAD_SINGLE where there are sessions alone. */
static bool mpi_level(int *level)
{
	int initialized = 0;

	if (PMPI_Query_thread(level) != MPI_SUCCESS)
		return false;
	if (load_rlx(&waits.session_threads) && PMPI_Initialized(&initialized) == MPI_SUCCESS && !initialized)
		*level = MPI_THREAD_MULTIPLE;
	return true;
}

static bool may_call_from_threads(void)
{
	static uint32_t known;          /* 0: not yet; 1: yes; 2: no */
	int level;

	if (qti_likely(load_rlx(&known) == 1))
		return !load_rlx(&waits.ended);
	if (load_rlx(&known) == 2 || !mpi_is_there() || !mpi_level(&level))
		return false;
	if (swap_acq_rel(&known, level == MPI_THREAD_MULTIPLE ? 1 : 2) == 0 && level != MPI_THREAD_MULTIPLE)
		fputs("libqmpi: MPI calls stop the workers that make them: tasks need MPI_THREAD_MULTIPLE, from "
		      "MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided) in place of MPI_Init\n", stderr);
	return level == MPI_THREAD_MULTIPLE;
}

/* The main task of an OpenMP program, in no region, is to its programmer the thread that it always was. */
static bool main_is_no_task(void)
{
	return !qti_host_is_wanted() && !qmpi_is_member();
}

enum qmpi_stance qmpi_stance_in_task(enum qti_standing standing)
{
	struct qti_worker *w = qti_self();

	if ((standing == QTI_STANDS_IN_MAIN && main_is_no_task()) || !may_call_from_threads())
		return QMPI_OUTSIDE;
	return w && !qti_task_is(w->current, QTI_TASK_SIMPLE) ? QMPI_SUSPENDS : QMPI_STAYS;
}

bool qmpi_can_ask(void)
{
	return qti_guest_standing() != QTI_STANDS_OUTSIDE && may_call_from_threads();
}

/* --- news ------------------------------------------------------------------------------------------------ */

/* The oldest first.  How many come too late, when MPI has ended. */
static unsigned take_fresh(void)
{
	struct qmpi_wait *oldest = NULL, *next;
	unsigned late = 0;

	if (!load_rlx(&waits.fresh))
		return 0;
	for (struct qmpi_wait *w = swap_acq(&waits.fresh, NULL); w; w = next) {                 /* MP1 */
		next = w->next;
		w->next = oldest;
		oldest = w;
	}
	for (struct qmpi_wait *w = oldest; w; w = next) {
		next = w->next;
		if (load_rlx(&waits.ended))
			late++;
		else
			qmpi_table_add(w);
	}
	return late;
}

static void wake_task(struct qmpi_wait *w)
{
	struct qti_waiter *woken = NULL;

	qti_waiters_add(&woken, &w->waiter);
	qti_wake_all(&woken);
}

static void let_go(void)
{
	qti_guest_absent(false);
	qti_poller_met();
}

static unsigned poll_waits(unsigned most)
{
	struct qmpi_wait *come = NULL, *next;
	struct qti_worker *self = qti_self();
	struct qti_task *task = self->current;

	self->current = NULL;           /* what MPI calls of the program's is in no task */
	qti_lock_take(&waits.lock);
	unsigned late = take_fresh(), n = load_rlx(&waits.ended) ? 0 : qmpi_table_ask(most, &come);
	qti_lock_drop(&waits.lock);
	for (struct qmpi_wait *w = come; w; w = next) {
		next = w->next;
		if (w->come)
			w->come(w);
		else
			wake_task(w);
		let_go();
	}
	while (late-- > 0)
		let_go();
	self->current = task;
	return n;
}

static const struct qti_poller poller = { .poll = poll_waits, .stack_size = STACK_BYTES };

static __attribute__((constructor)) void poller_come(void)
{
	qti_poller_come(&poller);
}

void qmpi_carry(bool begin)
{
	add_rlx(&waits.carried, begin ? 1 : -1u);
}

struct qmpi_left qmpi_waits_end(void)
{
	struct qmpi_left left = { 0, 0, load_rlx(&waits.carried) };
	unsigned late;

	qti_lock_take(&waits.lock);
	late = take_fresh();
	store_rlx(&waits.ended, true);
	for (struct qmpi_wait *w; (w = qmpi_table_take()) != NULL;)
		++*(w->come ? &left.handed : &left.tasks);
	qti_lock_drop(&waits.lock);
	for (unsigned n = late + left.tasks + left.handed; n > 0; n--)
		let_go();
	return left;
}

/* --- waiting --------------------------------------------------------------------------------------------- */

static void wait_begin(struct qmpi_wait *w, bool suspends)
{
	qti_guest_absent(true);
	w->next = load_rlx(&waits.fresh);
	while (!cas_acq_rel(&waits.fresh, &w->next, w))                                         /* MP1 */
		;
	qti_poller_await(suspends);
}

/* False: there is no memory for one more. */
static bool room_for_one(void)
{
	if (qti_likely(qmpi_table_promise()))
		return true;
	qti_lock_take(&waits.lock);
	bool there = qmpi_table_grow();
	qti_lock_drop(&waits.lock);
	return there;
}

bool qmpi_wait_begin(struct qmpi_wait *w)
{
	if (!room_for_one())
		return false;
	wait_begin(w, false);
	return true;
}

void qmpi_wait(struct qmpi_wait *w)
{
	if (!room_for_one()) {
		w->over = qmpi_wait_is_over_alone;
		return;
	}
	while (!qti_waiter_begin(&w->waiter, QTI_WAIT_MESSAGE, w))
		;
	wait_begin(w, true);
	qti_waiter_leave(&w->waiter);
}
