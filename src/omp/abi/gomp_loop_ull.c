/* omp/abi/gomp_loop_ull.c -- loops with unsigned indices, as GCC calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/gomp_piece.h"

#include "omp/work/ordered.h"

/* --- the next piece -------------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) bool loop_next(struct qomp_share_place *p, gomp_ull *istart,
	gomp_ull *iend)
{
	struct gomp_piece piece;

	return qomp_loop_next(p, &piece.from, &piece.to) && gomp_give_ull(&piece, istart, iend);
}

static bool ordered_give(struct qomp_share_place *p, gomp_ull *istart, gomp_ull *iend)
{
	struct gomp_piece piece;

	return qomp_ordered_next(p, &piece.from, &piece.to) && gomp_give_ull(&piece, istart, iend);
}

/* The quick way is not to be had, or has been in vain. */
static __attribute__((noinline)) bool next_other(gomp_ull *istart, gomp_ull *iend)
{
	struct gomp_piece piece;

	return qomp_loop_next_piece(qomp_share_place(), &piece.from, &piece.to) && gomp_give_ull(&piece, istart, iend);
}

bool GOMP_loop_ull_dynamic_next(gomp_ull *istart, gomp_ull *iend)
{
	struct qomp_share_place *p = qomp_share_place_quick();
	struct gomp_piece piece;

	if (qti_unlikely(!p))
		return next_other(istart, iend);
	if (p->taking == QOMP_TAKE_ADDING)
		return qomp_loop_add(p, &piece.from, &piece.to) && gomp_give_ull(&piece, istart, iend);
	if (qti_unlikely(!qomp_loop_part(p, &piece.from, &piece.to)))
		return next_other(istart, iend);
	return gomp_give_ull(&piece, istart, iend);
}

bool GOMP_loop_ull_ordered_dynamic_next(gomp_ull *istart, gomp_ull *iend)
{
	return ordered_give(qomp_share_place(), istart, iend);
}

#define SAME_AS(first, schedule) \
	bool GOMP_loop_ull_##schedule##_next(gomp_ull *istart, gomp_ull *iend) \
		__attribute__((alias("GOMP_loop_ull_" #first "_next")));

GOMP_LOOPS_NEXT(SAME_AS)

/* --- the first piece ------------------------------------------------------------------------------------- */

static bool loop_give(struct qomp_share_place *p, gomp_ull *istart, gomp_ull *iend)
{
	return loop_next(p, istart, iend);
}

static struct qomp_share_place *loop_ull_begin(struct qomp_frame *f, bool up, gomp_ull start, gomp_ull end,
	gomp_ull incr, uint32_t schedule, gomp_ull chunk, const struct qomp_common *common)
{
	return gomp_loop_open(f, qomp_range_ull(up, start, end, incr), schedule, chunk, common);
}

#define START(name, kind, pieces) \
	bool GOMP_loop_ull_##name##_start(bool up, gomp_ull start, gomp_ull end, gomp_ull incr, gomp_ull chunk, \
	                                  gomp_ull *istart, gomp_ull *iend) \
	{ \
		return pieces##_give(loop_ull_begin(qomp_frame_called(), up, start, end, incr, kind, chunk, NULL), \
			istart, iend); \
	}

#define START_AS_SET(name, kind, pieces) \
	bool GOMP_loop_ull_##name##_start(bool up, gomp_ull start, gomp_ull end, gomp_ull incr, gomp_ull *istart, \
	                                  gomp_ull *iend) \
	{ \
		return pieces##_give(loop_ull_begin(qomp_frame_called(), up, start, end, incr, kind, 0, NULL), \
			istart, iend); \
	}

GOMP_LOOPS(START, START_AS_SET)

bool GOMP_loop_ull_start(bool up, gomp_ull start, gomp_ull end, gomp_ull incr, long sched, gomp_ull chunk,
                         gomp_ull *istart, gomp_ull *iend, uintptr_t *reductions, void **mem)
{
	struct qomp_common common = { .reductions = reductions, .memory = mem };
	struct qomp_share_place *p =
		loop_ull_begin(qomp_frame_called(), up, start, end, incr, qomp_gomp_schedule(sched), chunk, &common);

	return !istart || loop_give(p, istart, iend);
}

bool GOMP_loop_ull_ordered_start(bool up, gomp_ull start, gomp_ull end, gomp_ull incr, long sched, gomp_ull chunk,
                                 gomp_ull *istart, gomp_ull *iend, uintptr_t *reductions, void **mem)
{
	struct qomp_common common = { .reductions = reductions, .memory = mem };

	return ordered_give(
		loop_ull_begin(qomp_frame_called(), up, start, end, incr, qomp_gomp_schedule(sched), chunk, &common),
		istart, iend);
}
