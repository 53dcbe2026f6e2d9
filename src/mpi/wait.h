/* mpi/wait.h -- tasks that wait for MPI.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests that tasks wait for lie in a table, in which workers ask for many at once; MPI completes them there, and the tasks
 * get status and error (mpi/table.h).  For what cannot be asked for so, workers only ask whether there is still anything to
 * wait for (MPI_Request_get_status, MPI_Iprobe) and wake the task if not, which then makes the blocking call itself.
 *
 *   MP1  A record is all written when its task pushes it on the list of fresh ones (compare-and-swap, release) || who asks takes
 *        the list as a whole (exchange, acquire).  From then on it is that one's, under the lock of the table,
 *        until it is woken (W1 of sync/waiter.h).
 *
 * Checked by test/mpi/tasks.c.
 */
#ifndef QMPI_WAIT_H
#define QMPI_WAIT_H

#include "core/guest.h"
#include "sync/waiter.h"

#include <mpi.h>

/* Where the caller stands.  Outside of tasks a call is MPI's own. */
enum qmpi_stance {
	QMPI_OUTSIDE,                   /* or MPI cannot be called by several threads, or is not there (any more) */
	QMPI_STAYS,                     /* in a task that cannot suspend: the nonblocking form, and MPI's own waiting */
	QMPI_SUSPENDS,
};

enum qmpi_stance qmpi_stance_in_task(enum qti_standing standing);

static inline enum qmpi_stance qmpi_stance(void)
{
	enum qti_standing standing = qti_guest_standing();

	return qti_likely(standing == QTI_STANDS_OUTSIDE) ? QMPI_OUTSIDE : qmpi_stance_in_task(standing);
}

/* Whether workers may ask MPI on behalf of the caller, who is in a task. */
bool qmpi_can_ask(void);

/* One who waits; on its stack, or in nobody's (mpi/word.c). */
struct qmpi_wait {
	struct qti_waiter waiter;
	struct qmpi_wait *next;
	bool (*over)(struct qmpi_wait *w);      /* asks: is there nothing to wait for any more?  NULL: `request` is completed */
	void (*come)(struct qmpi_wait *w);      /* instead of waking a task; NULL: a task waits */
	unsigned requests;              /* `over` asks about so many */
	MPI_Request request;            /* what is left of it, when it is complete; and these two, then */
	MPI_Status status;
	int error;
};

/* An `over` for a request that is not to be completed: its errors are to be met by who waits. */
bool qmpi_wait_is_over_alone(struct qmpi_wait *w);

/* w is awaited from now on, and not the caller's any more.  False: there is no memory. */
bool qmpi_wait_begin(struct qmpi_wait *w);

/* The running task suspends until w is over, or complete: the first of its members are filled in, the rest is 0.  Without
 * memory it returns at once, and w has an `over`. */
void qmpi_wait(struct qmpi_wait *w);

/* Of mpi/table.c: makes room for what is promised, if there is memory. */
void qmpi_waits_make_room(void);

/* For `over`: whether r needs no waiting for.  Where it has failed that is so, too: whoever waits is to see it. */
bool qmpi_request_is_over(MPI_Request r);

/* Whether there is such a message, which another task may take first. */
bool qmpi_message_is_there(int from, int tag, MPI_Comm comm);

/* Whether a request may be completed in the table, one that a call on comm has started, or any: its errors come to those whom
 * they concern. */
bool qmpi_may_complete_of_call(void);
bool qmpi_may_complete(void);

/* MPI_Wait for a request that a call on comm has started: an error is that communicator's. */
int qmpi_finish(MPI_Request *r, MPI_Status *status, MPI_Comm comm);

/* The calling thread asks: an error that it meets is none yet (mpi/errors.c). */
bool qmpi_asks(void);
void qmpi_ask(bool begin);

/* MPI ends: nobody is woken any more.  How many tasks wait. */
unsigned qmpi_waits_end(void);

#endif
