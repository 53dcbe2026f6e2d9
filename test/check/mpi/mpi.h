/* mpi.h -- of MPI, what src/mpi/wait.c and src/mpi/table.c need: for test/check/messages.c, which stands for the
 * library.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef CHECK_MPI_H
#define CHECK_MPI_H

typedef int MPI_Request, MPI_Comm, MPI_Errhandler;
typedef struct { int MPI_TAG, MPI_ERROR; } MPI_Status;

enum { MPI_REQUEST_NULL, MPI_SUCCESS = 0, MPI_ERR_IN_STATUS = 18, MPI_UNDEFINED = -1, MPI_THREAD_MULTIPLE = 3 };

#define MPI_STATUS_IGNORE ((MPI_Status *)0)

int PMPI_Initialized(int *there);
int PMPI_Finalized(int *over);
int PMPI_Query_thread(int *level);
int PMPI_Error_class(int error, int *class);
int PMPI_Iprobe(int from, int tag, MPI_Comm comm, int *there, MPI_Status *status);
int PMPI_Request_get_status(MPI_Request r, int *over, MPI_Status *status);
int PMPI_Testsome(int n, MPI_Request r[], int *count, int which[], MPI_Status statuses[]);

#endif
