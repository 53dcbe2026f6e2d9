/* omp/abi/kmpc_record.h -- a task that clang has made, and its record.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_KMPC_RECORD_H
#define QOMP_KMPC_RECORD_H

#include "omp/abi/kmpc_tasking.h"
#include "omp/task/task.h"

/* Flags of __kmpc_omp_task_alloc. */
enum {
	KMPC_TASK_TIED = 1 << 0,
	KMPC_TASK_FINAL = 1 << 1,
	KMPC_TASK_DESTRUCTORS = 1 << 3,
	KMPC_TASK_PROXY = 1 << 4,               /* its function is not called */
	KMPC_TASK_PRIORITY = 1 << 5,
	KMPC_TASK_DETACHABLE = 1 << 6,
	KMPC_TASK_AGAIN = 1 << 16,              /* ours: there is one more part */
};

/* What a record's frame says of it, where small data would be. */
struct kmpc_head {
	struct kmpc_task *task;
	uint32_t flags;
	uint32_t bytes;                         /* of the task's memory */
};

_Static_assert(sizeof(struct kmpc_head) <= QOMP_SMALL, "it fits");

static inline struct kmpc_head *kmpc_head(struct qomp_task *t)
{
	return (struct kmpc_head *)t->frame.small;
}

static inline struct qomp_task *kmpc_record(struct kmpc_task *task)
{
	return task->apart
		? ((struct qomp_task **)task)[-1]
		: qti_container_of((char (*)[QOMP_ARG_ROOM])task, struct qomp_task, arg);
}

/* What a deferred one does, and memory that its record has no room for. */
void kmpc_task_run(void *unused);
struct kmpc_task *kmpc_memory_apart(struct qomp_task *t, size_t bytes);

/* A record with that many bytes for a task, a child of the running task of frame f.  A part of its callers: compiled
 * code needs one even for a task that is no more than a call. */
static inline struct qomp_task *kmpc_record_new(struct qomp_frame *f, uint32_t flags, size_t bytes)
{
	struct qomp_task *t = qomp_record_take(qti_self(), f, kmpc_task_run, NULL);
	struct kmpc_head *h = kmpc_head(t);

	if (qti_likely(bytes <= qomp_record_room)) {
		t->frame.data = t->arg;
		h->task = (struct kmpc_task *)t->arg;
		h->task->apart = 0;
	} else {
		h->task = kmpc_memory_apart(t, bytes);
	}
	h->flags = flags & UINT16_MAX;
	h->bytes = (uint32_t)bytes;
	t->frame.flags |=
		(flags & KMPC_TASK_FINAL ? QOMP_FINAL : 0) | (flags & KMPC_TASK_DESTRUCTORS ? QOMP_COPIED : 0);
	return t;
}

/* Its function, until no part is left; then what it has to destroy. */

static inline void kmpc_run_parts(struct kmpc_head *h, int32_t thread)
{
	do {
		h->flags &= ~(uint32_t)KMPC_TASK_AGAIN;
		h->task->routine(thread, h->task);
	} while (qti_unlikely(h->flags & KMPC_TASK_AGAIN));
}

static inline void kmpc_destroy(const struct kmpc_head *h, int32_t thread)
{
	if (qti_unlikely(h->flags & KMPC_TASK_DESTRUCTORS))
		h->task->destructors(thread, h->task);
}

/* It has never run, and never will: its memory goes. */
void kmpc_record_drop(struct qomp_task *t);

#endif
