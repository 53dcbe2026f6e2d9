/* test/unit/omp_kmpc_loops.c -- loops as clang's and Intel's code calls them: each iteration once, and the last one
 * known.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmpc_loop.h"
#include "omp/abi/kmpc_region.h"
#include "omp/abi/kmpc_schedule.h"
#include "omp/abi/api.h"
#include "tap.h"

#include "base/atomic.h"

#include <string.h>

enum { MOST = 300, THREADS = 3 };

/* What the members of a region find: how often each index was met, and the index that came last. */
static uint32_t met[2 * MOST];
static int64_t last_index;
static uint32_t lasts;

static void forget(void)
{
	memset(met, 0, sizeof(met));
	last_index = INT64_MIN;
	lasts = 0;
}

static void meet(int64_t i)
{
	if (i >= -MOST && i < MOST)
		add_rlx(&met[i + MOST], 1);
}

static bool each_once(int64_t from, int64_t to, int64_t step)
{
	for (int64_t i = -MOST; i < MOST; i++) {
		bool inside = step > 0 ? i >= from && i <= to && (i - from) % step == 0 : i <= from && i >= to && (from - i) % -step == 0;
		if (load_rlx(&met[i + MOST]) != inside)
			return false;
	}
	return true;
}

/* --- for each type --------------------------------------------------------------------------------------- */

struct loop {
	int32_t schedule;
	int64_t from, to, step, chunk;
};

#define LOOPS_OF(suffix, type, stype) \
	static void static_##suffix(int32_t *thread, int32_t *bound, const struct loop *l) \
	{ \
		type lower = (type)l->from, upper = (type)l->to; \
		stype stride, step = (stype)l->step; \
		int32_t last = 7; \
\
		(void)bound; \
		__kmpc_for_static_init_##suffix(NULL, *thread, l->schedule, &last, &lower, &upper, &stride, step, (stype)l->chunk); \
		for (;;) { \
			type end = step > 0 ? (upper > (type)l->to ? (type)l->to : upper) : (upper < (type)l->to ? (type)l->to : upper); \
			if (step > 0 ? lower > (type)l->to : lower < (type)l->to) \
				break; \
			for (int64_t i = (int64_t)lower; step > 0 ? i <= (int64_t)end : i >= (int64_t)end; i += step) { \
				meet(i); \
				if (last && i == l->to) \
					store_rlx(&last_index, i); \
			} \
			if (l->schedule != KMPC_STATIC_CHUNKED) \
				break; \
			lower += (type)stride; \
			upper += (type)stride; \
		} \
		if (last) \
			add_rlx(&lasts, 1); \
		__kmpc_for_static_fini(NULL, *thread); \
		__kmpc_barrier(NULL, *thread); \
	} \
\
	static void dispatch_##suffix(int32_t *thread, int32_t *bound, const struct loop *l) \
	{ \
		type lower, upper; \
		stype stride; \
		int32_t last; \
\
		(void)bound; \
		__kmpc_dispatch_init_##suffix(NULL, *thread, l->schedule, (type)l->from, (type)l->to, (stype)l->step, \
		                              (stype)l->chunk); \
		while (__kmpc_dispatch_next_##suffix(NULL, *thread, &last, &lower, &upper, &stride)) { \
			for (int64_t i = (int64_t)lower; l->step > 0 ? i <= (int64_t)upper : i >= (int64_t)upper; i += stride) { \
				meet(i); \
				__kmpc_dispatch_fini_##suffix(NULL, *thread); \
			} \
			if (last) { \
				add_rlx(&lasts, 1); \
				store_rlx(&last_index, (int64_t)upper); \
			} \
		} \
		__kmpc_dispatch_deinit(NULL, *thread); \
		__kmpc_barrier(NULL, *thread); \
	} \
