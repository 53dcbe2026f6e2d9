/* omp/abi/gomp_task.c -- explicit tasks, as GCC calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/gomp_tasking.h"

#include "omp/task/create.h"
#include "omp/task/depend.h"
#include "omp/task/event.h"
#include "omp/task/list.h"

#include <string.h>

/* Arguments from `depend` on are there only if the flags say so: compilers have added them one by one. */
enum {
	FINAL = GOMP_TASK_FINAL,
	DEPEND = GOMP_TASK_DEPEND,
	DETACH = GOMP_TASK_DETACH,
	PRIORITY = GOMP_TASK_PRIORITY,
};

/* With dependences, an event or a priority; the former are seen to before its data are copied: they may hold the handle. */
static void create_full(struct qomp_frame *f, void (*fn)(void *), void *data, void (*cpyfn)(void *, void *), size_t size,
                        size_t align, bool deferred, unsigned flags, void **depend, int priority, void *detach)
{
	struct qomp_task *t = qomp_task_new(f, fn, size, align);

	if (flags & FINAL)
		t->frame.flags |= QOMP_FINAL;
	if (flags & DETACH)
		qomp_event_prepare(t, detach, data);
	if (flags & PRIORITY)
		qomp_task_set_priority(t, priority);
	if (cpyfn) {
		cpyfn(t->frame.data, data);
		t->frame.flags |= QOMP_COPIED;
	} else {
		memcpy(t->frame.data, data, size);
	}
	if ((flags & DEPEND) && !deferred)
		qomp_depend_wait(f, depend);
	if (!deferred) {
		qomp_task_run(t);
		return;
	}
	qomp_task_count(t);
	if ((flags & DEPEND) && !qomp_depend_add(t, depend))
		return;
	if (f->team->alone)
		qomp_task_run_early(t);
	else
		qomp_task_push(t);
}

static uint16_t own_flags(bool if_clause, unsigned flags)
{
	return (flags & FINAL ? QOMP_FINAL : 0) | (if_clause ? 0 : QOMP_UNDEFERRED);
}

static bool creator_crowded(struct qomp_frame *f, unsigned flags)
{
	return !f->team->alone && (flags & (DEPEND | DETACH) ? qomp_task_crowded_waiting(f) : qomp_task_crowded(f));
}

/* One that has ended when its creator goes on, and waits for nothing, leaves nothing to remember. */
static void create_known(void (*fn)(void *), void *data, void (*cpyfn)(void *, void *), size_t size, size_t align,
                          bool if_clause, unsigned flags, void **depend, int priority, void *detach)
{
	struct qomp_frame *f = qomp_frame();
	bool deferred = if_clause && !(f->flags & QOMP_FINAL);
	bool too_many = deferred && creator_crowded(f, flags);
	bool at_once = !deferred || f->team->alone || too_many;

	if (at_once && !(flags & DETACH) && (!(flags & DEPEND) || qomp_depend_open(f, depend))) {
		qomp_task_create(fn, data, cpyfn, size, align, own_flags(false, flags));
		return;
	}
	if (too_many)
		qomp_task_relieve(f);
	create_full(f, fn, data, cpyfn, size, align, deferred, flags, depend, priority, detach);
}

/* Priorities have no effect unless OMP_MAX_TASK_PRIORITY says so.  The parameters are GOMP_task's, which need not be moved. */
static __attribute__((noinline)) void create_rare(void (*fn)(void *), void *data, void (*cpyfn)(void *, void *), long size,
                                                  long align, bool if_clause, unsigned flags, void **depend, int priority,
                                                  void *detach)
{
	if (flags & (DEPEND | DETACH) || qomp_settings.max_task_priority != 0)
		create_known(fn, data, cpyfn, (size_t)size, (size_t)align, if_clause, flags, depend, priority, detach);
	else
		qomp_task_create(fn, data, cpyfn, (size_t)size, (size_t)align, own_flags(if_clause, flags));
}

void GOMP_task(void (*fn)(void *), void *data, void (*cpyfn)(void *, void *), long arg_size, long arg_align,
               bool if_clause, unsigned flags, void **depend, int priority, void *detach)
{
	if (qti_unlikely(flags & (DEPEND | DETACH | PRIORITY)))
		create_rare(fn, data, cpyfn, arg_size, arg_align, if_clause, flags, depend, priority, detach);
	else
		qomp_task_create(fn, data, cpyfn, (size_t)arg_size, (size_t)arg_align, own_flags(if_clause, flags));
}

void GOMP_taskwait(void)
{
	qomp_taskwait(qomp_frame_now());
}
