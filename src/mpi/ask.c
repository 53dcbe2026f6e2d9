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

/* r is no null request. */
static bool request_ask(MPI_Request r, int *over, MPI_Status *status)
{
	asks = true;
	int rc = PMPI_Request_get_status(r, over, status);
	asks = false;
	return rc == MPI_SUCCESS;
}

bool qmpi_request_is_over(MPI_Request r)
{
	int over = 0;

	return r == MPI_REQUEST_NULL || !request_ask(r, &over, MPI_STATUS_IGNORE) || over;
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
	int over = 0;

	if (w->request == MPI_REQUEST_NULL || !request_ask(w->request, &over, &w->status))
		return true;
	w->told = over;
	return over;
}
