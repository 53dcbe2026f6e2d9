/* mpi/errors.c -- error handlers are called for those who wait, not for those who ask.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Who asks for a request that has failed is told, and the task that waits for it will be told, too: by the call that
 * has to do with its communicator.  But MPICH's MPI_Request_get_status calls the handler of MPI_COMM_WORLD, whatever
 * the request's is: the default one ends the job, and any other is called once too often.  So handlers that the
 * program makes are called through functions that hold their tongue while the thread asks, and once some
 * communicator's handler is not the default one, that of MPI_COMM_WORLD is a stand-in that is fatal but for who asks.
 *
 * The same handler has what MPI_Wait finds there, though a blocking receive's error is its communicator's.  So a wait
 * that completes such a call asks, too, and calls the handler then.
 *
 * Open MPI calls the right ones, but in the thread that asks, and of several that have failed that of the first
 * alone.  So once a communicator has a handler of the program's, requests are not completed by who asks.
 *
 * In both it is not known whose a request is that the program has started itself.  It is completed by who asks as
 * long as no communicator has another handler than the default one: then the first failure is the end.
 */
#include "mpi/wait.h"

static bool others_set;         /* that some communicator may have another handler than the default one; atomic */

/* Of those that MPI has itself. */
static bool ends_the_job(MPI_Errhandler h)
{
#ifdef MPI_ERRORS_ABORT
	if (h == MPI_ERRORS_ABORT)
		return true;
#endif
	return h == MPI_ERRORS_ARE_FATAL;
}

static bool is_of_program(MPI_Errhandler h)
{
	return h != MPI_ERRORS_RETURN && !ends_the_job(h);
}

bool qmpi_may_complete(void)
{
	return !load_rlx(&others_set);
}

#ifndef MPICH_VERSION

static bool programs_set;       /* some communicator may have a handler of the program's; atomic */

bool qmpi_may_complete_of_call(void)
{
	return !load_rlx(&programs_set);
}

int qmpi_finish(MPI_Request *r, MPI_Status *status, MPI_Comm comm)
{
	(void)comm;
	return PMPI_Wait(r, status);
}

void qmpi_handler_comes(MPI_Errhandler h)
{
	if (is_of_program(h))
		store_rlx(&programs_set, true);
	if (!ends_the_job(h))
		store_rlx(&others_set, true);
}

#pragma GCC visibility push(default)

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler)
{
	qmpi_handler_comes(handler);
	return PMPI_Comm_set_errhandler(comm, handler);
}

#pragma GCC visibility pop

#else

#include <stdio.h>

bool qmpi_may_complete_of_call(void)
{
	return true;
}

int qmpi_finish(MPI_Request *r, MPI_Status *status, MPI_Comm comm)
{
	qmpi_ask(true);
	int rc = PMPI_Wait(r, status);
	qmpi_ask(false);
	if (rc != MPI_SUCCESS)
		PMPI_Comm_call_errhandler(comm, rc);
	return rc;
}

/* --- handlers of the program's ------------------------------------------------------------------------------- */

enum { HANDLERS = 16 };                 /* more are MPI's alone */

static MPI_Comm_errhandler_function *functions[HANDLERS];
static unsigned nfunctions;             /* atomic; those taken, and perhaps more */

/* What MPICH hands over beside these two is its own business. */
#define THROUGH(n) \
	static void through_##n(MPI_Comm *comm, int *code, ...) \
	{ \
		if (!qmpi_asks()) \
			functions[n](comm, code); \
	}

THROUGH(0) THROUGH(1) THROUGH(2) THROUGH(3) THROUGH(4) THROUGH(5) THROUGH(6) THROUGH(7)
THROUGH(8) THROUGH(9) THROUGH(10) THROUGH(11) THROUGH(12) THROUGH(13) THROUGH(14) THROUGH(15)

static MPI_Comm_errhandler_function *const through[HANDLERS] = { through_0, through_1, through_2, through_3, through_4,
	through_5, through_6, through_7, through_8, through_9, through_10, through_11, through_12, through_13,
	through_14, through_15 };

#pragma GCC visibility push(default)

int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function *fn, MPI_Errhandler *made)
{
	unsigned n = fn && load_rlx(&nfunctions) < HANDLERS ? add_rlx(&nfunctions, 1) : HANDLERS;

	if (n >= HANDLERS)
		return PMPI_Comm_create_errhandler(fn, made);
	functions[n] = fn;
	return PMPI_Comm_create_errhandler(through[n], made);
}

#pragma GCC visibility pop

/* --- the fatal one of MPI_COMM_WORLD --------------------------------------------------------------------------- */

/* Made once; threads that set handlers at the same time see to that. */
static MPI_Errhandler stand_in = MPI_ERRHANDLER_NULL, stands_for = MPI_ERRORS_ARE_FATAL;

static void fatal_unless_asked(MPI_Comm *comm, int *code, ...)
{
	char text[MPI_MAX_ERROR_STRING];
	int length;

	if (qmpi_asks())
		return;
	if (PMPI_Error_string(*code, text, &length) == MPI_SUCCESS)
		fprintf(stderr, "Fatal error in MPI: %s\n", text);
	PMPI_Abort(*comm, *code);
}

static void put_in_stand_in(void)
{
	MPI_Errhandler world;

	if (PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &world) != MPI_SUCCESS)
		return;
	if (ends_the_job(world) && (stand_in != MPI_ERRHANDLER_NULL ||
		PMPI_Comm_create_errhandler(fatal_unless_asked, &stand_in) == MPI_SUCCESS)) {
		stands_for = world;
		PMPI_Comm_set_errhandler(MPI_COMM_WORLD, stand_in);
	}
	if (is_of_program(world))
		PMPI_Errhandler_free(&world);
}

/* A program of sessions alone has no MPI_COMM_WORLD. */
static bool is_world(void)
{
	int there = 0, over = 0;

	return PMPI_Initialized(&there) == MPI_SUCCESS && there && PMPI_Finalized(&over) == MPI_SUCCESS && !over;
}

void qmpi_handler_comes(MPI_Errhandler h)
{
	if (!ends_the_job(h))
		store_rlx(&others_set, true);
	if ((!ends_the_job(h) || stand_in != MPI_ERRHANDLER_NULL) && is_world())
		put_in_stand_in();
}

#pragma GCC visibility push(default)

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler)
{
	int rc = PMPI_Comm_set_errhandler(comm, handler);

	if (rc == MPI_SUCCESS)
		qmpi_handler_comes(handler);
	return rc;
}

int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *handler)
{
	int rc = PMPI_Comm_get_errhandler(comm, handler);

	if (rc == MPI_SUCCESS && stand_in != MPI_ERRHANDLER_NULL && *handler == stand_in)
		*handler = stands_for;
	return rc;
}

#pragma GCC visibility pop

#endif

/* --- as MPI-1 called them ----------------------------------------------------------------------------------------- */

/* Of binaries, and of Fortran: mpi.h has them no more. */
#undef MPI_Errhandler_create
#undef MPI_Errhandler_get
#undef MPI_Errhandler_set

#pragma GCC visibility push(default)

int MPI_Errhandler_create(MPI_Comm_errhandler_function *fn, MPI_Errhandler *made);
int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *handler);
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler);

int MPI_Errhandler_create(MPI_Comm_errhandler_function *fn, MPI_Errhandler *made)
{
	return MPI_Comm_create_errhandler(fn, made);
}

int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *handler)
{
	return MPI_Comm_get_errhandler(comm, handler);
}

int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler)
{
	return MPI_Comm_set_errhandler(comm, handler);
}

#pragma GCC visibility pop
