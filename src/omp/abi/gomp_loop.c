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

static bool ordered_give(struct qomp_share_place *p, long *istart, long *iend)
{
	struct gomp_piece piece;

	return qomp_ordered_next(p, &piece.from, &piece.to) && gomp_give_long(&piece, istart, iend);
}

/* The quick way is not to be had, or has been in vain. */
static __attribute__((noinline)) bool next_other(long *istart, long *iend)
{
	struct gomp_piece piece;

	return qomp_loop_next_piece(qomp_share_place(), &piece.from, &piece.to) && gomp_give_long(&piece, istart, iend);
}

bool GOMP_loop_dynamic_next(long *istart, long *iend)
{
	struct qomp_share_place *p = qomp_share_place_quick();
	struct gomp_piece piece;

	if (qti_unlikely(!p))
		return next_other(istart, iend);
	if (p->taking == QOMP_TAKE_ADDING)
		return qomp_loop_add(p, &piece.from, &piece.to) && gomp_give_long(&piece, istart, iend);
	if (qti_unlikely(!qomp_loop_part(p, &piece.from, &piece.to)))
		return next_other(istart, iend);
	return gomp_give_long(&piece, istart, iend);
}

bool GOMP_loop_ordered_dynamic_next(long *istart, long *iend)
{
	return ordered_give(qomp_share_place(), istart, iend);
}

#define SAME_AS(first, schedule) \
	bool GOMP_loop_##schedule##_next(long *istart, long *iend) __attribute__((alias("GOMP_loop_" #first "_next")));

GOMP_LOOPS_NEXT(SAME_AS)

/* --- the first piece ------------------------------------------------------------------------------------- */

static bool loop_give(struct qomp_share_place *p, long *istart, long *iend)
{
	return loop_next(p, istart, iend);
}

static struct qomp_share_place *loop_begin(struct qomp_frame *f, long start, long end, long incr, uint32_t schedule,
	long chunk, const struct qomp_common *common)
{
	return gomp_loop_open(f, qomp_range_long(start, end, incr), schedule, qomp_chunk_long(chunk), common);
}

#define START(name, kind, pieces) \
	bool GOMP_loop_##name##_start(long start, long end, long incr, long chunk, long *istart, long *iend) \
	{ \
		return pieces##_give(loop_begin(qomp_frame_called(), start, end, incr, kind, chunk, NULL), \
			istart, iend); \
	}

#define START_AS_SET(name, kind, pieces) \
	bool GOMP_loop_##name##_start(long start, long end, long incr, long *istart, long *iend) \
	{ \
		return pieces##_give(loop_begin(qomp_frame_called(), start, end, incr, kind, 0, NULL), istart, iend); \
	}

GOMP_LOOPS(START, START_AS_SET)

bool GOMP_loop_start(long start, long end, long incr, long sched, long chunk, long *istart, long *iend,
                     uintptr_t *reductions, void **mem)
{
	struct qomp_common common = { .reductions = reductions, .memory = mem };
	struct qomp_share_place *p =
		loop_begin(qomp_frame_called(), start, end, incr, qomp_gomp_schedule(sched), chunk, &common);

	return !istart || loop_give(p, istart, iend);
}

bool GOMP_loop_ordered_start(long start, long end, long incr, long sched, long chunk, long *istart, long *iend,
                             uintptr_t *reductions, void **mem)
{
	struct qomp_common common = { .reductions = reductions, .memory = mem };

	return ordered_give(
		loop_begin(qomp_frame_called(), start, end, incr, qomp_gomp_schedule(sched), chunk, &common),
		istart, iend);
}

/* --- the end --------------------------------------------------------------------------------------------- */

void GOMP_loop_end(void)
{
	qomp_loop_end(qomp_frame_called());
}

void GOMP_loop_end_nowait(void)
{
	qomp_loop_leave(qomp_frame_called());
}

bool GOMP_loop_end_cancel(void)
{
	return qomp_loop_end_cancel(qomp_frame_called());
}
