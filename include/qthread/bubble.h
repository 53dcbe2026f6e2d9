/* qthread/bubble.h -- tasks that belong together, and stay together until they start.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTHREAD_BUBBLE_H
#define QTHREAD_BUBBLE_H

#include <stddef.h>

#include "qthread.h"

Q_STARTCXX
#pragma GCC visibility push(default)

/* Create n tasks, a bubble: the i-th runs f(args + i * size).
 *
 * Until they start they are one for the scheduler: whoever takes it has them all, starts the first, and the others are
 * beside it, again as one.  They are tasks like others otherwise: each may wait, for another one of them too, and fork.
 *
 * f     called n times
 * args  an array of n elements of that size, which stays the caller's; size 0: all get args itself
 * ret   emptied, and filled as by qthread_writeEF when all have returned, with the sum of what they returned; NULL:
 *       nobody is told
 *
 * From tasks and other threads.  QTHREAD_SUCCESS; QTHREAD_BADARGS for a NULL f or n == 0; QTHREAD_MALLOC_ERROR, when no
 * task was created; QTHREAD_NOT_ALLOWED while the runtime is down. */
int qthread_fork_bubble(qthread_f f, void *args, size_t size, size_t n, aligned_t *ret);

#pragma GCC visibility pop
Q_ENDCXX

#endif
