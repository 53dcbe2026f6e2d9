/* sched/spread.c -- a policy's state, one record for each shepherd; open tasks that are taken from elsewhere.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sched/spread.h"

#include "base/mem.h"

#include <string.h>

int qti_policy_attach(size_t size)
{
	for (unsigned i = 0; i < qti_rt.nshepherds; i++) {
		void *state = qti_mem_aligned(QTI_CACHE_LINE, size);
		if (!state) {
			qti_policy_detach();
			return QTHREAD_MALLOC_ERROR;
		}
		qti_rt.shepherds[i].policy = memset(state, 0, size);
	}
	return QTHREAD_SUCCESS;
}

void qti_policy_detach(void)
{
	for (unsigned i = 0; i < qti_rt.nshepherds; i++) {
		qti_mem_free(qti_rt.shepherds[i].policy);
		qti_rt.shepherds[i].policy = NULL;
	}
}

struct qti_task *qti_spread_rescue(struct qti_worker *w, struct qti_task *(*take)(struct qti_shepherd *s))
{
	struct qti_task *t = NULL;

	for (unsigned i = 0; !t && i + 1 < qti_rt.nshepherds; i++)
		t = take(&qti_rt.shepherds[w->shepherd->nearest[i]]);
	if (t) {
		qti_count(w, steals);
		qti_count(w, steals_remote);
		qti_count(w, tasks_stolen);
	}
	return t;
}
