/* test/mpi/openmp.c -- tasks of OpenMP that wait for messages; events that messages fulfil.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * -DEVENTS: calls of libqmpi's own, too; without it, a program that knows nothing of the library.
 */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

#ifdef EVENTS
#include <qmpi.h>
#endif

enum { ROUNDS = 50 };

static int rank, wrong;

static void check(int cond, const char *text)
{
	if (cond)
		return;
#pragma omp atomic
	wrong++;
	fprintf(stderr, "# rank %d: not so: %s\n", rank, text);
}

/* Each member has a task that receives, and sends to the other's.  Where the first task waits in a queue its thread has to run
 * it while the member still sends. */
static void messages(void)
{
#pragma omp parallel num_threads(2)
	{
		int me = omp_get_thread_num(), in = -1, out = 100 + me;
		if (me == 1)
			MPI_Ssend(&out, 1, MPI_INT, rank, 10, MPI_COMM_WORLD);
#pragma omp task shared(in)
		{
			MPI_Recv(&in, 1, MPI_INT, rank, 10 + me, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			check(in == 101 - me, "a task has the other member's message");
		}
		if (me == 0)
			MPI_Ssend(&out, 1, MPI_INT, rank, 11, MPI_COMM_WORLD);
#pragma omp taskwait
	}
}

#ifdef EVENTS
/* A message is a dependence: a task that starts to receive ends when it has come. */
static void events(void)
{
	int in = -1, out = 21, twice = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
		omp_event_handle_t come;
#pragma omp task detach(come) depend(out : in)
		{
			MPI_Request r;
			MPI_Irecv(&in, 1, MPI_INT, rank, 20, MPI_COMM_WORLD, &r);
			check(qmpi_ievent(&r, (uintptr_t)come) == MPI_SUCCESS && r == MPI_REQUEST_NULL, "an event takes a request");
		}
#pragma omp task depend(in : in)
		twice = 2 * in;
		MPI_Send(&out, 1, MPI_INT, rank, 20, MPI_COMM_WORLD);
	}
	check(twice == 42, "what depends on the message runs when it has come");
}
#endif

int main(int argc, char **argv)
{
	int level, sum = 0;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < ROUNDS; i++)
		messages();
#ifdef EVENTS
	for (int i = 0; i < ROUNDS; i++)
		events();
#endif
	MPI_Reduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d wrong\n", sum);
	MPI_Finalize();
	return 0;
}
