/* omp/abi/gomp_loop.c -- loops, as GCC calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every schedule's *_next does the same, since the member knows what loop it is in.
 */
#include "omp/abi/gomp_piece.h"

#include "omp/work/ordered.h"

/* --- the next piece -------------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) bool loop_next(struct qomp_share_place *p, long *istart, long *iend)
{
	struct gomp_piece piece;

	return qomp_loop_next(p, &piece.from, &piece.to) && gomp_give_long(&piece, istart, iend);
}

static bool ordered_next(struct qomp_share_place *p, long *istart, long *iend)
{
	struct gomp_piece piece;

	return qomp_ordered_next(p, &piece.from, &piece.to) && gomp_give_long(&piece, istart, iend);
}

static __attribute__((noinline)) bool next_other(long *istart, long *iend)
{
	return loop_next(qomp_share_place(), istart, iend);
}

bool GOMP_loop_dynamic_next(long *istart, long *iend)
{
	struct qomp_share_place *p = qomp_share_place_adding();
	struct gomp_piece piece;

	if (qti_unlikely(!p))
		return next_other(istart, iend);
	return qomp_loop_add(p, &piece.from, &piece.to) && gomp_give_long(&piece, istart, iend);
}

bool GOMP_loop_ordered_dynamic_next(long *istart, long *iend)
{
	return ordered_next(qomp_share_place(), istart, iend);
}

#define SAME_AS(first, schedule) \
	bool GOMP_loop_##schedule##_next(long *istart, long *iend) __attribute__((alias("GOMP_loop_" #first "_next")));

SAME_AS(dynamic, static)
SAME_AS(dynamic, guided)
SAME_AS(dynamic, runtime)
SAME_AS(dynamic, nonmonotonic_dynamic)
SAME_AS(dynamic, nonmonotonic_guided)
SAME_AS(dynamic, nonmonotonic_runtime)
SAME_AS(dynamic, maybe_nonmonotonic_runtime)
SAME_AS(ordered_dynamic, ordered_static)
SAME_AS(ordered_dynamic, ordered_guided)
SAME_AS(ordered_dynamic, ordered_runtime)

/* --- the first piece ------------------------------------------------------------------------------------- */

static bool loop_first(struct qomp_share_place *p, long *istart, long *iend)
{
	return loop_next(p, istart, iend);
}

static struct qomp_share_place *loop_begin(long start, long end, long incr, uint32_t schedule, long chunk,
                                      const struct qomp_common *common)
{
	return gomp_loop_open(qomp_range_long(start, end, incr), schedule, qomp_chunk_long(chunk), common);
}

#define START(name, schedule, next_piece) \
	bool GOMP_loop_##name##_start(long start, long end, long incr, long chunk, long *istart, long *iend) \
	{ \
		return next_piece(loop_begin(start, end, incr, schedule, chunk, NULL), istart, iend); \
	}

#define START_AS_SET(name, next_piece) \
	bool GOMP_loop_##name##_start(long start, long end, long incr, long *istart, long *iend) \
	{ \
		return next_piece(loop_begin(start, end, incr, QOMP_RUNTIME, 0, NULL), istart, iend); \
	}

START(static, QOMP_STATIC, loop_first)
START(dynamic, QOMP_DYNAMIC, loop_first)
START(guided, QOMP_GUIDED, loop_first)
START(nonmonotonic_dynamic, QOMP_DYNAMIC, loop_first)
START(nonmonotonic_guided, QOMP_GUIDED, loop_first)
START_AS_SET(runtime, loop_first)
START_AS_SET(nonmonotonic_runtime, loop_first)
START_AS_SET(maybe_nonmonotonic_runtime, loop_first)
START(ordered_static, QOMP_STATIC, ordered_next)
START(ordered_dynamic, QOMP_DYNAMIC, ordered_next)
START(ordered_guided, QOMP_GUIDED, ordered_next)
START_AS_SET(ordered_runtime, ordered_next)

bool GOMP_loop_start(long start, long end, long incr, long sched, long chunk, long *istart, long *iend,
                     uintptr_t *reductions, void **mem)
{
	struct qomp_common common = { .reductions = reductions, .memory = mem };
	struct qomp_share_place *p = loop_begin(start, end, incr, qomp_gomp_schedule(sched), chunk, &common);

	return !istart || loop_first(p, istart, iend);
}

bool GOMP_loop_ordered_start(long start, long end, long incr, long sched, long chunk, long *istart, long *iend,
                             uintptr_t *reductions, void **mem)
{
	struct qomp_common common = { .reductions = reductions, .memory = mem };

	return ordered_next(loop_begin(start, end, incr, qomp_gomp_schedule(sched), chunk, &common), istart, iend);
}

/* --- the end --------------------------------------------------------------------------------------------- */

void GOMP_loop_end(void)
{
	qomp_loop_end(qomp_frame());
}

void GOMP_loop_end_nowait(void)
{
	qomp_share_close(qomp_share_place());
}

bool GOMP_loop_end_cancel(void)
{
	return qomp_loop_end_cancel(qomp_frame());
}
