/* io/absent.h -- tasks that will be ready again by themselves: those that sleep, those on proxies, and
 * those whose stack threads of a guest use.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * qthread_finalize counts them as running: it waits until there are none, and then lets what is ready run.  Meanwhile
 * more may leave, and may be back and ready when it looks; so it looks at how many ever left.
 */
#ifndef QTI_IO_ABSENT_H
#define QTI_IO_ABSENT_H

#include <stdbool.h>
#include <stdint.h>

void qti_absent_reset(void);

void qti_absent_add(void);              /* by the task, before it leaves */
void qti_absent_remove(void);           /* once it has been made ready */

/* Whether none is absent; in *ever the calls of qti_absent_add so far. */
bool qti_absent_none(uint64_t *ever);

/* From the main task: waits until none is absent for a moment.  0 or QTHREAD_MALLOC_ERROR. */
int qti_absent_wait(void);

#endif
