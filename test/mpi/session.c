/* test/mpi/session.c -- tasks that wait for each other in a program that begins a session, as of MPI 4, in place of MPI_Init.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <mpi.h>
#include <qthread/qthread.h>

#include <stdio.h>

static MPI_Comm comm;
static int rank, wrong;

static aligned_t sends(void *unused)
{
	int x = 17;

	(void)unused;
	MPI_Ssend(&x, 1, MPI_INT, rank, 1, comm);
	return 0;
}

static aligned_t receives(void *unused)
{
	int x = 0;

	(void)unused;
	MPI_Recv(&x, 1, MPI_INT, rank, 1, comm, MPI_STATUS_IGNORE);
	wrong += x != 17;
	return 0;
}

int main(void)
{
	MPI_Session session;
	MPI_Group all;
	MPI_Info info;
	aligned_t ret[2];
	int sum;

	MPI_Info_create(&info);
	MPI_Info_set(info, "thread_level", "MPI_THREAD_MULTIPLE");
	MPI_Session_init(info, MPI_ERRORS_ARE_FATAL, &session);
	MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
	MPI_Comm_create_from_group(all, "all", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
	MPI_Comm_rank(comm, &rank);
	if (qthread_initialize() != QTHREAD_SUCCESS)
		return 1;
	qthread_fork(sends, NULL, &ret[0]);
	qthread_fork(receives, NULL, &ret[1]);
	qthread_readFF(NULL, &ret[0]);
	qthread_readFF(NULL, &ret[1]);
	qthread_finalize();
	MPI_Reduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, 0, comm);
	if (rank == 0)
		printf("%d wrong\n", sum);
	MPI_Comm_free(&comm);
	MPI_Group_free(&all);
	MPI_Info_free(&info);
	MPI_Session_finalize(&session);
	return 0;
}
