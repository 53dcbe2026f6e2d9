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
	return task->apart ? ((struct qomp_task **)task)[-1] : qti_container_of((char (*)[QOMP_ARG_ROOM])task, struct qomp_task, arg);
}

/* A record with that many bytes for a task, a child of the running task of frame f. */
struct qomp_task *kmpc_record_new(struct qomp_frame *f, uint32_t flags, size_t bytes);

/* Its function, until no part is left; then what it has to destroy. */
void kmpc_run_parts(struct kmpc_head *h, int32_t thread);
void kmpc_destroy(const struct kmpc_head *h, int32_t thread);

/* It has never run, and never will: its memory goes. */
void kmpc_record_drop(struct qomp_task *t);

#endif
