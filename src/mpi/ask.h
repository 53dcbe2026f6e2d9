/* mpi/ask.h -- who waits for MPI, and how to ask whether it still has to.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QMPI_ASK_H
#define QMPI_ASK_H

#include "sync/waiter.h"

#include <mpi.h>

/* One who waits; on its stack, or in nobody's (mpi/word.c). */
struct qmpi_wait {
	struct qti_waiter waiter;
	struct qmpi_wait *next;
	bool (*over)(struct qmpi_wait *w);      /* asks: is there nothing to wait for any more?  NULL:
						 * `request` is completed */
	void (*come)(struct qmpi_wait *w);      /* instead of waking a task; NULL: a task waits */
	unsigned requests;              /* `over` asks about so many */
	MPI_Request request;            /* what is left of it, when it is complete; and these two, then */
	MPI_Status status;
	int error;
	bool told;                      /* qmpi_wait_is_over_alone has found it complete, with this status */
};

/* An `over` for a request that is not to be completed: its errors are to be met by who waits. */
bool qmpi_wait_is_over_alone(struct qmpi_wait *w);

/* For `over`: whether r needs no waiting for.  Where it has failed that is so, too: whoever waits is to see it. */
bool qmpi_request_is_over(MPI_Request r);

/* Whether there is such a message, which another task may take first. */
bool qmpi_message_is_there(int from, int tag, MPI_Comm comm);

/* The calling thread asks: an error that it meets is none yet (mpi/errors.c). */
bool qmpi_asks(void);
void qmpi_ask(bool begin);

#endif
