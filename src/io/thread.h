/* io/thread.h -- OS threads of the library's own that are no workers.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_IO_THREAD_H
#define QTI_IO_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* What such threads start with; from the thread that starts the runtime, before its workers exist. */
void qti_thread_setup(void);

/* Starts main(arg) with all signals blocked; main begins with qti_thread_settle.  False if the system has no thread to
 * give; qti_mem_fault is asked, too. */
bool qti_thread_start(pthread_t *thread, void *(*main)(void *), void *arg);

/* A thread inherits the binding of the one that starts it, which may be a worker's: it gives that up. */
void qti_thread_settle(void);

/* The calling thread lets the signals in that the workers let in, and keeps them all out again. */
void qti_thread_let_signals_in(void);
void qti_thread_keep_signals_out(void);

#endif
