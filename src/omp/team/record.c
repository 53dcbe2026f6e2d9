/* omp/team/record.c -- see omp/team/record.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/record.h"

#include "base/race.h"
#include "base/tuning.h"
#include "omp/team/store.h"

#include <malloc.h>
#include <pthread.h>

struct qti_pool qomp_tasks;
size_t qomp_record_room = QOMP_ARG_ROOM;
const void *(*qomp_function_behind)(const struct qomp_frame *f);

enum { TASK_BATCH = 64, TASK_SLAB_FIRST = 64 << 10, TASK_SLAB_MAX = 4 << 20 };

static void make_pool(void)
{
	qti_pool_init(&qomp_tasks, &(struct qti_pool_config){
		.size = sizeof(struct qomp_task), .align = QTI_CACHE_LINE, .batch = TASK_BATCH,
		.fetch = offsetof(struct qomp_task, base) + QTI_CACHE_LINE,
		.first_slab = TASK_SLAB_FIRST, .max_slab = TASK_SLAB_MAX });
}

void qomp_records_setup(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (qti_races())
		qomp_record_room = 0;
	pthread_once(&once, make_pool);
}

/* --- of threads that are no workers ---------------------------------------------------------------------- */

/* Of a thread that is no worker: its root, or what it has instead as a member, NULL if it has no regions; and its
 * records of tasks.  Checkers of memory find the root here: all else points into it.  The library is there from the
 * program's start, or is small enough for what the loader keeps for latecomers: no call is needed to find them. */
static __thread const void *outside __attribute__((tls_model("initial-exec")));
static __thread struct qti_pool_cache spare __attribute__((tls_model("initial-exec")));

static struct qti_pool_cache *outside_records(void)
{
	return outside ? &spare : NULL;
}

void qomp_records_begin(const void *who)
{
	outside = who;
}

void qomp_records_end(void)
{
	outside = NULL;
	while (spare.count || spare.full)
		qti_pool_put_shared(&qomp_tasks, qti_pool_get(&qomp_tasks, &spare));
	if (spare.active)
		qti_pool_put_magazine(&qomp_tasks, &spare);
}

/* What its worker's thread counts for itself, a task in a blocking call cannot. */
struct qti_pool_cache *qomp_record_cache_outside(void)
{
	struct qti_pool_cache *c = outside_records();

	if (!c)
		qomp_fatal("an OpenMP construct in a task that is in a blocking call");
	return c;
}

void qomp_record_give_outside(struct qomp_task *t)
{
	struct qti_pool_cache *c = outside_records();

	if (c)
		qti_pool_put(&qomp_tasks, c, t);
	else
		qti_pool_put_shared(&qomp_tasks, t);
}

void qomp_record_large_data(struct qomp_task *t, size_t size, size_t align)
{
	if (size <= TUNE_DATA_BYTES && !qti_races() && align <= QTI_CACHE_LINE) {
		t->frame.data = qomp_store_get(QOMP_STORE_DATA, TUNE_DATA_BYTES);
		t->frame.flags |= QOMP_STORED_DATA;
		return;
	}
	t->frame.data = qti_mem_aligned(align > QOMP_ARG_ALIGN ? align : QOMP_ARG_ALIGN, size);
	if (!t->frame.data)
		qomp_fatal("out of memory for the %zu bytes of an OpenMP task's data", size);
	t->frame.flags |= QOMP_HEAP_DATA;
}

void qomp_record_large_data_drop(struct qomp_task *t)
{
	if (t->frame.flags & QOMP_STORED_DATA)
		qomp_store_put(QOMP_STORE_DATA, t->frame.data);
	else
		qti_mem_free(t->frame.data);
}

void *qomp_record_memory(const struct qomp_task *t, size_t *bytes)
{
	const struct qomp_frame *f = &t->frame;

	if (f->flags & QOMP_HEAP_DATA)
		*bytes = malloc_usable_size(f->data);
	else if (f->flags & QOMP_STORED_DATA)
		*bytes = TUNE_DATA_BYTES;
	else if (f->data == t->arg)
		*bytes = QOMP_ARG_ROOM;
	else
		*bytes = f->data == f->small ? QOMP_SMALL : 0;
	return *bytes ? f->data : NULL;
}

struct qomp_task *qomp_task_new(struct qomp_frame *parent, void (*fn)(void *), size_t size, size_t align)
{
	return qomp_record_take_sized(parent, fn, size, align);
}

