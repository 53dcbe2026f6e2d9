/* omp/task/record.c -- see omp/task/record.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/task/record.h"

#include "base/mem.h"
#include "omp/env/text.h"
#include "omp/team/root.h"

/* What its worker's thread counts for itself, a task in a blocking call cannot. */
struct qti_pool_cache *qomp_record_cache_outside(void)
{
	struct qti_pool_cache *c = qomp_outside_records();

	if (!c)
		qomp_fatal("an OpenMP construct in a task that is in a blocking call");
	return c;
}

void qomp_record_give_outside(struct qomp_task *t)
{
	struct qti_pool_cache *c = qomp_outside_records();

	if (c)
		qti_pool_put(&qomp_tasks, c, t);
	else
		qti_pool_put_shared(&qomp_tasks, t);
}

void qomp_record_large_data(struct qomp_task *t, size_t size, size_t align)
{
	t->frame.data = qti_mem_aligned(align > QOMP_ARG_ALIGN ? align : QOMP_ARG_ALIGN, size);
	if (!t->frame.data)
		qomp_fatal("out of memory for the %zu bytes of an OpenMP task's data", size);
	t->frame.flags |= QOMP_HEAP_DATA;
}

struct qomp_task *qomp_task_new(struct qomp_frame *parent, void (*fn)(void *), size_t size, size_t align)
{
	return qomp_record_take_sized(parent, fn, size, align);
}

struct qomp_task *qomp_task_new_in_place(struct qomp_frame *parent, void (*fn)(void *), void *data)
{
	return qomp_record_take(qti_self(), parent, fn, data);
}

void qomp_task_count(struct qomp_task *t)
{
	qomp_record_count(t);
}
