/* qthread/qlfqueue.h -- a lock-free FIFO queue, many writers, many readers.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *   qlfqueue_t *q = qlfqueue_create();
 *   qlfqueue_enqueue(q, job);
 *   while ((job = qlfqueue_dequeue(q)) != NULL)
 *           run(job);
 *   qlfqueue_destroy(q);
 *
 * Elements are pointers, any but NULL; what they point to is the callers' business.  Anybody may make all of these
 * calls at any time: tasks, external threads, before qthread_initialize and after qthread_finalize, which leaves queues
 * and what is in them alone.  None of them blocks.  What a thread did before it put an element into the queue is
 * visible to the one that takes it out.
 *
 * The queue is linearizable: each call takes effect at one moment between its beginning and its end, and elements come
 * out in the order in which they went in.  It is as large as memory allows.
 */
#ifndef QTHREAD_QLFQUEUE_H
#define QTHREAD_QLFQUEUE_H

#include "qthread.h"

Q_STARTCXX
#pragma GCC visibility push(default)

typedef struct qlfqueue_s qlfqueue_t;

/* Make an empty queue, of about 8 KiB.  NULL when memory is short. */
qlfqueue_t *qlfqueue_create(void);

/* Free the queue; elements in it are forgotten.  Nobody may be using it.  QTHREAD_SUCCESS; QTHREAD_BADARGS for NULL. */
int qlfqueue_destroy(qlfqueue_t *q);

/* Put elem at the end.  QTHREAD_SUCCESS; QTHREAD_BADARGS if either is NULL; QTHREAD_MALLOC_ERROR when memory is short:
 * then elem is not in the queue. */
int qlfqueue_enqueue(qlfqueue_t *q, void *elem);

/* Take the first element.  NULL if the queue is empty, or for NULL. */
void *qlfqueue_dequeue(qlfqueue_t *q);

/* 1 if the queue is empty, 0 if it is not or if somebody is just putting something there; it may have changed by the
 * time that the caller looks at the answer.  QTHREAD_BADARGS for NULL. */
int qlfqueue_empty(qlfqueue_t *q);

#pragma GCC visibility pop
Q_ENDCXX

#endif
