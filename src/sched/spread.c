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
	for (unsigned i = 0; i + 1 < qti_rt.nshepherds; i++) {
		struct qti_shepherd *victim = &qti_rt.shepherds[w->shepherd->nearest[i]];
		struct qti_task *t = take(victim);
		if (t) {
			qti_count_steal(w, &victim->workers[0], 1);
			return t;
		}
	}
	return NULL;
}
