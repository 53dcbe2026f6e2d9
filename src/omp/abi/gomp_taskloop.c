/* omp/abi/gomp_taskloop.c -- task loops, as GCC calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/gomp_tasking.h"
#include "omp/task/taskloop.h"
#include "omp/team/standing.h"
#include "omp/team/called.h"

/* The third word of the data of a loop with reductions. */
static uintptr_t *loop_reductions(void *data, unsigned flags)
{
	bool has = (flags & GOMP_TASK_REDUCTION) && !(flags & GOMP_TASK_NOGROUP);

	return has ? ((uintptr_t **)data)[2] : NULL;
}

static struct qomp_taskloop loop_described(void (*fn)(void *), void *data, void (*copy)(void *, void *), long size,
	long align, unsigned flags, unsigned long pieces)
{
	return (struct qomp_taskloop){
		.fn = fn, .data = data, .copy = copy, .size = (size_t)size, .align = (size_t)align,
		.deferred = flags & GOMP_TASK_IF, .final = flags & GOMP_TASK_FINAL,
		.group = !(flags & GOMP_TASK_NOGROUP),
		.grains = flags & GOMP_TASK_GRAINSIZE, .strict = flags & GOMP_TASK_STRICT,
		.reductions = loop_reductions(data, flags), .pieces = pieces,
	};
}

/* From `from` to below `to`, in steps of `step`. */
static uint64_t loop_iterations(uint64_t from, uint64_t to, uint64_t step)
{
	return (to - from - 1) / step + 1;
}

void GOMP_taskloop(void (*fn)(void *), void *data, void (*copy)(void *, void *), long size, long align,
                   unsigned flags, unsigned long pieces, int priority, long start, long end, long step)
{
	struct qomp_taskloop loop = loop_described(fn, data, copy, size, align, flags, pieces);

	loop.priority = priority;
	loop.start = (uint64_t)start;
	loop.end = (uint64_t)end;
	loop.step = (uint64_t)step;
	if (step > 0 && start < end)
		loop.iterations = loop_iterations(loop.start, loop.end, loop.step);
	else if (step < 0 && start > end)
		loop.iterations = loop_iterations(loop.end, loop.start, -loop.step);
	qomp_taskloop(qomp_frame_called(), &loop);
}

void GOMP_taskloop_ull(void (*fn)(void *), void *data, void (*copy)(void *, void *), long size, long align,
                       unsigned flags, unsigned long pieces, int priority, unsigned long long start,
                       unsigned long long end, unsigned long long step)
{
	struct qomp_taskloop loop = loop_described(fn, data, copy, size, align, flags, pieces);
	bool up = flags & GOMP_TASK_UP;

	loop.priority = priority;
	loop.start = start;
	loop.end = end;
	loop.step = step;
	if (up && start < end)
		loop.iterations = loop_iterations(start, end, step);
	else if (!up && start > end)
		loop.iterations = loop_iterations(end, start, -step);
	qomp_taskloop(qomp_frame_called(), &loop);
}
