/* omp/abi/kmpc_static.c -- loops whose iterations each thread finds by itself, as clang calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled code gets the thread's first block and how far apart its blocks are; it knows where the loop ends.  To the
 * runtime it is no work-sharing construct: nothing is shared.
 */
#include "omp/abi/kmpc_loop.h"

#include "omp/abi/kmpc_schedule.h"
#include "omp/env/text.h"
#include "omp/team/called.h"
#include "omp/work/marks.h"

/* Among whom. */
struct sharers {
	uint64_t n, number;
};

/* A thread's first block: iterations by number.  n == 0: there is none, and `first` says where it is not: before the
 * last iteration if nothing comes after that, and beyond it if the thread would look further. */
struct block {
	uint64_t first, n;
	uint64_t stride;                /* iterations from one of its blocks to the next; 0: it has but one */
	bool last;                      /* the last iteration is in one of its blocks */
};

static struct sharers members_of(const struct qomp_frame *f)
{
	return (struct sharers){ f->team->n, f->num };
}

static struct sharers league_of(const struct qomp_frame *f)
{
	return (struct sharers){ f->team->root->teams, f->team->root->number };
}

/* One for each; the first ones have one iteration more if it does not come out even. */
static struct block one_block(struct sharers s, uint64_t count)
{
	uint64_t each = count / s.n, over = count % s.n;

	if (each == 0 && s.number >= over)
		return (struct block){ .first = 1 };
	return (struct block){
		.first = s.number * each + (s.number < over ? s.number : over), .n = each + (s.number < over),
		.last = each ? s.number + 1 == s.n : s.number + 1 == over,
	};
}

/* Who has but one is sent right behind the loop for the next: farther away there may be no number of the variable's
 * type. */
static struct block chunks(struct sharers s, uint64_t count, uint64_t chunk)
{
	uint64_t n = (count - 1) / chunk + 1;
	bool any = s.number < n;

	return (struct block){
		.first = any ? s.number * chunk : count, .n = any ? chunk : 0,
		.stride = n > s.n ? chunk * s.n : any ? count - s.number * chunk : count,
		.last = (n - 1) % s.n == s.number,
	};
}

/* As one_block, but lengths are multiples of a number of lanes.  Counted in those, for a length times a thread's number
 * need not be a number of 64 bits. */
static struct block balanced_block(struct sharers s, uint64_t count, uint64_t lanes)
{
	uint64_t groups = (count - 1) / lanes + 1, each = (groups - 1) / s.n + 1;

	if (s.number > (groups - 1) / each)
		return (struct block){ .first = 1 };
	uint64_t before = s.number * each, first = before * lanes;
	bool last = groups - before <= each;
	return (struct block){ .first = first, .n = last ? count - first : each * lanes, .last = last };
}

/* A chunk longer than the loop is as long as that. */
static struct block block_of(const struct qomp_frame *f, int32_t schedule, uint64_t count, int64_t chunk)
{
	uint64_t some = chunk > 0 ? (uint64_t)chunk : 1, size = some < count ? some : count;

	switch (schedule & KMPC_SCHEDULE_MASK) {
	case KMPC_STATIC:
		return one_block(members_of(f), count);
	case KMPC_STATIC_CHUNKED:
		return chunks(members_of(f), count, size);
	case KMPC_STATIC_BALANCED:
		return balanced_block(members_of(f), count, size);
	case KMPC_DISTRIBUTE:
		return one_block(league_of(f), count);
	case KMPC_DISTRIBUTE_CHUNKED:
		return chunks(league_of(f), count, size);
	default:
		qomp_fatal("a static loop with schedule %d, which is none", schedule);
	}
}

static bool is_distribute(int32_t schedule)
{
	schedule &= KMPC_SCHEDULE_MASK;
	return schedule == KMPC_DISTRIBUTE || schedule == KMPC_DISTRIBUTE_CHUNKED;
}

static bool has_one(const struct qomp_frame *f, int32_t schedule)
{
	return (is_distribute(schedule) ? league_of(f) : members_of(f)).n == 1;
}

/* clang makes static loops of sections, too. */
static __attribute__((noinline)) void static_tell(struct qomp_frame *f, int32_t schedule, uint64_t count, int32_t flags)
{
	ompt_work_t kind = flags & KMPC_WORK_SECTIONS ? ompt_work_sections : ompt_work_loop_static;

	qomp_tell_work_begin(qomp_told_of(f), is_distribute(schedule) ? ompt_work_distribute : kind, count);
}

#define KMPC_FOR_EACH_TYPE "omp/abi/kmpc_static.inc"
#include "omp/abi/kmpc_types.inc"

void __kmpc_for_static_fini(struct kmpc_ident *loc, int32_t thread)
{
	(void)loc, (void)thread;
	if (qomp_tool_here())
		qomp_loop_tell_end(qomp_frame_called(), false);
}
