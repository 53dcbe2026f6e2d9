/* core/notify.h -- waking workers that have no work (P1 and P3 of core/worker.h).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_CORE_NOTIFY_H
#define QTI_CORE_NOTIFY_H

#include "core/worker.h"

/* The calling thread, no worker, sleeps after it makes tasks ready. */
void qti_notify_then_sleep(void);

/* Under rt.idle.lock, makes w look at what has changed.  True if it has to be woken by futex, too. */
bool qti_worker_rouse(struct qti_worker *w);

void qti_notify_slow(struct qti_shepherd *near);
void qti_notify_shepherd_slow(struct qti_shepherd *s);

/* P1, where only w may take what was put down. */
void qti_notify_worker(struct qti_worker *w);

/* P1, where any worker may take what was pushed; one near the given shepherd is preferred. */
static inline void qti_notify(struct qti_shepherd *near)
{
	fence_light();                                                          /* P1 */
	if (qti_unlikely(load_rlx(&qti_rt.idle.count) != 0))
		qti_notify_slow(near);
}

#endif
