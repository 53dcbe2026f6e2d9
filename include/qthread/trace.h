/* qthread/trace.h -- a record of what the workers do, and when.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTHREAD_TRACE_H
#define QTHREAD_TRACE_H

#include "macros.h"

Q_STARTCXX
#pragma GCC visibility push(default)

/* Begin to record, in `file`, which is made anew; %p in its name stands for the process's number.  With NULL the
 * record goes on that was stopped before; if there is none it is kept in memory, for
 * qthread_trace_dump.  QT_TRACE=file does the same from the beginning.  A full buffer ends its worker's record, or
 * loses the oldest (QT_TRACE_SIZE, QT_TRACE_AHEAD, QT_TRACE_WRAP).
 *
 * QTHREAD_SUCCESS; QTHREAD_NOT_ALLOWED while the runtime is down, or if it records already; QTHREAD_MALLOC_ERROR;
 * QTHREAD_OPFAIL if the file cannot be made: errno says why. */
int qthread_trace_start(const char *file);

/* Stop to record: when it returns no worker does.  What has been recorded stays, and qthread_trace_start goes on with
 * it.
 *
 * QTHREAD_SUCCESS; QTHREAD_NOT_ALLOWED while the runtime is down, or if it does not record. */
int qthread_trace_stop(void);

/* Write what has been recorded so far to `file`; recording pauses meanwhile, if it is on.  With NULL, or the name of
 * the file that is being recorded to, that one is brought up to date: until the runtime ends, all but its end is there
 * anyway.
 *
 * QTHREAD_SUCCESS; QTHREAD_NOT_ALLOWED while the runtime is down, or if nothing has been recorded, or NULL and no file;
 * QTHREAD_MALLOC_ERROR; QTHREAD_OPFAIL if it cannot be written: errno says why. */
int qthread_trace_dump(const char *file);

#pragma GCC visibility pop
Q_ENDCXX

#endif
