/* test/mpi/misuse.c -- what MPI does not allow, and what it allows but few do.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: misuse early|late|null|message|pending|dies
 */
#include <qmpi.h>
#include <qthread.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>

static int rank, wrong;

static void check(int cond, const char *text)
{
	if (cond)
		return;
	wrong++;
	fprintf(stderr, "# rank %d: not so: %s\n", rank, text);
}

static aligned_t receives(void *from)
{
	int x = 0;

	return MPI_Recv(&x, 1, MPI_INT, *(int *)from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

static void in_task(qthread_f fn, void *arg)
{
	aligned_t ret;

	qthread_fork(fn, arg, &ret);
	qthread_readFF(NULL, &ret);
}

static aligned_t waits_for_nothing(void *unused)
{
	MPI_Request none = MPI_REQUEST_NULL;
	MPI_Status s;
	int x = 0;

	(void)unused;
	check(MPI_Wait(&none, &s) == MPI_SUCCESS && s.MPI_SOURCE == MPI_ANY_SOURCE, "the null request is over");
	check(MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE) == MPI_SUCCESS, "so are none");
	check(MPI_Wait(NULL, &s) != MPI_SUCCESS, "no request is an error");
#ifdef MPICH_VERSION
	check(MPI_Recv(&x, 1, MPI_INT, rank, 9, MPI_COMM_WORLD, NULL) != MPI_SUCCESS, "so is no status");
#endif
	return 0;
}

static aligned_t receives_no_message(void *unused)
{
	int x = 0;

	(void)unused;
	check(MPI_Mrecv(&x, 1, MPI_INT, NULL, MPI_STATUS_IGNORE) != MPI_SUCCESS, "no message is an error");
	return 0;
}

static MPI_Request left;
static int left_in;

static aligned_t leaves_request(void *unused)
{
	(void)unused;
	MPI_Irecv(&left_in, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, &left);
	return 0;
}

static aligned_t takes_request_on(void *unused)
{
	(void)unused;
	MPI_Wait(&left, MPI_STATUS_IGNORE);
	check(left_in == 17 && left == MPI_REQUEST_NULL, "a request outlives the task that has started it");
	return 0;
}

static void pending(void)
{
	int out = 17;
	aligned_t ret;

	in_task(leaves_request, NULL);
	qthread_fork(takes_request_on, NULL, &ret);
	qthread_yield();
	MPI_Send(&out, 1, MPI_INT, rank, 3, MPI_COMM_WORLD);
	qthread_readFF(NULL, &ret);
}

/* Rank 1 is killed while rank 0 waits for it. */
static void dies(void)
{
	int other = 1 - rank;

	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 1)
		raise(SIGKILL);
	in_task(receives, &other);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int level, self = 0, sum;

	if (qthread_initialize() != QTHREAD_SUCCESS)
		return 1;
	if (strcmp(what, "early") == 0)
		in_task(receives, &self);
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	if (strcmp(what, "null") == 0)
		in_task(waits_for_nothing, NULL);
	if (strcmp(what, "message") == 0)
		in_task(receives_no_message, NULL);
	if (strcmp(what, "pending") == 0)
		pending();
	if (strcmp(what, "dies") == 0)
		dies();
	MPI_Reduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0) {
		printf("%d wrong\n", sum);
		fflush(stdout);
	}
	MPI_Finalize();
	if (strcmp(what, "late") == 0)
		in_task(receives, &self);
	qthread_finalize();
	return 0;
}
