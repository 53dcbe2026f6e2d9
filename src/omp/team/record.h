/* omp/team/record.h -- a task's record: taking one, filling in what it inherits, giving it back.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_RECORD_H
#define QOMP_RECORD_H

#include "base/container.h"
#include "base/mem.h"
#include "omp/env/text.h"
#include "omp/team/frame.h"
#include "omp/team/locals.h"

enum {
	QOMP_ARG_ALIGN = 16,
	QOMP_ARG_ROOM = 96,             /* bytes of a task's data in its record */
};

struct qomp_told;

struct qomp_task {
	struct qomp_frame frame;
	struct qti_task base;
	struct qti_task_more more;      /* of base */
	char arg[QOMP_ARG_ROOM] __attribute__((aligned(QOMP_ARG_ALIGN)));
	uint32_t priority;              /* valid if its frame says that there is one; else 0 */
	void (*run)(struct qomp_frame *f, struct qomp_task *t);         /* valid in a team's list (omp/team/list.h) */
	struct qomp_told *told;         /* omp/team/told.h: valid while there is a tool */
};

extern struct qti_pool qomp_tasks;

/* Bytes of a task's data that are put into its record: QOMP_ARG_ROOM; none while there is a race checker, which is to
 * see that memory begin and end with the task. */
extern size_t qomp_record_room __attribute__((visibility("hidden")));

/* The pool is there. */
void qomp_records_setup(void);

/* The calling thread, which is no worker, keeps records of its own from here on, until qomp_records_end; `who` is
 * what it stands in, which is kept where checkers of memory find it.  NULL: it keeps those that it has, but has
 * become a worker. */
void qomp_records_begin(const void *who);
void qomp_records_end(void);

/* A record with room for size bytes aligned to align (a power of two) at frame.data; what it inherits is filled in, and
 * nothing counts it yet.  Aborts with a message when out of memory. */
struct qomp_task *qomp_task_new(struct qomp_frame *parent, void (*fn)(void *), size_t size, size_t align);

static inline struct qomp_task *qomp_task_of(struct qomp_frame *f)
{
	return qti_container_of(f, struct qomp_task, frame);
}

static inline struct qomp_task *qomp_task_of_base(struct qti_task *base)
{
	return qti_container_of(base, struct qomp_task, base);
}

/* Of a thread that is no worker. */
struct qti_pool_cache *qomp_record_cache_outside(void);
void qomp_record_give_outside(struct qomp_task *t);

/* Data that are too large for the record: up to TUNE_DATA_BYTES are kept as records are. */
void qomp_record_large_data(struct qomp_task *t, size_t size, size_t align);
void qomp_record_large_data_drop(struct qomp_task *t);

/* What the program knows f's task by.  An ABI that puts one function of its own into all frames
 * says here what is behind it. */
extern const void *(*qomp_function_behind)(const struct qomp_frame *f) __attribute__((visibility("hidden")));

static inline const void *qomp_frame_function(const struct qomp_frame *f)
{
	return qomp_function_behind ? qomp_function_behind(f) : (const void *)f->fn;
}

/* The memory that it has for its data, and bytes of it; NULL: these are its creator's. */
void *qomp_record_memory(const struct qomp_task *t, size_t *bytes);

/* The calling thread's. */
static inline struct qti_pool_cache *qomp_record_cache(struct qti_worker *w)
{
	return qti_likely(w != NULL) ? &qomp_local[qti_worker_number(w)].tasks : qomp_record_cache_outside();
}

/* Runs on `data`; NULL: on a few bytes of its own. */
static inline struct qomp_task *qomp_record_take(
	struct qti_worker *w, struct qomp_frame *parent, void (*fn)(void *), void *data)
{
	struct qomp_task *t = qti_pool_get(&qomp_tasks, qomp_record_cache(w));
	struct qomp_frame *f = &t->frame;

	if (qti_unlikely(!t))
		qomp_fatal("out of memory for an OpenMP task");
	qomp_frame_begin(f, parent, 0);
	f->extra = NULL;
	store_rlx(&f->remote, 0);
	f->depends = NULL;
	store_rlx(&f->handoff, NULL);
	f->fn = fn;
	f->data = data ? data : f->small;
	return t;
}

static inline struct qomp_task *qomp_record_take_sized(
	struct qomp_frame *parent, void (*fn)(void *), size_t size, size_t align)
{
	struct qomp_task *t = qomp_record_take(qti_self(), parent, fn, NULL);

	if (qti_unlikely(align > QOMP_ARG_ALIGN || size > qomp_record_room))
		qomp_record_large_data(t, size, align);
	else if (qti_unlikely(size > QOMP_SMALL))
		t->frame.data = t->arg;
	return t;
}

/* Back to where it came from.  w: the calling worker. */
static inline void qomp_record_give(struct qti_worker *w, struct qomp_task *t)
{
	if (qti_unlikely(t->frame.flags & (QOMP_HEAP_DATA | QOMP_STORED_DATA)))
		qomp_record_large_data_drop(t);
	if (qti_likely(w != NULL))
		qti_pool_put(&qomp_tasks, &qomp_local[qti_worker_number(w)].tasks, t);
	else
		qomp_record_give_outside(t);
}

#endif
