/* omp/abi/xomp_loop.c -- loops and sections, as ROSE calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bounds are inclusive here and exclusive within: one more, or less, in the direction of the loop.
 */
#include "libxomp.h"

#include "omp/work/ordered.h"

static uint64_t stride_sign(uint64_t stride)
{
	return (int64_t)stride < 0 ? UINT64_MAX : 1;
}

/* The end of a loop up to the largest index there is wraps around, which does no harm: nobody compares it. */
static struct qomp_range loop_range(long lower, long upper, long stride)
{
	struct qomp_range r = { .first = (uint64_t)lower, .step = (uint64_t)stride };

	r.end = (uint64_t)upper + stride_sign(r.step);
	if (stride > 0 && lower <= upper)
		r.count = ((uint64_t)upper - r.first) / r.step + 1;
	else if (stride < 0 && lower >= upper)
		r.count = (r.first - (uint64_t)upper) / -r.step + 1;
	return r;
}

/* --- one block a thread ---------------------------------------------------------------------------------- */

/* Blocks of the same size, but for the last ones: programs were tuned to that. */
void XOMP_loop_default(int lower, int upper, int stride, long *n_lower, long *n_upper)
{
	const struct qomp_frame *f = qomp_frame();
	struct qomp_range r = loop_range(lower, upper, stride);
	long size = (long)qomp_iterations(r.count, f->team->n);
	long from = lower + size * f->num * stride, to = from + size * stride - (long)stride_sign(r.step);

	*n_lower = from;
	*n_upper = (stride > 0 ? to > upper : to < upper) && r.count > 0 ? upper : to;
}

void XOMP_static_even_divide(long start, long orig_size, int chunk_count, int chunk_id, long *chunk_offset,
                             long *chunk_size)
{
	long each = orig_size / chunk_count, more = orig_size % chunk_count;

	*chunk_offset = start + each * chunk_id + (chunk_id < more ? chunk_id : more);
	*chunk_size = each + (chunk_id < more);
}

/* --- pieces ---------------------------------------------------------------------------------------------- */

static bool chunk_give(const struct qomp_share_place *p, bool got, uint64_t from, uint64_t to, long *istart, long *iend)
{
	if (got) {
		*istart = (long)from;
		*iend = (long)(to - stride_sign(p->range.step));
	}
	return got;
}

static bool loop_next(long *istart, long *iend)
{
	struct qomp_share_place *p = qomp_share_place();
	uint64_t from = 0, to = 0;
	bool got = qomp_loop_next(p, &from, &to);

	return chunk_give(p, got, from, to, istart, iend);
}

static bool loop_next_ordered(long *istart, long *iend)
{
	struct qomp_share_place *p = qomp_share_place();
	uint64_t from = 0, to = 0;
	bool got = qomp_ordered_next(p, &from, &to);

	return chunk_give(p, got, from, to, istart, iend);
}

static void open_loop(uint32_t schedule, long lower, long upper, long stride, long chunk)
{
	struct qomp_loop loop = {
		.range = loop_range(lower, upper, stride), .chunk = qomp_chunk_long(chunk), .schedule = schedule,
	};

	qomp_loop_open(qomp_frame(), &loop, NULL);
}

static bool loop_start(uint32_t schedule, long lower, long upper, long stride, long chunk, long *istart, long *iend)
{
	open_loop(schedule, lower, upper, stride, chunk);
	return loop_next(istart, iend);
}

static bool loop_start_ordered(uint32_t schedule, long lower, long upper, long stride, long chunk, long *istart,
	long *iend)
{
	open_loop(schedule, lower, upper, stride, chunk);
	return loop_next_ordered(istart, iend);
}

/* --- the entry points of a schedule ---------------------------------------------------------------------- */

#define WITH_CHUNK(name, suffix, schedule) \
	void XOMP_loop_##name##_init(int lower, int upper, int stride, int chunk_size) \
	{ \
		(void)lower, (void)upper, (void)stride, (void)chunk_size; \
	} \
	bool XOMP_loop_##name##_start(long lower, long upper, long stride, long chunk_size, long *istart, long *iend) \
	{ \
		qomp_tool_called(); \
		return loop_start##suffix(schedule, lower, upper, stride, chunk_size, istart, iend); \
	} \
	bool XOMP_loop_##name##_next(long *istart, long *iend) \
	{ \
		return loop_next##suffix(istart, iend); \
	}

#define WITHOUT_CHUNK(name, suffix, schedule) \
	void XOMP_loop_##name##_init(int lower, int upper, int stride) \
	{ \
		(void)lower, (void)upper, (void)stride; \
	} \
	bool XOMP_loop_##name##_start(long lower, long upper, long stride, long *istart, long *iend) \
	{ \
		qomp_tool_called(); \
		return loop_start##suffix(schedule, lower, upper, stride, 0, istart, iend); \
	} \
	bool XOMP_loop_##name##_next(long *istart, long *iend) \
	{ \
		return loop_next##suffix(istart, iend); \
	}

WITH_CHUNK(static, , QOMP_STATIC)
WITH_CHUNK(dynamic, , QOMP_DYNAMIC)
WITH_CHUNK(guided, , QOMP_GUIDED)
WITHOUT_CHUNK(runtime, , QOMP_RUNTIME)
WITHOUT_CHUNK(auto, , QOMP_AUTO)
WITH_CHUNK(ordered_static, _ordered, QOMP_STATIC)
WITH_CHUNK(ordered_dynamic, _ordered, QOMP_DYNAMIC)
WITH_CHUNK(ordered_guided, _ordered, QOMP_GUIDED)
WITHOUT_CHUNK(ordered_runtime, _ordered, QOMP_RUNTIME)

/* --- ends and turns -------------------------------------------------------------------------------------- */

void XOMP_loop_end(void)
{
	qomp_loop_end(qomp_frame_called());
}

void XOMP_loop_end_nowait(void)
{
	qomp_loop_leave(qomp_frame_called());
}

int xomp_loop_sign(void)
{
	return (int64_t)qomp_share_place()->range.step < 0 ? -1 : 1;
}

void XOMP_ordered_start(void)
{
	qomp_ordered_begin(qomp_frame_called());
}

/* The turn is the piece's until the thread asks for its next one: translated programs enter twice. */
void XOMP_ordered_end(void)
{
	qomp_ordered_end_called();
}

/* --- sections -------------------------------------------------------------------------------------------- */

/* Within, they are numbered from 1. */
int XOMP_sections_init_next(int section_count)
{
	struct qomp_loop loop = qomp_sections(section_count > 0 ? (unsigned)section_count : 0);

	qomp_loop_open(qomp_frame_called(), &loop, NULL);
	return XOMP_sections_next();
}

int XOMP_sections_next(void)
{
	uint64_t from, to;

	return qomp_loop_next(qomp_share_place(), &from, &to) ? (int)from - 1 : -1;
}

void XOMP_sections_end(void)
{
	qomp_loop_end(qomp_frame_called());
}

void XOMP_sections_end_nowait(void)
{
	qomp_loop_leave(qomp_frame_called());
}
