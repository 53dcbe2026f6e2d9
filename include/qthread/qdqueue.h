/* qthread/qdqueue.h -- a queue spread over the shepherds, approximately FIFO.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * There is a lock-free queue (qthread/qlfqueue.h) for each shepherd.  An element is put into the queue of the caller's
 * shepherd; one is taken from there if there is any, and else from the nearest other shepherd that has one.  So tasks
 * that put in and take out on the same shepherd do not disturb others.  Elements of one shepherd come out in the order
 * in which they went in; there is no order among shepherds.
 *
 * Elements are pointers, any but NULL.  Anybody may make all of these calls at any time, and none of them blocks.  An
 * external thread counts as one on a shepherd that is chosen for it and stays the same.  What a thread did before it
 * put an element into the queue is visible to the one that takes it out.
 *
 * The queue keeps the number of shepherds that there were when it was made, one if the runtime was down.  It outlives
 * the runtime with all that is in it: under another, shepherd i uses queue i modulo that number.
 */
#ifndef QTHREAD_QDQUEUE_H
#define QTHREAD_QDQUEUE_H

#include "qthread.h"

Q_STARTCXX
#pragma GCC visibility push(default)

typedef struct qdqueue_s qdqueue_t;

/* Make an empty queue, of about 8 KiB for each shepherd.  NULL when memory is short. */
qdqueue_t *qdqueue_create(void);

/* Free the queue; elements in it are forgotten.  Nobody may be using it.  QTHREAD_SUCCESS; QTHREAD_BADARGS for NULL. */
int qdqueue_destroy(qdqueue_t *q);

/* Put elem into the queue of the caller's shepherd.  QTHREAD_SUCCESS; QTHREAD_BADARGS if either is NULL;
 * QTHREAD_MALLOC_ERROR when memory is short: then elem is not in the queue. */
int qdqueue_enqueue(qdqueue_t *q, void *elem);

/* The same for the queue of shepherd `there`; QTHREAD_BADARGS if there was no such shepherd when q was made. */
int qdqueue_enqueue_there(qdqueue_t *q, void *elem, qthread_shepherd_id_t there);

/* Take an element: the first one of the caller's shepherd, or else of the nearest one that has any.  NULL if each
 * shepherd's queue was empty at some moment during the call, or for NULL. */
void *qdqueue_dequeue(qdqueue_t *q);

/* 1 if each shepherd's queue was empty at some moment during the call, else 0.  QTHREAD_BADARGS for NULL. */
int qdqueue_empty(qdqueue_t *q);

#pragma GCC visibility pop
Q_ENDCXX

#endif
