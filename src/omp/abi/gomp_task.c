/* omp/abi/gomp_task.c -- explicit tasks, as GCC calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/gomp_tasking.h"

#include "omp/task/request.h"
#include "omp/task/wait.h"
#include "omp/task/yield.h"
#include "omp/team/called.h"

/* Arguments from `depend` on are there only if the flags say so: compilers have added them one by one. */
#define RARE (GOMP_TASK_DEPEND | GOMP_TASK_DETACH | GOMP_TASK_PRIORITY)

static uint16_t own_flags(bool if_clause, unsigned flags)
{
	return (flags & GOMP_TASK_FINAL ? QOMP_FINAL : 0) | (if_clause ? 0 : QOMP_UNDEFERRED);
}

/* The parameters are GOMP_task's, which need not be moved. */
static __attribute__((noinline)) void create_rare(void (*fn)(void *), void *data, void (*cpyfn)(void *, void *),
	long size, long align, bool if_clause, unsigned flags, void **depend, int priority, void *detach)
{
	struct qomp_request request = {
		.fn = fn, .data = data, .copy = cpyfn, .size = (size_t)size, .align = (size_t)align,
		.flags = own_flags(if_clause, flags),
		.depend = flags & GOMP_TASK_DEPEND ? depend : NULL,
		.detach = flags & GOMP_TASK_DETACH ? detach : NULL,
		.priority = flags & GOMP_TASK_PRIORITY ? priority : 0,
	};

	qomp_tool_called();     /* now, when no parameter has to outlive it in a register */
	qomp_task_request(&request);
}

void GOMP_task(void (*fn)(void *), void *data, void (*cpyfn)(void *, void *), long arg_size, long arg_align,
               bool if_clause, unsigned flags, void **depend, int priority, void *detach)
{
	if (qti_unlikely(flags & RARE))
		create_rare(fn, data, cpyfn, arg_size, arg_align, if_clause, flags, depend, priority, detach);
	else
		qomp_task_create(fn, data, cpyfn, (size_t)arg_size, (size_t)arg_align,
			own_flags(if_clause, flags) | QOMP_CALLED);
}

static __attribute__((noinline)) void taskwait_rare(void)
{
	qomp_taskwait_told(qomp_frame_called());
}

void GOMP_taskwait(void)
{
	struct qomp_frame *f = qomp_frame_if_any();

	if (qti_unlikely(!f || f->flags & QOMP_TRACED))
		taskwait_rare();        /* by a jump */
	else
		qomp_taskwait(f);
}

void GOMP_taskyield(void)
{
	qomp_taskyield();
}
