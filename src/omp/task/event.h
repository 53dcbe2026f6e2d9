/* omp/task/event.h -- tasks that end only when an event has been fulfilled as well: the detach clause.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * EV1  the function's return sets RETURNED (acq_rel) || the fulfilment sets FULFILLED (acq_rel): who finds the other's
 *      bit set has seen all that came before it, and ends the task.  The parent of an undeferred one sets AWAITED
 *      instead and waits for FULFILLED; then the other does nothing but wake it.
 */
#ifndef QOMP_EVENT_H
#define QOMP_EVENT_H

#include "omp/task/depend.h"

/* t, new, will be detached: writes the handle to *(void **)detach, and to *(void **)data_word if that is not NULL (the
 * creator's data, not copied yet).  Returns the handle; its flag is set. */
void *qomp_event_prepare(struct qomp_task *t, void *detach, void *data_word);

/* It is fulfilled already. */
bool qomp_event_fulfilled(const struct qomp_task *t);

/* What the tool knows of that handle's task, if that has not returned; else NULL. */
struct qomp_told *qomp_event_told_before(void *handle);

/* The function of t, which is detached and deferred, has returned.  True: complete it now.  False: who fulfils the
 * event does. */
bool qomp_event_returned(struct qomp_task *t);

/* The function of t, which is detached and undeferred, has returned: waits for the event, as its parent f. */
void qomp_event_wait(struct qomp_frame *f, struct qomp_task *t);

/* The event of that handle; once; from any thread.  The task, if that has returned: the caller completes it.  Else
 * NULL. */
struct qomp_task *qomp_event_fulfil(void *handle);

#endif
