/* omp/task/event.c -- see omp/task/event.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/task/event.h"

#include "omp/task/wait.h"
#include "omp/team/address_wait.h"

void *qomp_event_prepare(struct qomp_task *t, void *detach, void *data_word)
{
	void *handle = qomp_extra_of(t);

	t->frame.flags |= QOMP_DETACHED;
	*(void **)detach = handle;
	if (data_word)
		*(void **)data_word = handle;
	return handle;
}

bool qomp_event_returned(struct qomp_task *t)
{
	return or_acq_rel(&t->frame.extra->bits, QOMP_EVENT_RETURNED) & QOMP_EVENT_FULFILLED;   /* EV1 */
}

bool qomp_event_fulfilled(const struct qomp_task *t)
{
	return load_acq(&t->frame.extra->bits) & QOMP_EVENT_FULFILLED;
}

struct qomp_told *qomp_event_told_before(void *handle)
{
	struct qomp_extra *x = handle;

	return load_acq(&x->bits) & QOMP_EVENT_RETURNED ? NULL : x->task->told;
}

void qomp_event_wait(struct qomp_frame *f, struct qomp_task *t)
{
	uint32_t *bits = &t->frame.extra->bits;
	uint32_t seen = or_acq_rel(bits, QOMP_EVENT_AWAITED) | QOMP_EVENT_AWAITED;              /* EV1 */

	if (!(seen & QOMP_EVENT_FULFILLED))
		qomp_task_wait_while(f, bits, seen);
}

struct qomp_task *qomp_event_fulfil(void *handle)
{
	struct qomp_extra *x = handle;
	struct qomp_task *t = x->task;
	uint32_t before = or_acq_rel(&x->bits, QOMP_EVENT_FULFILLED);                           /* EV1 */

	if (before & QOMP_EVENT_AWAITED)
		qomp_address_wake(&x->bits, UINT_MAX);
	return !(before & QOMP_EVENT_AWAITED) && before & QOMP_EVENT_RETURNED ? t : NULL;
}
