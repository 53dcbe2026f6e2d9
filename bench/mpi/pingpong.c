/* bench/mpi/pingpong.c -- what libqmpi adds to MPI's calls, in tasks and outside.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: mpirun -n 2 pingpong [ROUNDS]
 *
 * What is printed, libqmpi's calls beside those of MPI's own library, in turns of one process:
 *
 *   round trip  8 bytes from one rank to the other and back, by MPI_Send and MPI_Recv: of a task on each, and plain
 *   outside     one call that waits for nothing, and one that sends to its own rank, outside of tasks
 */
#define _GNU_SOURCE
#include <qthread.h>

#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TRIPS = 400, CALLS = 2000, TAG = 1 };

static int rounds = 100, rank;

/* MPI's own: with a P in front libqmpi has them, too, for Fortran. */
static struct calls {
	int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
	int (*recv)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
	int (*sendrecv)(const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
	int (*wait)(MPI_Request *, MPI_Status *);
} ours = { MPI_Send, MPI_Recv, MPI_Sendrecv, MPI_Wait }, theirs;

static void *of_mpi(const char *name)
{
	static void *library;
	Dl_info info;

	/* libqmpi has nothing of that name. */
	if (!library && dladdr(dlsym(RTLD_DEFAULT, "MPI_Get_version"), &info))
		library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	void *call = library ? dlsym(library, name) : NULL;
	if (!call)
		abort();
	return call;
}

static void find_theirs(void)
{
	*(void **)&theirs.send = of_mpi("PMPI_Send");
	*(void **)&theirs.recv = of_mpi("PMPI_Recv");
	*(void **)&theirs.sendrecv = of_mpi("PMPI_Sendrecv");
	*(void **)&theirs.wait = of_mpi("PMPI_Wait");
}

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* --- what is measured: ns, each of which is the mean of many ------------------------------------------------ */

static double trips(const struct calls *c)
{
	uint64_t ball = 0;
	double begin = now_ns();

	for (int i = 0; i < TRIPS; i++) {
		if (rank == 0)
			c->send(&ball, 1, MPI_UINT64_T, 1, TAG, MPI_COMM_WORLD);
		c->recv(&ball, 1, MPI_UINT64_T, 1 - rank, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		ball++;
		if (rank == 1)
			c->send(&ball, 1, MPI_UINT64_T, 0, TAG, MPI_COMM_WORLD);
	}
	double end = now_ns();
	if (ball != 2 * TRIPS - (uint64_t)rank)
		abort();
	return (end - begin) / TRIPS;
}

static aligned_t trips_of_task(void *ns)
{
	*(double *)ns = trips(&ours);
	return 0;
}

static double trips_in_task(const struct calls *c)
{
	double ns = 0;
	aligned_t done;

	if (c == &theirs)
		return trips(c);
	qthread_fork(trips_of_task, &ns, &done);
	qthread_readFF(NULL, &done);
	return ns;
}

static double waits(const struct calls *c)
{
	MPI_Request none = MPI_REQUEST_NULL;
	double begin = now_ns();

	for (int i = 0; i < CALLS; i++)
		c->wait(&none, MPI_STATUS_IGNORE);
	return (now_ns() - begin) / CALLS;
}

static double sends(const struct calls *c)
{
	uint64_t out = 0, in;
	double begin = now_ns();

	for (int i = 0; i < CALLS; i++)
		c->sendrecv(&out, 1, MPI_UINT64_T, 0, TAG, &in, 1, MPI_UINT64_T, 0, TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE);
	return (now_ns() - begin) / CALLS;
}

/* --- in turns ---------------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double part_of(double *list, double part)
{
	qsort(list, (size_t)rounds, sizeof(*list), by_value);
	return list[(int)(part * (rounds - 1) + 0.5)];
}

static void compare(const char *what, double (*measure)(const struct calls *))
{
	double *own = calloc((size_t)rounds, sizeof(*own)), *with = calloc((size_t)rounds, sizeof(*with));
	double *added = calloc((size_t)rounds, sizeof(*added));

	if (!own || !with || !added)
		abort();
	for (int i = -1; i < rounds; i++) {
		int at = i < 0 ? 0 : i;         /* the first is for caches and pages */
		if (i & 1)
			own[at] = measure(&theirs);
		with[at] = measure(&ours);
		if (!(i & 1))
			own[at] = measure(&theirs);
		added[at] = with[at] - own[at];
	}
	if (rank == 0)
		printf("%-34s MPI %8.1f ns   libqmpi %8.1f ns   added: median %7.1f ns, half from %.1f to %.1f\n", what,
			part_of(own, 0.5), part_of(with, 0.5), part_of(added, 0.5), part_of(added, 0.25), part_of(added, 0.75));
	fflush(stdout);
	free(own);
	free(with);
	free(added);
}

int main(int argc, char **argv)
{
	int level, ranks;

	rounds = argc > 1 ? atoi(argv[1]) : rounds;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (ranks != 2 || rounds < 1) {
		fputs("usage: mpirun -n 2 pingpong [ROUNDS]\n", stderr);
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	find_theirs();
	compare("outside, MPI_Wait for nothing", waits);
	compare("outside, MPI_Sendrecv with itself", sends);
	compare("round trip outside of tasks", trips);
	qthread_initialize();
	compare("round trip of tasks", trips_in_task);
	qthread_finalize();
	MPI_Finalize();
	return 0;
}
