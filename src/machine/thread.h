/* machine/thread.h -- threads of the library's own.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_MACHINE_THREAD_H
#define QTI_MACHINE_THREAD_H

#include "base/shared.h"

#include <pthread.h>

/* As pthread_create.  stack: bytes; 0: as many as the system gives.  With `ulimit -s 16` that is less than our own
 * functions and the program's thread-local variables take, so there is a least size. */
QTI_SHARED int qti_thread_create(pthread_t *thread, size_t stack, void *(*main)(void *), void *arg);

#endif
