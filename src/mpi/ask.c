/* mpi/ask.c -- see mpi/ask.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "mpi/ask.h"

static __thread bool asks __attribute__((tls_model("initial-exec")));

bool qmpi_asks(void)
{
	return asks;
}

void qmpi_ask(bool begin)
{
	asks = begin;
}

bool qmpi_request_is_over(MPI_Request r)
{
	int over = 0;

	if (r == MPI_REQUEST_NULL)
		return true;
	asks = true;
	bool failed = PMPI_Request_get_status(r, &over, MPI_STATUS_IGNORE) != MPI_SUCCESS;
	asks = false;
	return failed || over;
}

bool qmpi_message_is_there(int from, int tag, MPI_Comm comm)
{
	int there = 0;

	asks = true;
	bool failed = PMPI_Iprobe(from, tag, comm, &there, MPI_STATUS_IGNORE) != MPI_SUCCESS;
	asks = false;
	return failed || there;
}

bool qmpi_wait_is_over_alone(struct qmpi_wait *w)
{
	return qmpi_request_is_over(w->request);
}
