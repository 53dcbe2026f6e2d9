/* mpi/wait.h -- tasks that wait for MPI.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What a task waits for stays its own: workers only ask whether it would still have to wait (MPI_Request_get_status,
 * MPI_Iprobe) and wake it if not.  Then the task itself makes the blocking call, which returns at once: so statuses,
 * errors and error handlers are the business of MPI and of that task, and persistent, partitioned and generalized requests
 * are as MPI has them.
 *
 *   MP1  A record is all written when its task pushes it on the list of fresh ones (compare-and-swap, release) || who asks takes
 *        the list as a whole (exchange, acquire).  From then on it is that one's, under the lock of the list of known ones,
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
	struct qmpi_wait *next, *prev;
	bool (*over)(struct qmpi_wait *w);      /* asks: is there nothing to wait for any more? */
	void (*come)(struct qmpi_wait *w);      /* instead of waking a task; NULL: a task waits */
	unsigned requests;              /* asked about each time, at most */
};

/* w is awaited from now on, and not the caller's any more. */
void qmpi_wait_begin(struct qmpi_wait *w);

/* The running task suspends until w is over: `over` and `requests` are filled in, the rest is 0. */
void qmpi_wait(struct qmpi_wait *w);

/* For `over`: whether r needs no waiting for.  Where it has failed that is so, too: whoever waits is to see it. */
bool qmpi_request_is_over(MPI_Request r);

/* Whether there is such a message, which another task may take first. */
bool qmpi_message_is_there(int from, int tag, MPI_Comm comm);

/* MPI_Wait for a request that a call on comm has started: an error is that communicator's. */
int qmpi_finish(MPI_Request *r, MPI_Status *status, MPI_Comm comm);

/* The calling thread asks: an error that it meets is none yet (mpi/errors.c). */
bool qmpi_asks(void);
void qmpi_ask(bool begin);

/* MPI ends: nobody is woken any more.  How many tasks wait. */
unsigned qmpi_waits_end(void);

#endif