\
	/* Without a league its one team has all. */ \
	static void distribute_##suffix(int32_t *thread, int32_t *bound, const struct loop *l) \
	{ \
		type lower = (type)l->from, upper = (type)l->to, team_upper = 0; \
		stype stride; \
		int32_t last = 0; \
\
		(void)bound; \
		__kmpc_dist_for_static_init_##suffix(NULL, *thread, KMPC_STATIC, &last, &lower, &upper, &team_upper, &stride, \
		                                     (stype)l->step, 1); \
		if (team_upper == (type)l->to) \
			for (int64_t i = (int64_t)lower; i <= (int64_t)upper; i += l->step) \
				meet(i); \
		add_rlx(&lasts, (uint32_t)last); \
		__kmpc_barrier(NULL, *thread); \
		lower = (type)l->from; \
		upper = (type)l->to; \
		__kmpc_team_static_init_##suffix(NULL, *thread, &last, &lower, &upper, &stride, (stype)l->step, 5); \
		if (last && lower == (type)l->from && upper == (type)l->to) \
			store_rlx(&last_index, l->to); \
		__kmpc_dist_dispatch_init_##suffix(NULL, *thread, KMPC_DYNAMIC, &last, lower, upper, (stype)l->step, 1); \
		while (__kmpc_dispatch_next_##suffix(NULL, *thread, &last, &lower, &upper, &stride)) \
			for (int64_t i = (int64_t)lower; i <= (int64_t)upper; i += l->step) \
				meet(-1 - i); \
		__kmpc_barrier(NULL, *thread); \
	}

LOOPS_OF(4, int32_t, int32_t)
LOOPS_OF(4u, uint32_t, int32_t)
LOOPS_OF(8, int64_t, int64_t)
LOOPS_OF(8u, uint64_t, int64_t)

typedef void member(int32_t *thread, int32_t *bound, const struct loop *l);

static void region(member *fn, const struct loop *l)
{
	forget();
	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_fork_call(NULL, 1, (kmpc_micro *)(void (*)(void))fn, l);
}

static bool right(member *fn, const struct loop *l)
{
	region(fn, l);
	bool good = each_once(l->from, l->to, l->step) && lasts == 1 && last_index == l->to;
	if (!good)
		diag("schedule %d, %lld to %lld step %lld chunk %lld", l->schedule, (long long)l->from, (long long)l->to,
			(long long)l->step, (long long)l->chunk);
	return good;
}

/* Ends are met exactly, so the last index is `to`. */
static bool all_right(member *fn, const int32_t *schedule, int n, bool is_signed)
{
	bool good = true;

	for (int s = 0; s < n; s++)
		for (int64_t count = 1; count < 40; count += count < 8 ? 1 : 7)
			for (int64_t step = -3; step <= 3; step += step == -1 ? 2 : 1) {
				int64_t from = step < 0 ? (count - 1) * -step : 0;
				struct loop l = { schedule[s], from, from + (count - 1) * step, step, 1 + count % 4 };
				l.from += is_signed ? -50 : 100;
				l.to += is_signed ? -50 : 100;
				good &= right(fn, &l);
			}
	return good;
}

static const int32_t statics[] = { KMPC_STATIC, KMPC_STATIC_CHUNKED, KMPC_STATIC_BALANCED, KMPC_STATIC | 1 << 29 };
static const int32_t dispatched[] = {
	KMPC_STATIC_CHUNKED, KMPC_STATIC, KMPC_DYNAMIC | 1 << 30, KMPC_GUIDED, KMPC_RUNTIME, KMPC_AUTO, KMPC_TRAPEZOIDAL,
	KMPC_GUIDED_SIMD, KMPC_STATIC + KMPC_ORDERED_LESS, KMPC_DYNAMIC + KMPC_ORDERED_LESS, KMPC_STATIC_GREEDY, KMPC_STATIC_EVEN,
	KMPC_GUIDED_ITERATIVE, KMPC_GUIDED_ANALYTICAL, KMPC_STATIC_STEAL, KMPC_STATIC_STEAL + KMPC_ORDERED_LESS,
};
enum { STATICS = sizeof(statics) / sizeof(*statics), DISPATCHED = sizeof(dispatched) / sizeof(*dispatched) };

