/* omp/abi/kmpc_record.c -- see omp/abi/kmpc_record.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmpc_record.h"

#include "omp/abi/kmpc_thread.h"

#include <inttypes.h>

/* --- running --------------------------------------------------------------------------------------------- */

/* Those with something to destroy come here in any case. */
static bool is_wanted(struct qomp_task *t)
{
	if (kmpc_head(t)->flags & KMPC_TASK_PROXY)
		return false;
	return !(t->frame.flags & QOMP_COPIED) || !qomp_settings.cancellation || !qomp_task_unwanted(&t->frame);
}

/* The running task's own record, whatever its data. */
void kmpc_task_run(void *unused)
{
	struct qomp_task *t = qomp_task_of(qomp_frame_now());
	struct kmpc_head *h = kmpc_head(t);
	int32_t thread = qomp_kmpc_thread();

	(void)unused;
	if (qti_likely(is_wanted(t)))
		kmpc_run_parts(h, thread);
	kmpc_destroy(h, thread);
}

static const void *function_behind(const struct qomp_frame *f)
{
	struct qomp_task *t = (struct qomp_task *)(uintptr_t)qti_container_of(f, struct qomp_task, frame);

	return f->fn == kmpc_task_run ? (const void *)kmpc_head(t)->task->routine : (const void *)f->fn;
}

__attribute__((constructor)) static void functions_are_known(void)
{
	qomp_function_behind = function_behind;
}

/* --- memory ---------------------------------------------------------------------------------------------- */

/* Compiled code takes whole lines for granted where it asks for more than one. */
struct kmpc_task *kmpc_memory_apart(struct qomp_task *t, size_t bytes)
{
	if (bytes > UINT32_MAX)
		qomp_fatal("an OpenMP task of %zu bytes, where %" PRIu32 " are the most", bytes, UINT32_MAX);
	qomp_record_large_data(t, bytes + QTI_CACHE_LINE, QTI_CACHE_LINE);
	struct kmpc_task *task = (struct kmpc_task *)((char *)t->frame.data + QTI_CACHE_LINE);
	((struct qomp_task **)task)[-1] = t;
	task->apart = 1;
	return task;
}

void kmpc_record_drop(struct qomp_task *t)
{
	kmpc_destroy(kmpc_head(t), qomp_kmpc_thread());
	qomp_task_retire(t);
}
