/* mpi/sessions.h -- whether this MPI has sessions and what came with them in MPI 4.0, but for counts of MPI_Count.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QMPI_SESSIONS_H
#define QMPI_SESSIONS_H

#include <mpi.h>

/* Open MPI 5 says that it is MPI 3.1. */
#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define QMPI_SESSIONS
#endif

#endif