static void types(void)
{
	ok(all_right(static_4, statics, STATICS, true), "for_static_init_4: each index once, and one member has the last");
	ok(all_right(static_4u, statics, STATICS, false), "for_static_init_4u: likewise");
	ok(all_right(static_8, statics, STATICS, true), "for_static_init_8: likewise");
	ok(all_right(static_8u, statics, STATICS, false), "for_static_init_8u: likewise");
	ok(all_right(dispatch_4, dispatched, DISPATCHED, true), "dispatch_init_4, _next_4: each index once, under every schedule");
	ok(all_right(dispatch_4u, dispatched, DISPATCHED, false), "dispatch_init_4u, _next_4u: likewise");
	ok(all_right(dispatch_8, dispatched, DISPATCHED, true), "dispatch_init_8, _next_8: likewise");
	ok(all_right(dispatch_8u, dispatched, DISPATCHED, false), "dispatch_init_8u, _next_8u: likewise");
}

static bool distributed(member *fn)
{
	const struct loop l = { 0, 0, 20, 1, 1 };

	region(fn, &l);
	for (int64_t i = 0; i <= 20; i++)
		if (met[i + MOST] != 1 || met[MOST - 1 - i] != 1)
			return false;
	return lasts == 1 && last_index == 20;
}

/* In each of several teams: two loops, one in chunks of 2, one in a block each. */
static void team_shares(int32_t *thread, int32_t *bound, uint32_t *of_last)
{
	int32_t lower = 0, upper = 20, team_upper = 0, stride, last = 0;

	(void)bound;
	__kmpc_team_static_init_4(NULL, *thread, &last, &lower, &upper, &stride, 1, 2);
	*of_last += last != 0;
	for (; lower <= 20; lower += stride, upper += stride)
		for (int32_t i = lower; i <= upper && i <= 20; i++)
			meet(i);
	lower = -21;
	upper = -1;
	__kmpc_dist_for_static_init_4(NULL, *thread, KMPC_STATIC, &last, &lower, &upper, &team_upper, &stride, 1, 0);
	*of_last += last && team_upper == upper;
	for (int32_t i = lower; i <= upper; i++)
		meet(i);
}

/* One after the other, as leagues are here. */
static void shared_by_teams(int32_t teams)
{
	uint32_t of_last = 0, once = 0;

	memset(met, 0, sizeof(met));
	__kmpc_push_num_teams(NULL, 0, teams, 1);
	__kmpc_fork_teams(NULL, 1, (kmpc_micro *)(void (*)(void))team_shares, &of_last);
	for (int64_t i = -21; i <= 20; i++)
		once += met[i + MOST] == 1;
	is_int(once, 42, "distribute among %d teams: each index once", (int)teams);
	is_int(of_last, 2, "distribute among %d teams: one has the last", (int)teams);
}

static void leagues(void)
{
	ok(distributed(distribute_4), "dist_for_static_init_4, team_static_init_4, dist_dispatch_init_4: one team has all");
	ok(distributed(distribute_4u), "dist_for_static_init_4u and its like: likewise");
	ok(distributed(distribute_8), "dist_for_static_init_8 and its like: likewise");
	ok(distributed(distribute_8u), "dist_for_static_init_8u and its like: likewise");
	shared_by_teams(3);
	shared_by_teams(30);
}

/* --- edges ----------------------------------------------------------------------------------------------- */

static void empty_member(int32_t *thread, int32_t *bound, uint32_t *wrong)
{
	uint32_t lower = 0, upper = UINT32_MAX;
	int32_t last = 5, stride;

	(void)bound;
	__kmpc_for_static_init_4u(NULL, *thread, KMPC_STATIC, &last, &lower, &upper, &stride, 1, 1);
	if (last != 0 || upper - lower + 1 != 0)
		add_rlx(wrong, 1);
	int64_t from = 4, to = 3, by;
	__kmpc_for_static_init_8(NULL, *thread, KMPC_STATIC_CHUNKED, NULL, &from, &to, &by, 1, 1);
	if (from != 4 || to != 3)
		add_rlx(wrong, 1);
}

