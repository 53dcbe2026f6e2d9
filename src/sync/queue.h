/* sync/queue.h -- what the runtime needs of task queues.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_SYNC_QUEUE_H
#define QTI_SYNC_QUEUE_H

#include "sync/waiter.h"

/* Calls visit(waiter, arg) for everybody in one, which is locked meanwhile. */
void qti_queues_each_waiter(qti_waiter_visit visit, void *arg);

/* Tasks that wait for ever are forgotten; their stacks are about to go. */
void qti_queues_forget_tasks(void);

#endif
