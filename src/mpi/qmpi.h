/* qmpi.h -- what waits for a request of MPI's other than the task that has started it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs need this header for the two calls alone: MPI's own are intercepted where libqmpi stands in front of MPI
 * (libqmpi(7)).
 *
 *   MPI_Irecv(block, n, MPI_DOUBLE, from, tag, comm, &request);
 *   qmpi_ifull(&request, &here);
 *   qthread_fork_precond(update, block, NULL, 1, &here);         // runs when the block has come
 */
#ifndef QMPI_H
#define QMPI_H

#include <qthread/qthread.h>

#include <mpi.h>
#include <stdint.h>

Q_STARTCXX
#pragma GCC visibility push(default)

/* Empties *word, takes the request over, which is MPI_REQUEST_NULL then, and returns.  When the request is complete it
 * is freed and the word filled with MPI's error code for it: MPI_SUCCESS.  The word is there until then.
 *
 * Returns MPI_SUCCESS; MPI_ERR_REQUEST for a null pointer or a null request, MPI_ERR_ARG for a null word, and
 * MPI_ERR_NO_MEM.  Then nothing has changed.  Where nobody could look after the request - outside of tasks, or without
 * MPI_THREAD_MULTIPLE - the call itself waits for it. */
int qmpi_ifull(MPI_Request *request, aligned_t *word);

/* The same with an event of OpenMP's, of a task with the clause `detach`, in place of the word: omp_fulfill_event is
 * called when the request is complete.  MPI_ERR_OTHER if the process has no OpenMP library with events. */
int qmpi_ievent(MPI_Request *request, uintptr_t event);

#pragma GCC visibility pop
Q_ENDCXX

#endif
