/* sched/spread.h -- placement of Q and L: new tasks go round robin over the shepherds, and stay there.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_SCHED_SPREAD_H
#define QTI_SCHED_SPREAD_H

#include "core/worker.h"

/* A woken task belongs to its waker's shepherd, a new one to the next in turn of its forker's. */
static inline struct qti_shepherd *qti_spread(struct qti_worker *w, const struct qti_task *t)
{
	struct qti_shepherd *s = w->shepherd;

	if (qti_rt.nshepherds == 1)
		return s;
	if (qti_task_is(t, QTI_TASK_STARTED))
		return load_rlx(&s->stand_in);
	return qti_shepherd_for(add_rlx(&s->next_target, 1) % qti_rt.nshepherds);
}

/* Gives each shepherd `size` zeroed bytes of the policy's own.  0 or QTHREAD_MALLOC_ERROR. */
int qti_policy_attach(size_t size);
void qti_policy_detach(void);

#endif
