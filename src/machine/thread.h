/* machine/thread.h -- threads of the library's own.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_MACHINE_THREAD_H
#define QTI_MACHINE_THREAD_H

#include "base/shared.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* As pthread_create.  stack: bytes; 0: as many as the system gives.  With `ulimit -s 16` that is less than our own
 * functions and the program's thread-local variables take, so there is a least size. */
QTI_SHARED int qti_thread_create(pthread_t *thread, size_t stack, void *(*main)(void *), void *arg);

/* How long a thread has used no CPU, from one look to the next.  Zeroed before the first. */
struct qti_thread_rest {
	uint64_t ran_ns, since_ns;
};

/* Whether the thread waits in the kernel for a lock that the calling thread holds: a mutex of the program's, a stream,
 * or the lock of exit(3), in which glibc keeps who calls it second (from 2.41 on) until the process is gone.  As long
 * as the caller waits for that thread neither goes on.  If /proc does not tell, a thread that has used no CPU for
 * TUNE_EXIT_BLIND_NS is taken to wait for such a lock.  tid: of the calling thread's process. */
bool qti_thread_waits_for_me(pid_t tid, struct qti_thread_rest *rest);

/* Waits for the end of a thread, but not where that waits for the caller's lock: then false. */
bool qti_thread_join(pthread_t thread, pid_t tid);

#endif
