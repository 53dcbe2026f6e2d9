/* mpi/fortran.c -- MPI's Fortran library calls the functions of mpi/calls.c.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Open MPI's Fortran calls end in PMPI_Recv and the like, whichever interface the program uses, and so do those of
 * MPICH's mpi_f08 that have no buffer; the rest of MPICH's end in MPI_Recv.  They lie in a library of their own.  So
 * the names with a P are here, too: called from that library they are those without, called from anywhere else, this
 * library and other tools included, they are what stands behind it.
 *
 * Who calls is known by the return address.  So no function of this library may end by jumping to one of these
 * (-fno-optimize-sibling-calls): it would be its caller's.
 */
#include "mpi/sessions.h"
#include "mpi/wait.h"

#include <dlfcn.h>
#include <link.h>

static uintptr_t fortran_begin, fortran_end;    /* code of MPI's Fortran library; 0: there is none */

extern void pmpi_send_(void) __attribute__((weak));

static int find_fortran(struct dl_phdr_info *object, size_t size, void *address)
{
	(void)size;
	for (unsigned i = 0; i < object->dlpi_phnum; i++) {
		uintptr_t begin = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
		uintptr_t end = begin + object->dlpi_phdr[i].p_memsz;
		if (object->dlpi_phdr[i].p_type != PT_LOAD || (uintptr_t)address < begin || (uintptr_t)address >= end)
			continue;
		fortran_begin = begin;
		fortran_end = end;
		return 1;
	}
	return 0;
}

static __attribute__((constructor)) void fortran_come(void)
{
	if (pmpi_send_)
		dl_iterate_phdr(find_fortran, (void *)(uintptr_t)pmpi_send_);
}

static inline bool is_fortran(const void *caller)
{
	return (uintptr_t)caller - fortran_begin < fortran_end - fortran_begin;
}

#define ARGUMENTS(...) __VA_ARGS__
#define PARAMETERS(...) __VA_ARGS__
#define NAME_OF(name) #name
#define NAME(name) NAME_OF(name)

#define FORWARD(name, parameters, arguments) \
	int QMPI_NAME(PMPI_, name) parameters \
	{ \
		static int (*behind) parameters; \
		if (qti_unlikely(is_fortran(__builtin_return_address(0)))) \
			return QMPI_NAME(MPI_, name) arguments; \
		if (qti_unlikely(!load_rlx(&behind))) \
			store_rlx(&behind, (int (*) parameters)dlsym(RTLD_NEXT, NAME(QMPI_NAME(PMPI_, name)))); \
		return load_rlx(&behind) arguments; \
	}

#define QMPI_START(name, twin, parameters, arguments) FORWARD(name, parameters, arguments)
#define QMPI_RECEIVE(name, twin, parameters, arguments, on, from_nobody) \
	FORWARD(name, (PARAMETERS parameters, MPI_Status *status), (ARGUMENTS arguments, status))
#define QMPI_CARRY(name, parameters, arguments) FORWARD(name, parameters, arguments)
#define QMPI_CARRY_HANDLED(name, parameters, arguments) FORWARD(name, parameters, arguments)

#define SENDRECV \
	FORWARD(Sendrecv, (const void *out, QMPI_COUNT nout, MPI_Datatype tout, int to, int tag_out, void *in, \
		QMPI_COUNT nin, MPI_Datatype tin, int from, int tag_in, MPI_Comm comm, MPI_Status *status), \
		(out, nout, tout, to, tag_out, in, nin, tin, from, tag_in, comm, status)) \
	FORWARD(Sendrecv_replace, (void *buf, QMPI_COUNT n, MPI_Datatype type, int to, int tag_out, int from, \
		int tag_in, MPI_Comm comm, MPI_Status *status), (buf, n, type, to, tag_out, from, tag_in, comm, status))

#pragma GCC visibility push(default)

#define QMPI_NAME(prefix, name) prefix##name
#define QMPI_COUNT int
#define QMPI_DISPL int
#define QMPI_SMALL
#include "mpi/calls.h"
SENDRECV
#undef QMPI_SMALL
#undef QMPI_DISPL
#undef QMPI_COUNT

/* Those that the table does not describe. */
FORWARD(Probe, (int from, int tag, MPI_Comm comm, MPI_Status *status), (from, tag, comm, status))
FORWARD(Mprobe, (int from, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status),
	(from, tag, comm, message, status))
FORWARD(Wait, (MPI_Request *r, MPI_Status *status), (r, status))
FORWARD(Waitall, (int n, MPI_Request *list, MPI_Status *statuses), (n, list, statuses))
FORWARD(Waitany, (int n, MPI_Request *list, int *index, MPI_Status *status), (n, list, index, status))
FORWARD(Waitsome, (int n, MPI_Request *list, int *count, int *indices, MPI_Status *statuses),
	(n, list, count, indices, statuses))
FORWARD(Finalize, (void), ())
#ifdef QMPI_SESSIONS
FORWARD(Session_init, (MPI_Info info, MPI_Errhandler handler, MPI_Session *session), (info, handler, session))
#endif
FORWARD(Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler handler), (comm, handler))
#ifdef MPICH_VERSION
FORWARD(Comm_create_errhandler, (MPI_Comm_errhandler_function *fn, MPI_Errhandler *made), (fn, made))
FORWARD(Comm_get_errhandler, (MPI_Comm comm, MPI_Errhandler *handler), (comm, handler))
#endif
#undef QMPI_NAME

#if MPI_VERSION >= 4
#define QMPI_NAME(prefix, name) prefix##name##_c
#define QMPI_COUNT MPI_Count
#define QMPI_DISPL MPI_Aint
#include "mpi/calls.h"
SENDRECV
#endif
