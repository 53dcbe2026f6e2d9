/* omp/task/request.c -- see omp/task/request.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/task/request.h"

#include "omp/task/depend.h"
#include "omp/task/event.h"

#include <string.h>

/* The event comes before its data are copied: they may hold its handle. */
static struct qomp_task *task_made(struct qomp_frame *f, const struct qomp_request *r)
{
	struct qomp_task *t = qomp_task_new(f, r->fn, r->size, r->align);

	t->frame.flags |= r->flags & QOMP_FINAL;
	if (r->detach)
		qomp_event_prepare(t, r->detach, r->data);
	qomp_task_set_priority(t, r->priority);
	if (r->copy) {
		r->copy(t->frame.data, r->data);
		t->frame.flags |= QOMP_COPIED;
	} else {
		memcpy(t->frame.data, r->data, r->size);
	}
	return t;
}

static void submit_full(struct qomp_frame *f, struct qomp_task *t, void **depend, bool deferred)
{
	if (qomp_is_told(f))
		qomp_task_tell(t, deferred, depend);
	if (!deferred) {
		if (depend)
			qomp_depend_wait(f, depend);
		qomp_task_run(t);
		return;
	}
	qomp_task_count(t);
	if (depend && !qomp_depend_add(t, depend))
		return;
	if (!qomp_frame_runs_alone(f)) {
		qomp_task_push(t);
		return;
	}
	qomp_task_run_early(t);
	if (qomp_frame_is_initial(f))
		qomp_task_catch_up(f);
}

static bool creator_crowded(struct qomp_frame *f, bool may_wait)
{
	return !f->team->alone && (may_wait ? qomp_task_crowded_waiting(f) : qomp_task_crowded(f));
}

static void create_plain(const struct qomp_request *r, uint16_t flags)
{
	qomp_task_create(r->fn, r->data, r->copy, r->size, r->align, flags);
}

/* One that has ended when its creator goes on, and waits for nothing, leaves nothing to remember. */
static void create_known(const struct qomp_request *r)
{
	struct qomp_frame *f = qomp_frame();
	bool deferred = !(r->flags & QOMP_UNDEFERRED) && !(f->flags & QOMP_FINAL);
	bool too_many = deferred && creator_crowded(f, r->depend || r->detach);
	bool at_once = !deferred || qomp_frame_runs_alone(f) || too_many;

	if (at_once && !r->detach && (!r->depend || (qomp_depend_open(f, r->depend) && !qomp_is_told(f)))) {
		create_plain(r, r->flags | QOMP_UNDEFERRED);
		return;
	}
	if (too_many)
		qomp_task_relieve(f);
	submit_full(f, task_made(f, r), r->depend, deferred);
}

/* Priorities have no effect unless OMP_MAX_TASK_PRIORITY says so. */
void qomp_task_request(const struct qomp_request *r)
{
	if (r->depend || r->detach || qomp_settings.max_task_priority != 0)
		create_known(r);
	else
		create_plain(r, r->flags);
}

void qomp_task_submit_known(struct qomp_task *t, void **depend)
{
	struct qomp_frame *f = t->frame.parent;
	bool deferred = !(f->flags & QOMP_FINAL), detached = t->frame.flags & QOMP_DETACHED;
	bool too_many = deferred && creator_crowded(f, depend || detached);
	bool at_once = !deferred || qomp_frame_runs_alone(f) || too_many;

	if (at_once && !detached && (!depend || qomp_depend_open(f, depend))) {
		if (qomp_is_told(f))
			qomp_task_tell(t, false, depend);
		qomp_task_run(t);
		return;
	}
	if (too_many)
		qomp_task_relieve(f);
	submit_full(f, t, depend, deferred);
}
