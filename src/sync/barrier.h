/* sync/barrier.h -- barriers: what starting and stopping needs of them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_SYNC_BARRIER_H
#define QTI_SYNC_BARRIER_H

void qti_barriers_give_up(void);        /* no task runs any more, and none will: external threads that wait return */
void qti_barriers_fini(void);   /* every task has ended */
void qti_barriers_forget(void); /* as if none had been made; gives nothing back */

#endif
