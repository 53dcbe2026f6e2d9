/* omp/abi/gomp_parallel_loop.c -- regions that begin in a loop or in sections, as GCC calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/gomp_parallel.h"
#include "omp/abi/gomp_share.h"

#include "omp/team/region.h"
#include "omp/tool/tell.h"
#include "omp/work/loop.h"

static void parallel_loop_begin(void (*fn)(void *), void *data, unsigned threads, struct qomp_loop loop, unsigned flags)
{
	struct qomp_frame *f = qomp_frame();
	const struct qomp_prepare prepare = { qomp_loop_preset, &loop };

	qomp_loop_resolve(f, &loop.schedule, &loop.chunk);
	qomp_region_begin(f, fn, data, threads, flags & GOMP_PARALLEL_BIND, &prepare);
}

static void parallel_loop_run(void (*fn)(void *), void *data, unsigned threads, struct qomp_loop loop, unsigned flags)
{
	parallel_loop_begin(fn, data, threads, loop, flags);
	fn(data);
	qomp_region_end();
}

static struct qomp_loop loop_of(long start, long end, long incr, uint32_t schedule, long chunk)
{
	return (struct qomp_loop){
		.range = qomp_range_long(start, end, incr),
		.schedule = schedule,
		.chunk = qomp_chunk_long(chunk),
	};
}

/* --- loops ----------------------------------------------------------------------------------------------- */

#define PARALLEL(name, schedule) \
	void GOMP_parallel_loop_##name(void (*fn)(void *), void *data, unsigned num_threads, long start, long end, \
	                               long incr, long chunk, unsigned flags) \
	{ \
		qomp_tool_called(); \
		parallel_loop_run(fn, data, num_threads, loop_of(start, end, incr, schedule, chunk), flags); \
	}

#define PARALLEL_AS_SET(name, schedule) \
	void GOMP_parallel_loop_##name(void (*fn)(void *), void *data, unsigned num_threads, long start, long end, \
	                               long incr, unsigned flags) \
	{ \
		qomp_tool_called(); \
		parallel_loop_run(fn, data, num_threads, loop_of(start, end, incr, schedule, 0), flags); \
	}

#define PARALLEL_START(name, schedule) \
	void GOMP_parallel_loop_##name##_start(void (*fn)(void *), void *data, unsigned num_threads, long start, \
	                                       long end, long incr, long chunk) \
	{ \
		qomp_tool_called(); \
		parallel_loop_begin(fn, data, num_threads, loop_of(start, end, incr, schedule, chunk), 0); \
	}

PARALLEL(static, QOMP_STATIC)
PARALLEL(dynamic, QOMP_DYNAMIC)
PARALLEL(guided, QOMP_GUIDED)
PARALLEL(nonmonotonic_dynamic, QOMP_DYNAMIC_ANY)
PARALLEL(nonmonotonic_guided, QOMP_GUIDED)
PARALLEL_AS_SET(runtime, QOMP_RUNTIME)
PARALLEL_AS_SET(nonmonotonic_runtime, QOMP_RUNTIME_ANY)
PARALLEL_AS_SET(maybe_nonmonotonic_runtime, QOMP_RUNTIME_ANY)
PARALLEL_START(static, QOMP_STATIC)
PARALLEL_START(dynamic, QOMP_DYNAMIC)
PARALLEL_START(guided, QOMP_GUIDED)

void GOMP_parallel_loop_runtime_start(void (*fn)(void *), void *data, unsigned num_threads, long start, long end,
                                      long incr)
{
	qomp_tool_called();
	parallel_loop_begin(fn, data, num_threads, loop_of(start, end, incr, QOMP_RUNTIME, 0), 0);
}

/* --- sections -------------------------------------------------------------------------------------------- */

/* A team that may be made smaller (dyn-var) has no use for more threads than sections. */
static unsigned enough_threads(unsigned asked, unsigned count)
{
	const struct qomp_frame *f = qomp_frame();
	unsigned n = f->icv->dynamic && count ? qomp_region_size(f, asked) : 0;

	return n > count ? count : asked;
}

void GOMP_parallel_sections(void (*fn)(void *), void *data, unsigned num_threads, unsigned count, unsigned flags)
{
	qomp_tool_called();
	parallel_loop_run(fn, data, enough_threads(num_threads, count), qomp_sections(count), flags);
}

void GOMP_parallel_sections_start(void (*fn)(void *), void *data, unsigned num_threads, unsigned count)
{
	qomp_tool_called();
	parallel_loop_begin(fn, data, enough_threads(num_threads, count), qomp_sections(count), 0);
}
