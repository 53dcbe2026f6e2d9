/* sync/barrier.h -- barriers: what the runtime needs of them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_SYNC_BARRIER_H
#define QTI_SYNC_BARRIER_H

#include "sync/waiter.h"

/* Calls visit(waiter, arg) for everybody who is parked, under that leaf's lock. */
void qti_barriers_each_waiter(qti_waiter_visit visit, void *arg);

/* How many of its participants are there. */
size_t qti_barrier_entered(const void *barrier, size_t *participants);

void qti_barriers_give_up(void);        /* no task runs any more, and none will: external threads that wait return */
void qti_barriers_fini(void);   /* every task has ended */
void qti_barriers_forget(void); /* as if none had been made; gives nothing back */

#endif