static void top_member(int32_t *thread, int32_t *bound, uint32_t *runs)
{
	int64_t lower = INT64_MAX - 1, upper = INT64_MAX, stride;
	int32_t last;

	(void)bound;
	__kmpc_for_static_init_8(NULL, *thread, KMPC_STATIC, &last, &lower, &upper, &stride, 1, 1);
	if (lower <= upper)
		add_rlx(runs, (uint32_t)(upper - lower) + 1);
}

static void bottom_member(int32_t *thread, int32_t *bound, uint32_t *runs)
{
	uint32_t lower = 0, upper = 0;
	int32_t last, stride;

	(void)bound;
	__kmpc_for_static_init_4u(NULL, *thread, KMPC_STATIC, &last, &lower, &upper, &stride, -3, 1);
	if (lower >= upper)
		add_rlx(runs, 1);
}

/* Chunks as long as numbers of the type may be, and a loop that does not begin at 0. */
static bool long_chunks(member *fn, int64_t longest, int64_t at)
{
	bool good = true;

	for (int64_t by = 1; by <= 3; by += 2)
		for (int64_t less = 0; less < 2; less++) {
			good &= right(fn, &(struct loop){ KMPC_STATIC_CHUNKED, at, at + 33, by, longest - less });
			good &= right(fn, &(struct loop){ KMPC_STATIC_BALANCED, at, at + 33, by, longest / 2 + 1 });
			good &= right(fn, &(struct loop){ KMPC_STATIC_CHUNKED, at + 33, at, -by, longest / 2 + 1 });
		}
	return good;
}

/* What each member gets of a loop as long as numbers are. */
enum { SHARERS = 8 };
static struct {
	uint64_t lower, upper;
	int32_t last;
} part[SHARERS];

static void vast_member(int32_t *thread, int32_t *bound, const uint64_t *to, const int64_t *chunk)
{
	int n = omp_get_thread_num();
	int64_t stride;

	(void)bound;
	part[n].lower = 0;
	part[n].upper = *to;
	__kmpc_for_static_init_8u(NULL, *thread, KMPC_STATIC_BALANCED, &part[n].last, &part[n].lower, &part[n].upper, &stride, 1,
	                          *chunk);
}

/* One part behind the other, multiples of a chunk but for the last; then no more. */
static bool vast(uint64_t to, int64_t chunk)
{
	uint64_t next = 0;
	int last = -1;

	__kmpc_push_num_threads(NULL, 0, SHARERS);
	__kmpc_fork_call(NULL, 2, (kmpc_micro *)(void (*)(void))vast_member, &to, &chunk);
	for (int n = 0; n < SHARERS; n++) {
		uint64_t length = part[n].upper - part[n].lower + 1;
		bool any = part[n].lower <= part[n].upper;

		if (any && (last >= 0 || part[n].lower != next || (!part[n].last && length % (uint64_t)chunk != 0)))
			return false;
		if (!any && last < 0)
			return false;
		if (part[n].last)
			last = any && part[n].upper == to ? n : SHARERS;
		next = part[n].upper + 1;
	}
	return last >= 0 && last < SHARERS;
}

static void edges(void)
{
	ok(vast(UINT64_MAX - 1, 1) && vast(UINT64_MAX - 1, 7) && vast(UINT64_MAX - 2, INT64_MAX) &&
	   vast(UINT64_MAX / 4, INT64_MAX / 2) && vast(UINT64_MAX / 3, INT64_MAX / 2) && vast(1000, 300),
	   "for_static_init: a loop as long as numbers are, in multiples of a chunk of any length");
	ok(long_chunks(static_4, INT32_MAX, -7) && long_chunks(static_4u, INT32_MAX, 7) && long_chunks(static_8, INT64_MAX, -7) &&
	   long_chunks(static_8u, INT64_MAX, 7), "for_static_init: a chunk of any length");
	uint32_t wrong = 0, runs = 0;

	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_fork_call(NULL, 1, (kmpc_micro *)(void (*)(void))empty_member, &wrong);
	is_int(wrong, 0, "for_static_init: of an empty loop nothing changes, nobody has the last");
	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_fork_call(NULL, 1, (kmpc_micro *)(void (*)(void))top_member, &runs);
	is_int(runs, 2, "for_static_init: up to the largest number, who has nothing gets nothing");
	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_fork_call(NULL, 1, (kmpc_micro *)(void (*)(void))bottom_member, &runs);
	is_int(runs, 3, "for_static_init: down to the smallest, likewise");
}

