/* sync/syncvar.h -- what forking needs of syncvars.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_SYNC_SYNCVAR_H
#define QTI_SYNC_SYNCVAR_H

#include "sync/waiter.h"

/* Tasks that wait for ever are forgotten; their stacks are about to go. */
void qti_syncvar_fini(void);

void qti_syncvar_forget(void);  /* in a child of fork(2): nobody waits, no list is locked */

/* Makes a return syncvar empty before its task is queued.  QTHREAD_SUCCESS or _BADARGS. */
int qti_syncvar_expect(syncvar_t *v);

/* Calls visit(waiter, arg) for everybody who waits for a syncvar.  A lock is held that those who wait for or
 * wake others at one may need: no syncvar call may be made from there. */
void qti_syncvar_each_waiter(qti_waiter_visit visit, void *arg);

/* A task's last act: writeEF of the low 60 bits of its result into t->ret.  False if the descriptor waits for that. */
bool qti_syncvar_deliver(struct qti_task *t, aligned_t value);

#endif
