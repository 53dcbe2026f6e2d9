/* test/mpi/locales.c -- spr_init where one locale has no memory for the task that serves the others.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <qthread/qthread.h>
#include <qthread/spr.h>

#include <dlfcn.h>
#include <stdio.h>

static int rank, size, wrong;
static int refuses;             /* the next fork has no memory */
static int copies;              /* of MPI_COMM_WORLD that there are, by an attribute that goes along */

static void check(int cond, const char *text)
{
	if (cond)
		return;
	wrong++;
	fprintf(stderr, "# rank %d: not so: %s\n", rank, text);
}

/* Found before the library's. */
int qthread_fork(qthread_f fn, const void *arg, aligned_t *ret)
{
	int (*fork_task)(qthread_f, const void *, aligned_t *);

	if (refuses) {
		refuses = 0;
		return QTHREAD_MALLOC_ERROR;
	}
	*(void **)&fork_task = dlsym(RTLD_NEXT, "qthread_fork");
	return fork_task(fn, arg, ret);
}

static int copy_made(MPI_Comm comm, int key, void *extra, void *value, void *copied, int *wanted)
{
	(void)comm, (void)key, (void)extra;
	*(void **)copied = value;
	*wanted = 1;
	copies++;
	return MPI_SUCCESS;
}

static int copy_freed(MPI_Comm comm, int key, void *value, void *extra)
{
	(void)comm, (void)key, (void)value, (void)extra;
	copies--;
	return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
	int level, key, sum;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_create_keyval(copy_made, copy_freed, &key, NULL);
	MPI_Comm_set_attr(MPI_COMM_WORLD, key, &wrong);
	if (qthread_initialize() != QTHREAD_SUCCESS)
		return 1;
	refuses = rank == size - 1;
	check(spr_init(SPR_SPMD, NULL) == QTHREAD_MALLOC_ERROR, "where one locale cannot begin none does");
	if (wrong > 0)
		MPI_Abort(MPI_COMM_WORLD, 1);   /* the others wait */
	check(spr_num_locales() == SPR_NOINIT, "nobody is up then");
	check(copies == 0, "nothing of MPI's is left");
	check(spr_init(SPR_SPMD, NULL) == SPR_OK && spr_num_locales() == size, "later all can begin");
	check(spr_locale_barrier() == SPR_OK && copies == 1, "and meet");
	check(spr_fini() == SPR_OK && copies == 0, "nothing is left of that, either");
	MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
	MPI_Reduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0) {
		printf("%d wrong\n", sum);
		fflush(stdout);
	}
	MPI_Finalize();
	qthread_finalize();
	return 0;
}
