/* sync/syncvar.h -- what forking needs of syncvars.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_SYNC_SYNCVAR_H
#define QTI_SYNC_SYNCVAR_H

#include "core/task.h"

/* Tasks that wait for ever are forgotten; their stacks are about to go. */
void qti_syncvar_fini(void);

/* Makes a return syncvar empty before its task is queued.  QTHREAD_SUCCESS or _BADARGS. */
int qti_syncvar_expect(syncvar_t *v);

/* A task's last act: writeEF of the low 60 bits of its result into t->ret.  False if the descriptor waits for that. */
bool qti_syncvar_deliver(struct qti_task *t, aligned_t value);

#endif
