/* tools/qtrun_mpi.h -- which libqmpi fits a program: the one that was built for its MPI.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_TOOLS_QTRUN_MPI_H
#define QTI_TOOLS_QTRUN_MPI_H

/* The path of the library, to be freed, for the ELF file `program`, which the user knows as `who` and whose loader is
 * `loader`.  Ends qtrun if there is none. */
char *qtrun_mpi_library(const char *who, const char *program, const char *loader);

/* That for an MPI by name, for a program that loads its MPI while it runs. */
char *qtrun_mpi_named(const char *name);

#endif
