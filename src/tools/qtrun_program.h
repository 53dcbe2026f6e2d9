/* tools/qtrun_program.h -- the file behind a name, and whether libqomp can be put in front of it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_TOOLS_QTRUN_PROGRAM_H
#define QTI_TOOLS_QTRUN_PROGRAM_H

#include <stdbool.h>

struct qtrun_preload {
	char *library;                  /* absolute */
	char *mpi;                      /* libqmpi, absolute, in front of it; NULL: none is asked for */
	char *without, *with;           /* values of LD_PRELOAD: what there was, less the library,
					 * NULL if nothing; plus it */
	char *path;                     /* of LD_LIBRARY_PATH, with its other names in front; NULL: it has none */
};

/* As a shell would find it.  Ends qtrun if there is none.  To be freed. */
char *qtrun_program_find(const char *name);

/* The libqmpi for the program's MPI, to be freed.  Ends qtrun if there is none. */
char *qtrun_program_mpi(const char *program);

/* Ends qtrun if `library` is no shared library for this machine. */
void qtrun_library_check(const char *library);

/* What may keep the library from a program. */
enum qtrun_check {
	QTRUN_CHECK_STARTED,            /* and from those that it starts */
	QTRUN_CHECK_LOADER,             /* and of what kind it is */
	QTRUN_CHECK_USE,                /* and whether it is linked with any such library */
};

/* Ends qtrun if `program` could not be run with the library in front, or would not use it. */
void qtrun_program_check(const char *program, const struct qtrun_preload *preload, enum qtrun_check what);

/* As qtrun_program_find, or a shared library that lies there. */
char *qtrun_program_or_library_find(const char *name);

/* Prints which OpenMP runtimes there would be with the library in front, and who would use them; true: nobody
 * another one. */
bool qtrun_program_why(const char *program, const struct qtrun_preload *preload);

#endif