/* --- order, sections ------------------------------------------------------------------------------------- */

static int order[MOST], ordered;

static void ordered_member(int32_t *thread, int32_t *bound)
{
	int32_t lower, upper, last, stride;

	(void)bound;
	__kmpc_dispatch_init_4(NULL, *thread, KMPC_DYNAMIC + KMPC_ORDERED_LESS, 0, MOST - 1, 1, 2);
	while (__kmpc_dispatch_next_4(NULL, *thread, &last, &lower, &upper, &stride))
		for (int32_t i = lower; i <= upper; i++) {
			if (i % 3) {
				__kmpc_ordered(NULL, *thread);
				order[ordered++] = i;
				__kmpc_end_ordered(NULL, *thread);
			}
			__kmpc_dispatch_fini_4(NULL, *thread);
		}
	__kmpc_barrier(NULL, *thread);
}

static void sections_member(int32_t *thread, int32_t *bound)
{
	(void)bound;
	if (__kmpc_sections_init(NULL, *thread))
		for (int32_t i; (i = __kmpc_next_section(NULL, *thread, 9)) < 9;)
			meet(i);
	__kmpc_end_sections(NULL, *thread);
	__kmpc_barrier(NULL, *thread);
}

/* Bounds are inclusive, and the step is not 1. */
static void doacross_member(int32_t *thread, int32_t *bound, int64_t *sum)
{
	static const struct kmpc_dim dim[2] = { { 10, 30, 2 }, { 5, 1, -1 } };
	int64_t lower = 10, upper = 30, stride;
	int32_t last;

	(void)bound;
	__kmpc_doacross_init(NULL, *thread, 2, dim);
	__kmpc_dispatch_init_8(NULL, *thread, KMPC_DYNAMIC, lower, upper, 2, 1);
	while (__kmpc_dispatch_next_8(NULL, *thread, &last, &lower, &upper, &stride))
		for (int64_t i = lower; i <= upper; i += 2)
			for (int64_t k = 5; k >= 1; k--) {
				__kmpc_doacross_wait(NULL, *thread, (int64_t[]){ i - 2, k });
				__kmpc_doacross_wait(NULL, *thread, (int64_t[]){ i - 2, k - 1 });
				sum[i * 8 + k] = 1 + (i > 10 ? sum[(i - 2) * 8 + k] : 0);
				__kmpc_doacross_post(NULL, *thread, (int64_t[]){ i, k });
			}
	__kmpc_doacross_fini(NULL, *thread);
	__kmpc_barrier(NULL, *thread);
}

static bool columns_right(void)
{
	int64_t sum[31 * 8 + 8] = { 0 };
	bool good = true;

	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_fork_call(NULL, 1, (kmpc_micro *)(void (*)(void))doacross_member, sum);
	for (int64_t k = 1; k <= 5; k++)
		good &= sum[30 * 8 + k] == 11;
	return good;
}

static void order_kept(void)
{
	bool good = true;
	int n = 0;

	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_fork_call(NULL, 0, (kmpc_micro *)(void (*)(void))ordered_member);
	for (int i = 0; i < MOST; i++)
		if (i % 3)
			good &= order[n++] == i;
	ok(good && n == ordered, "ordered: in the order of iterations, of which some have none");
	forget();
	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_fork_call(NULL, 0, (kmpc_micro *)(void (*)(void))sections_member);
	ok(each_once(0, 8, 1), "sections_init, next_section: each once");
	for (int i = 0; i < 30; i++)
		good &= columns_right();
	ok(good, "doacross_wait: after what was posted; not for what is outside");
}

int main(void)
{
	plan(8 + 8 + 4 + 4);
	types();
	leagues();
	edges();
	order_kept();
	return done();
}
