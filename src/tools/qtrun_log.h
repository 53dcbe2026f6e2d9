/* tools/qtrun_log.h -- what a program of `qtrun --why` and qtrun itself have in common.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The loader loads tools/qtrun_audit.c beside the program and tells it of libraries and names.  It adds lines to a
 * file; qtrun reads them when the program has ended, however it has.  The fields are separated by tabs:
 *
 *   program  ID FILE                         a program begins; ID is its process's, or that of an earlier one there
 *   runtime  ID SPACE FILE SONAME            an OpenMP runtime is mapped
 *   needs    ID SPACE USER SONAME            a file is linked with one
 *   binds    ID SPACE USER SPACE FILE NAME   a file calls a function of one, or has asked for its address
 *
 * SPACE is the loader's number of the namespace: 0 but for what dlmopen has brought.  An empty USER is the program.
 */
#ifndef QTI_TOOLS_QTRUN_LOG_H
#define QTI_TOOLS_QTRUN_LOG_H

#define QTRUN_LOG_VARIABLE "QTRUN_WHY_LOG"      /* names the file, by qtrun's process and its number there */

/* What the file is called.  When qtrun has gone, both numbers may be others' while a program
 * that it started goes on. */
#define QTRUN_LOG_NAME "qtrun-why"

#endif
