/* mpi/wait.h -- tasks that wait for MPI.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests that tasks wait for lie in a table, in which workers ask for many at once; MPI completes them there, and the
 * tasks get status and error (mpi/table.h).  For what cannot be asked for so, workers only ask whether there is still
 * anything to wait for (MPI_Request_get_status, MPI_Iprobe) and wake the task if not, which then makes the blocking
 * call itself.
 *
 *   MP1  A record is all written when its task pushes it on the list of fresh ones (compare-and-swap, release) || who
 *   asks takes
 *        the list as a whole (exchange, acquire).  From then on it is that one's, under the lock of the table,
 *        until it is woken (W1 of sync/waiter.h).
 *
 * Checked by test/mpi/tasks.c and test/check/messages.c.
 */
#ifndef QMPI_WAIT_H
#define QMPI_WAIT_H

#include "core/guest.h"
#include "mpi/ask.h"

/* Where the caller stands.  Outside of tasks a call is MPI's own. */
enum qmpi_stance {
	QMPI_OUTSIDE,                   /* or MPI cannot be called by several threads, or is not there (any more) */
	QMPI_STAYS,                     /* in a task that cannot suspend, or a member of a region that is none: the
	                                 * nonblocking form, which the other ranks may call, and MPI's own waiting */
	QMPI_SUSPENDS,
};

enum qmpi_stance qmpi_stance_in_task(enum qti_standing standing);

/* Of libqomp, where it is. */
extern int omp_get_level(void) __attribute__((weak));

/* Of an OpenMP region with more members than workers the others are threads.  Members call the same collectives. */
static inline bool qmpi_is_member(void)
{
	return omp_get_level && omp_get_level() > 0;
}

static inline enum qmpi_stance qmpi_stance(void)
{
	enum qti_standing standing = qti_guest_standing();

	return qti_likely(standing == QTI_STANDS_OUTSIDE && !qmpi_is_member())
		? QMPI_OUTSIDE : qmpi_stance_in_task(standing);
}

/* Whether workers may ask MPI on behalf of the caller, who is in a task. */
bool qmpi_can_ask(void);

/* w is awaited from now on, and not the caller's any more.  False: there is no memory. */
bool qmpi_wait_begin(struct qmpi_wait *w);

/* The running task suspends until w is over, or complete: the first of its members are filled in, the rest is 0.
 * Without memory it returns at once, and w has an `over`. */
void qmpi_wait(struct qmpi_wait *w);

/* Whether a request may be completed in the table, one that a call on comm has started, or any: its errors come to
 * those whom they concern. */
bool qmpi_may_complete_of_call(void);
bool qmpi_may_complete(void);

/* A communicator has that handler from now on. */
void qmpi_handler_comes(MPI_Errhandler h);

/* MPI_Wait for a request that a call on comm has started: an error is that communicator's. */
int qmpi_finish(MPI_Request *r, MPI_Status *status, MPI_Comm comm);

/* The program has begun a session: MPI is there without MPI_Init.  threads: several may call MPI. */
void qmpi_session_begins(bool threads);

/* The running task is about to enter MPI's own call, in which another thread carries it; and has left it. */
void qmpi_carry(bool begin);

/* MPI ends: nobody is woken any more.  What is left: tasks that wait, requests of which nobody will hear, tasks in
 * MPI's calls. */
struct qmpi_left {
	unsigned tasks, handed, carried;
};

struct qmpi_left qmpi_waits_end(void);

#endif
