/* core/worker.c -- see core/worker.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/worker.h"

struct qti_runtime qti_rt;
QTI_SHARE_VARIABLE(qti_rt);
bool qti_running;
QTI_SHARE_VARIABLE(qti_running);
uint64_t qti_patience;
QTI_AT_LOAD const void *(*qti_guest_function)(const struct qti_task *t);

static __thread char identity;

__attribute__((noinline)) void *qti_self_identity(void)
{
	struct qti_task *t = qti_current();

	return t ? (void *)t : (void *)&identity;
}

uint32_t qti_task_id(struct qti_task *t)
{
	uint32_t seen = load_rlx(&t->id);

	/* The handler of a signal may ask meanwhile: the first number given counts. */
	while (seen == QTHREAD_NON_TASK_ID || seen == QTHREAD_NULL_TASK_ID) {
		uint32_t id = add_rlx(&qti_rt.next_id, 1);
		if (cas_acq(&t->id, &seen, id))
			seen = id;
	}
	return seen;
}

/* Taken many at once: the word is everybody's. */
enum { TRACE_IDS = 1024 };

uint32_t qti_trace_next_id(struct qti_tracer *t)
{
	if (t->ids == 0) {
		t->next_id = add_rlx(&qti_rt.next_id, TRACE_IDS);
		t->ids = TRACE_IDS;
	}
	t->ids--;
	return t->next_id++;
}
