/* omp/task/record.h -- a task's record: taking one, filling in what it inherits, counting it, giving it back.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_RECORD_H
#define QOMP_RECORD_H

#include "base/mem.h"
#include "omp/env/text.h"
#include "omp/task/group.h"
#include "omp/task/task.h"
#include "omp/team/start.h"

/* Of a thread that is no worker. */
struct qti_pool_cache *qomp_record_cache_outside(void);
void qomp_record_give_outside(struct qomp_task *t);

/* Data that are too large for the record. */
void qomp_record_large_data(struct qomp_task *t, size_t size, size_t align);

/* The calling thread's. */
static inline struct qti_pool_cache *qomp_record_cache(struct qti_worker *w)
{
	return qti_likely(w != NULL) ? &qomp_local[qti_worker_number(w)].tasks : qomp_record_cache_outside();
}

/* Runs on `data`; NULL: on a few bytes of its own. */
static inline struct qomp_task *qomp_record_take(struct qti_worker *w, struct qomp_frame *parent, void (*fn)(void *), void *data)
{
	struct qomp_task *t = qti_pool_get(&qomp_tasks, qomp_record_cache(w));
	struct qomp_frame *f = &t->frame;

	if (qti_unlikely(!t))
		qomp_fatal("out of memory for an OpenMP task");
	f->parent = parent;
	f->team = parent->team;
	f->icv = parent->icv;
	f->group = parent->group;
	f->extra = NULL;
	f->created = f->finished = 0;
	f->skip = 0;
	f->place = parent->place;
	f->num = parent->num;
	f->flags = parent->flags & QOMP_FINAL;
	store_rlx(&f->remote, 0);
	f->depends = NULL;
	store_rlx(&f->handoff, NULL);
	f->fn = fn;
	f->data = data ? data : f->small;
	return t;
}

static inline struct qomp_task *qomp_record_take_sized(struct qomp_frame *parent, void (*fn)(void *), size_t size, size_t align)
{
	struct qomp_task *t = qomp_record_take(qti_self(), parent, fn, NULL);

	if (qti_unlikely(align > QOMP_ARG_ALIGN || size > QOMP_ARG_ROOM))
		qomp_record_large_data(t, size, align);
	else if (qti_unlikely(size > QOMP_SMALL))
		t->frame.data = t->arg;
	return t;
}

/* Back to where it came from.  w: the calling worker. */
static inline void qomp_record_give(struct qti_worker *w, struct qomp_task *t)
{
	if (qti_unlikely(t->frame.flags & QOMP_HEAP_DATA))
		qti_mem_free(t->frame.data);
	if (qti_likely(w != NULL))
		qti_pool_put(&qomp_tasks, &qomp_local[qti_worker_number(w)].tasks, t);
	else
		qomp_record_give_outside(t);
}

/* One more child of its parent, and task of its group: by the creator. */
static inline void qomp_record_count(struct qomp_task *t)
{
	struct qomp_frame *f = t->frame.parent;
	struct qomp_member *m = qomp_member(f);

	f->created++;
	store_rlx(&m->created, m->created + 1);
	if (qti_unlikely(f->group != NULL))
		qomp_group_enter(f->group);
	if (qti_unlikely(!load_rlx(&f->team->tasks)))
		store_rlx(&f->team->tasks, 1);
}

#endif
