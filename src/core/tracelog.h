/* core/tracelog.h -- the event log as a whole: on, off, and on file.  core/trace.h has the protocol.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_CORE_TRACELOG_H
#define QTI_CORE_TRACELOG_H

/* Each is inside of the runtime.  QTHREAD_SUCCESS; QTHREAD_NOT_ALLOWED: it is on, or off, already, or there is nothing
 * to write; _MALLOC_ERROR; _OPFAIL: errno says what is wrong with the file. */
int qti_tracelog_start(const char *file);       /* NULL: the one there is, else memory alone */
int qti_tracelog_stop(void);
int qti_tracelog_dump(const char *file);        /* NULL: the one there is */

/* The runtime ends: says what is missing. */
void qti_tracelog_finish(void);

#endif
