/* qthread/qswsrqueue.h -- a FIFO queue of bounded size, one writer, one reader.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * At most one caller at a time may put elements in, and at most one take them out; these may run beside each other, and
 * who they are may change if one's last call is ordered before the other's first.  Within this, tasks and external
 * threads may make all of these calls; those that do not wait may be made whether the runtime is up or down, and an
 * external thread may wait then, too.
 *
 * Elements are pointers, any but NULL.  What the writer did before it put an element in is visible to the reader when
 * it has taken it out.
 */
#ifndef QTHREAD_QSWSRQUEUE_H
#define QTHREAD_QSWSRQUEUE_H

#include <stddef.h>

#include "qthread.h"

Q_STARTCXX
#pragma GCC visibility push(default)

typedef struct qswsrqueue_s qswsrqueue_t;

/* Make an empty queue for `elements`, rounded up to a multiple of 64, less one: 63 for 1 as for 64, 127 for 65.  NULL
 * for 0, for more than there are addresses, or when memory is short. */
qswsrqueue_t *qswsrqueue_create(size_t elements);

/* Free the queue; elements in it are forgotten.  Nobody may be using it: the other side's last call has returned.
 * QTHREAD_SUCCESS; QTHREAD_BADARGS for NULL. */
int qswsrqueue_destroy(qswsrqueue_t *q);

/* Put elem at the end; does not block.  QTHREAD_SUCCESS; QTHREAD_OPFAIL if the queue is full; QTHREAD_BADARGS if either
 * is NULL. */
int qswsrqueue_enqueue(qswsrqueue_t *q, void *elem);

/* The same, but waits while the queue is full: the task suspends, an external thread sleeps.  QTHREAD_SUCCESS;
 * QTHREAD_BADARGS; QTHREAD_MALLOC_ERROR if a task has to wait and memory is short: elem is not in the queue. */
int qswsrqueue_enqueue_blocking(qswsrqueue_t *q, void *elem);

/* Take the first element; does not block.  NULL if the queue is empty, or for NULL. */
void *qswsrqueue_dequeue(qswsrqueue_t *q);

/* The same, but waits while the queue is empty.  NULL only if a task has to wait and memory is short, or for NULL. */
void *qswsrqueue_dequeue_blocking(qswsrqueue_t *q);

/* 1 if the queue is empty, else 0; QTHREAD_BADARGS for NULL.  Anybody may ask. */
int qswsrqueue_empty(qswsrqueue_t *q);

#pragma GCC visibility pop
Q_ENDCXX

#endif
