/* qthread/io.h -- calls that block, made by a task without stopping its worker.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *   qt_begin_blocking_action();
 *   rc = call_that_blocks();
 *   qt_end_blocking_action();
 *
 * In between the task goes on on an OS thread that is no worker, and its worker runs other tasks.  There are up to
 * QT_MAX_IO_WORKERS such threads; further tasks wait their turn, as tasks, in qt_begin_blocking_action.  Actions that
 * wait for one another must therefore not be more than that.
 */
#ifndef QTHREAD_IO_H
#define QTHREAD_IO_H

#include "macros.h"

Q_STARTCXX
#pragma GCC visibility push(default)

/* The calling task leaves its worker.
 *
 * Until qt_end_blocking_action it counts as an external thread where workers and waiting are concerned: qthread_shep()
 * is NO_SHEPHERD, qthread_worker() NO_WORKER, yielding does nothing, operations on full/empty words put the OS thread
 * to sleep.  Its id, task-local data, return location and stack are its own throughout.  What it knows of its OS
 * thread, such as pthread_self() or the address of a __thread variable, is another one's after each of the two calls;
 * so do not use errno on both sides of one in the same function.  The signal mask is that of the workers.
 *
 * Ignored, so that the action stops its worker: in tasks forked with QTHREAD_SPAWN_SIMPLE, and when no memory or no OS
 * thread is to be had.  Ignored for external threads, and while the runtime is down.  In an action already, it is
 * counted: only the outermost pair moves the task.  A task that returns in an action ends it. */
void qt_begin_blocking_action(void);

/* The calling task goes back to its shepherd's ready tasks, and on on a worker.  Ignored outside of an action. */
void qt_end_blocking_action(void);

#pragma GCC visibility pop
Q_ENDCXX

#endif
