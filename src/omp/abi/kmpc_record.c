/* omp/abi/kmpc_record.c -- see omp/abi/kmpc_record.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmpc_record.h"

#include "omp/abi/kmpc_thread.h"

#include <inttypes.h>

/* --- running --------------------------------------------------------------------------------------------- */

void kmpc_run_parts(struct kmpc_head *h, int32_t thread)
{
	do {
		h->flags &= ~(uint32_t)KMPC_TASK_AGAIN;
		h->task->routine(thread, h->task);
	} while (qti_unlikely(h->flags & KMPC_TASK_AGAIN));
}

void kmpc_destroy(const struct kmpc_head *h, int32_t thread)
{
	if (qti_unlikely(h->flags & KMPC_TASK_DESTRUCTORS))
		h->task->destructors(thread, h->task);
}

/* Those with something to destroy come here in any case. */
static bool is_wanted(struct qomp_task *t)
{
	if (kmpc_head(t)->flags & KMPC_TASK_PROXY)
		return false;
	return !(t->frame.flags & QOMP_COPIED) || !qomp_settings.cancellation || !qomp_task_unwanted(&t->frame);
}

/* The running task's own record, whatever its data. */
static void task_run(void *data)
{
	struct qomp_task *t = qomp_task_of(qomp_frame_now());
	struct kmpc_head *h = kmpc_head(t);
	int32_t thread = qomp_kmpc_thread();

	(void)data;
	if (qti_likely(is_wanted(t)))
		kmpc_run_parts(h, thread);
	kmpc_destroy(h, thread);
}

/* --- memory ---------------------------------------------------------------------------------------------- */

/* Compiled code takes whole lines for granted where it asks for more than one. */
static __attribute__((noinline)) struct kmpc_task *memory_apart(struct qomp_task *t, size_t bytes)
{
	qomp_record_large_data(t, bytes + QTI_CACHE_LINE, QTI_CACHE_LINE);
	struct kmpc_task *task = (struct kmpc_task *)((char *)t->frame.data + QTI_CACHE_LINE);
	((struct qomp_task **)task)[-1] = t;
	task->apart = 1;
	return task;
}

struct qomp_task *kmpc_record_new(struct qomp_frame *f, uint32_t flags, size_t bytes)
{
	struct qomp_task *t = qomp_record_take(qti_self(), f, task_run, NULL);
	struct kmpc_head *h = kmpc_head(t);

	if (qti_unlikely(bytes > UINT32_MAX))
		qomp_fatal("an OpenMP task of %zu bytes, where %" PRIu32 " are the most", bytes, UINT32_MAX);
	if (qti_likely(bytes <= qomp_record_room)) {
		t->frame.data = t->arg;
		h->task = (struct kmpc_task *)t->arg;
		h->task->apart = 0;
	} else {
		h->task = memory_apart(t, bytes);
	}
	h->flags = flags & UINT16_MAX;
	h->bytes = (uint32_t)bytes;
	t->frame.flags |= (flags & KMPC_TASK_FINAL ? QOMP_FINAL : 0) | (flags & KMPC_TASK_DESTRUCTORS ? QOMP_COPIED : 0);
	return t;
}

void kmpc_record_drop(struct qomp_task *t)
{
	kmpc_destroy(kmpc_head(t), qomp_kmpc_thread());
	qomp_task_retire(t);
}
