/* omp/abi/kmpc_dispatch.c -- loops that are shared out while they run, as clang calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmpc_loop.h"

#include "omp/abi/kmpc_schedule.h"
#include "omp/env/text.h"
#include "omp/work/marks.h"
#include "omp/work/ordered.h"

/* --- beginning ------------------------------------------------------------------------------------------- */

/* What the program says of a loop, in numbers of 64 bits. */
struct described {
	int32_t schedule;
	uint64_t lower, count, step;
	int64_t chunk;
};

static bool is_ordered(int32_t schedule)
{
	schedule &= KMPC_SCHEDULE_MASK;
	return schedule > KMPC_ORDERED && schedule <= KMPC_STATIC_STEAL + KMPC_ORDERED_LESS;
}

static uint32_t own_schedule(int32_t schedule)
{
	int32_t kind = (schedule & KMPC_SCHEDULE_MASK) - (is_ordered(schedule) ? KMPC_ORDERED_LESS : 0);

	switch (kind) {
	case KMPC_STATIC:
	case KMPC_STATIC_CHUNKED:
	case KMPC_STATIC_GREEDY:
	case KMPC_STATIC_EVEN:
	case KMPC_STATIC_BALANCED:
		return QOMP_STATIC;
	case KMPC_DYNAMIC:
	case KMPC_STATIC_STEAL: /* who has done its part takes from others': what counts is that nobody is idle */
		return QOMP_DYNAMIC;
	case KMPC_GUIDED:
	case KMPC_GUIDED_ITERATIVE:
	case KMPC_GUIDED_ANALYTICAL:
	case KMPC_GUIDED_SIMD:
	case KMPC_TRAPEZOIDAL:
		return QOMP_GUIDED;
	case KMPC_AUTO:
		return QOMP_AUTO;
	case KMPC_RUNTIME:
	case KMPC_RUNTIME_SIMD:
		return QOMP_RUNTIME;
	default:
		qomp_fatal("a loop with schedule %d, which is none", schedule);
	}
}

/* The same where members may take chunks in any order. */
static uint32_t any_order(uint32_t schedule)
{
	return schedule == QOMP_DYNAMIC ? QOMP_DYNAMIC_ANY : schedule == QOMP_RUNTIME ? QOMP_RUNTIME_ANY : schedule;
}

/* marked: iterations may wait for others (omp/work/marks.h). */
static uint32_t schedule_of(int32_t schedule, bool marked)
{
	uint32_t own = own_schedule(schedule);
	bool in_order = is_ordered(schedule) || marked || schedule & KMPC_MONOTONIC;

	return schedule & KMPC_NONMONOTONIC && !in_order ? any_order(own) : own;
}

static bool is_one_block(int32_t schedule)
{
	schedule &= KMPC_SCHEDULE_MASK;
	return schedule == KMPC_STATIC || schedule == KMPC_STATIC + KMPC_ORDERED_LESS;
}

static void loop_begin(const struct described *d)
{
	struct qomp_frame *f = qomp_frame();
	bool marked = qomp_share_place_of(f)->taking == QOMP_TAKE_MARKED;
	struct qomp_loop loop = {
		.range = {
			.first = d->lower, .end = d->lower + d->count * d->step, .step = d->step, .count = d->count,
		},
		.schedule = schedule_of(d->schedule, marked),
		.chunk = d->chunk > 0 && !is_one_block(d->schedule) ? (uint64_t)d->chunk : 0,
	};

	qomp_marks_settle(qomp_share_place_of(f), d->count);
	struct qomp_share_place *p = qomp_loop_open(f, &loop, NULL);

	p->in_order = is_ordered(d->schedule);
}

static void loop_end(struct qomp_share_place *p)
{
	if (qomp_tool_here())
		qomp_loop_tell_end(qomp_frame(), false);
	qomp_share_close(p);
}

/* --- pieces ---------------------------------------------------------------------------------------------- */

/* Iterations by number. */
static bool next_in_order(struct qomp_share_place *p, uint64_t *i, uint64_t *n)
{
	uint64_t from, to;

	if (!qomp_ordered_next(p, &from, &to))
		return false;
	*i = p->mine;
	*n = p->mine_end - p->mine;
	return true;
}

static inline bool next_piece(struct qomp_share_place *p, uint64_t *i, uint64_t *n)
{
	bool more = qti_unlikely(p->in_order) ? next_in_order(p, i, n) : qomp_loop_take(p, i, n);

	if (!more)
		loop_end(p);
	return more;
}

#define KMPC_FOR_EACH_TYPE "omp/abi/kmpc_dispatch.inc"
#include "omp/abi/kmpc_types.inc"

/* The thread left the loop when it was told that there is no more. */
void __kmpc_dispatch_deinit(struct kmpc_ident *loc, int32_t thread)
{
	(void)loc, (void)thread;
}
