/* test/unit/omp_share.c -- how work is shared out: iterations by number, schedules, and the chain of constructs.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The members of a team are played by one thread, in any order; test/stress/omp_share.c has them run at once.  What a
 * schedule gives out is compared with loops run step by step in wider numbers.
 */
#include "base/mem.h"
#include "omp/abi/gomp_share.h"
#include "omp/team/standing.h"
#include "omp/work/loop.h"
#include "omp/work/ordered.h"
#include "omp/work/single.h"
#include "stress/stress.h"

enum { MOST = 7, SMALL = 40 };

typedef __int128 wide;

/* --- a team ---------------------------------------------------------------------------------------------- */

static struct qomp_team *team;
static struct qomp_icv control[MOST];

static void *lines(size_t size)
{
	void *p = qti_mem_aligned(QTI_CACHE_LINE, qti_mem_round(size, QTI_CACHE_LINE));

	if (!p)
		bail_out("out of memory");
	return memset(p, 0, size);
}

static struct qomp_frame *frame(unsigned i)
{
	return &team->member[i]->frame;
}

static struct qomp_share_place *place(unsigned i)
{
	return &team->member[i]->share;
}

static void begin_region(void)
{
	qomp_shares_reset(&team->shares, place(0));
	for (unsigned i = 0; i < team->n; i++)
		qomp_share_enter(&team->shares, place(i));
}

static void begin(unsigned n)
{
	team = lines(sizeof(*team));
	team->member = lines(n * sizeof(team->member[0]));
	team->n = team->room = n;
	for (unsigned i = 0; i < n; i++) {
		team->member[i] = lines(sizeof(struct qomp_member));
		team->member[i]->team = team;
		frame(i)->team = team;
		frame(i)->num = (uint16_t)i;
		control[i] = (struct qomp_icv){ .schedule = QOMP_STATIC };
		frame(i)->icv = &control[i];
	}
	begin_region();
}

static void end(void)
{
	qomp_shares_fini(&team->shares);
	for (unsigned i = 0; i < team->room; i++)
		qti_mem_free(team->member[i]);
	qti_mem_free(team->member);
	qti_mem_free(team);
}

static struct qomp_share_place *open_loop(unsigned i, struct qomp_range r, uint32_t schedule, uint64_t chunk)
{
	return qomp_loop_open(frame(i), &(struct qomp_loop){ .range = r, .schedule = schedule, .chunk = chunk }, NULL);
}

static struct qomp_range upto(uint64_t n)
{
	return qomp_range_ull(true, 0, n, 1);
}

/* --- ranges ---------------------------------------------------------------------------------------------- */

/* Iterations of `for (i = first; i before end; i += step)`; up to `most` are looked at. */
static uint64_t iterations(wide first, wide stop, wide step, uint64_t most)
{
	uint64_t n = 0;

	for (wide i = first; n < most && (step > 0 ? i < stop : i > stop); i += step)
		n++;
	return n;
}

static void counts_iterations(void)
{
	unsigned wrong = 0;

	for (long first = -SMALL; first <= SMALL; first += 3)
		for (long stop = -SMALL; stop <= SMALL; stop++)
			for (long step = -9; step <= 9; step++)
				if (step)
					wrong += qomp_range_long(first, stop, step).count !=
						 iterations(first, stop, step, UINT64_MAX);
	is_int(wrong, 0, "small signed ranges have as many iterations as a loop that runs");
	wrong = 0;
	for (uint64_t first = 0; first <= SMALL; first += 3)
		for (uint64_t stop = 0; stop <= SMALL; stop++)
			for (uint64_t step = 1; step <= 9; step++)
				wrong += qomp_range_ull(true, first, stop, step).count !=
						 iterations(first, stop, step, UINT64_MAX) ||
					 qomp_range_ull(false, first, stop, -step).count !=
						 iterations(first, stop, -(wide)step, UINT64_MAX);
	is_int(wrong, 0, "small unsigned ranges have as many iterations as a loop that runs");
}

static void counts_near_the_limits(void)
{
	static const long ends[] = { LONG_MIN, LONG_MIN + 1, -1, 0, 1, LONG_MAX - 1, LONG_MAX };
	static const long steps[] = { 1, 2, 3, 7, LONG_MAX / 2, LONG_MAX - 1, LONG_MAX };
	unsigned wrong = 0;

	for (unsigned a = 0; a < 7; a++)
		for (unsigned b = 0; b < 7; b++)
			for (unsigned s = 0; s < 7; s++) {
				wide far = (wide)ends[b] - ends[a], step = steps[s];
				wide up = far > 0 ? (far + step - 1) / step : 0;
				wide down = far < 0 ? (-far + step - 1) / step : 0;
				wrong += qomp_range_long(ends[a], ends[b], steps[s]).count != up;
				wrong += qomp_range_long(ends[a], ends[b], -steps[s]).count != down;
			}
	is_int(wrong, 0, "signed ranges as wide as the type");
	is_int(qomp_range_long(LONG_MAX, LONG_MIN, LONG_MIN).count, 2, "a step of LONG_MIN");
	ok(qomp_range_ull(true, 0, UINT64_MAX, 1).count == UINT64_MAX, "all unsigned numbers but one");
	is_int(qomp_range_ull(true, 1, UINT64_MAX, UINT64_MAX).count, 1, "an unsigned step as large as can be");
	is_int(qomp_range_ull(true, 0, UINT64_MAX, UINT64_C(1) << 63).count, 2, "one with the highest bit set, upwards");
	is_int(qomp_range_ull(false, UINT64_MAX, 0, -(UINT64_C(1) << 63)).count, 2, "and downwards");
	is_int(qomp_range_long(0, 10, 0).count, 0, "a step of 0 leads nowhere");
}

/* --- what is given out ----------------------------------------------------------------------------------- */

/* The loop in wider numbers, and what came of it. */
struct trial {
	wide first, stop, step;
	bool is_signed;
	unsigned char seen[SMALL * 8];
	wide latest[MOST];      /* index that a member got last, in iterations */
	bool in_order;          /* what each member gets */
	bool wrong;
};

static wide widen(const struct trial *t, uint64_t index)
{
	return t->is_signed ? (wide)(int64_t)index : (wide)index;
}

/* Runs a piece as compiled code does. */
static void run_piece(struct trial *t, unsigned member, uint64_t from, uint64_t to)
{
	wide stop = widen(t, to), i = widen(t, from);
	wide number = (i - t->first) / t->step;

	if ((i - t->first) % t->step != 0 || (t->step > 0 ? i >= stop : i <= stop) ||
	    (t->in_order && number <= t->latest[member]))
		t->wrong = true;
	for (; !t->wrong && (t->step > 0 ? i < stop : i > stop); i += t->step, number++) {
		if (number < 0 || number >= (wide)sizeof(t->seen))
			t->wrong = true;
		else
			t->seen[number]++;
	}
	t->latest[member] = number - 1;
}

/* All members take pieces in random order until there are none. */
static void run_loop(struct trial *t, struct qomp_range r, uint32_t schedule, uint64_t chunk, uint64_t *state)
{
	unsigned over = 0, ended[MOST] = { 0 };

	memset(t->seen, 0, sizeof(t->seen));
	t->wrong = false;
	for (unsigned i = 0; i < team->n; i++) {
		t->latest[i] = -1;
		open_loop(i, r, schedule, chunk);
	}
	while (over < team->n) {
		unsigned i = stress_random(state, team->n);
		uint64_t from = 1234, to = 4321;
		if (qomp_loop_next(place(i), &from, &to)) {
			t->wrong |= ended[i];
			run_piece(t, i, from, to);
		} else {
			t->wrong |= from != 1234 || to != 4321;
			over += !ended[i];
			ended[i] = true;
		}
	}
	for (unsigned i = 0; i < team->n; i++)
		qomp_share_close(place(i));
	for (uint64_t i = 0; i < sizeof(t->seen); i++)
		t->wrong |= t->seen[i] != (i < r.count);
}

static const char *const schedule_name[] = { NULL, "static", "dynamic", "guided", "auto",
	[QOMP_DYNAMIC_ANY] = "dynamic in any order" };

/* Small loops whose first and last indices are anywhere in the type's range. */
static void gives_each_once(uint32_t schedule)
{
	uint64_t state = stress_state(schedule);
	unsigned wrong = 0, rounds = stress_rounds(20000);
	struct trial t = { .in_order = schedule != QOMP_DYNAMIC_ANY };

	for (unsigned round = 0; round < rounds; round++) {
		wide low, high, count = stress_random(&state, SMALL), where = stress_random(&state, 3);
		t.is_signed = stress_random(&state, 2);
		low = t.is_signed ? LONG_MIN : 0;
		high = low + UINT64_MAX;
		t.step = 1 + stress_random(&state, 9);
		if (stress_random(&state, 8) == 0)
			t.step = ((wide)1 << 60) - stress_random(&state, 9);
		count = count * t.step > UINT64_MAX ? UINT64_MAX / t.step : count;
		wide extent = count * t.step - (count ? stress_random(&state, (unsigned)(t.step > 9 ? 9 : t.step)) : 0);
		t.first = where == 0 ? low : where == 1 ? high - extent : (low + high) / 2 - extent / 2;
		t.stop = t.first + extent;
		bool up = stress_random(&state, 2);
		if (!up) {
			wide swap = t.first;
			t.first = t.stop;
			t.stop = swap;
			t.step = -t.step;
		}
		begin(1 + stress_random(&state, MOST));
		struct qomp_range r = t.is_signed ? qomp_range_long((long)t.first, (long)t.stop, (long)t.step)
						  : qomp_range_ull(up, (uint64_t)t.first, (uint64_t)t.stop, (uint64_t)t.step);
		uint64_t chunk = stress_random(&state, 4) ? stress_random(&state, 9) : UINT64_MAX - stress_random(&state, 9);
		run_loop(&t, r, schedule, chunk, &state);
		end();
		wrong += t.wrong || r.count != (uint64_t)count;
	}
	is_int(wrong, 0, "%s: each of a loop's iterations once%s", schedule_name[schedule],
		t.in_order ? ", to each member in order" : "");
}

static void static_goes_by_number(void)
{
	uint64_t from, to, at = 0;
	unsigned wrong = 0;

	begin(4);
	for (unsigned i = 0; i < 4; i++) {
		struct qomp_share_place *p = open_loop(i, upto(10), QOMP_STATIC, 0);
		wrong += !qomp_loop_next(p, &from, &to) || from != at || to - from != (i < 2 ? 3 : 2);
		at = to;
		wrong += qomp_loop_next(p, &from, &to);
	}
	is_int(wrong, 0, "static: 10 iterations for 4 members are blocks of 3, 3, 2, 2");
	wrong = 0;
	for (unsigned i = 4; i-- > 0;) {
		struct qomp_share_place *p = open_loop(i, upto(30), QOMP_STATIC, 3);
		for (at = 3 * i; at < 30; at += 12)
			wrong += !qomp_loop_next(p, &from, &to) || from != at || to != at + 3;
		wrong += qomp_loop_next(p, &from, &to);
	}
	is_int(wrong, 0, "static, chunks of 3: member i has number i, i + 4, ..., whoever comes first");
	wrong = 0;
	for (unsigned i = 0; i < 4; i++) {
		struct qomp_share_place *p = open_loop(i, upto(UINT64_MAX), QOMP_STATIC, UINT64_C(1) << 62);
		uint64_t chunk = UINT64_C(1) << 62;
		wrong += !qomp_loop_next(p, &from, &to) || from != i * chunk || to != (i < 3 ? (i + 1) * chunk : UINT64_MAX);
		wrong += qomp_loop_next(p, &from, &to);
	}
	is_int(wrong, 0, "static: chunks whose numbers are near the limit");
	end();
}

static void dynamic_near_the_limit(void)
{
	uint64_t from, to, chunk = UINT64_C(1) << 62;
	unsigned wrong = 0;

	begin(3);
	for (unsigned i = 0; i < 3; i++)
		open_loop(i, upto(UINT64_MAX), QOMP_DYNAMIC, chunk);
	for (unsigned k = 0; k < 4; k++)
		wrong += !qomp_loop_next(place(k % 3), &from, &to) || from != k * chunk ||
			 to != (k < 3 ? (k + 1) * chunk : UINT64_MAX);
	for (unsigned i = 0; i < 9; i++)
		wrong += qomp_loop_next(place(i % 3), &from, &to);
	is_int(wrong, 0, "dynamic: chunks whose numbers are near the limit, and nothing after the end");
	end();
}

static bool next_is(unsigned member, uint64_t from, uint64_t to)
{
	uint64_t got_from, got_to;

	return qomp_loop_next(place(member), &got_from, &got_to) && got_from == from && got_to == to;
}

/* 16 chunks of 2 but for the last, which is nobody's: 8 to the one member, 7 to the other. */
static void parts_are_robbed(void)
{
	static const uint64_t robber[] = { 0, 2, 4, 6, 8, 10, 12, 14, 22, 24, 26, 28, 18, 20, 16, 30 };
	uint64_t from, to;
	unsigned wrong = 0;

	begin(2);
	open_loop(0, upto(31), QOMP_DYNAMIC_ANY, 2);
	for (unsigned k = 0; k < 16; k++)
		wrong += !next_is(0, robber[k], robber[k] == 30 ? 31 : robber[k] + 2);
	open_loop(1, upto(31), QOMP_DYNAMIC_ANY, 2);
	wrong += qomp_loop_next(place(1), &from, &to) + qomp_loop_next(place(0), &from, &to);
	is_int(wrong, 0, "in any order: its own part, then upper halves of what others have, who need not have come; the last at last");
	wrong = 0;
	for (unsigned i = 0; i < 2; i++)
		open_loop(i, upto(32), QOMP_DYNAMIC_ANY, 2);
	for (uint64_t k = 0; k < 8; k++)
		wrong += !next_is(0, 2 * k, 2 * k + 2);
	wrong += !next_is(0, 22, 24);
	for (uint64_t k = 8; k < 11; k++)
		wrong += !next_is(1, 2 * k, 2 * k + 2);
	wrong += !next_is(1, 26, 28) || !next_is(1, 28, 30) || !next_is(1, 24, 26) || !next_is(1, 30, 32);
	wrong += qomp_loop_next(place(1), &from, &to) + qomp_loop_next(place(0), &from, &to);
	is_int(wrong, 0, "and what a robber has not run can be robbed");
	wrong = 0;
	for (unsigned i = 0; i < 2; i++)
		open_loop(i, upto(UINT32_MAX), QOMP_DYNAMIC_ANY, 1);
	for (unsigned k = 0; k < 4; k++)
		wrong += !next_is(k % 2, k, k + 1);
	is_int(wrong, 0, "more chunks than have numbers come from one counter");
	wrong = 0;
	for (unsigned i = 0; i < 2; i++)
		open_loop(i, upto(UINT32_MAX - 2), QOMP_DYNAMIC_ANY, 1);
	for (uint64_t k = 0; k < 4; k++)
		wrong += !next_is(0, k, k + 1) || !next_is(1, UINT32_MAX / 2 - 1 + k, UINT32_MAX / 2 + k);
	is_int(wrong, 0, "as many as have come from parts");
	end();
}

/* As compiled code asks: a chunk's number has room for one addition in vain (PT1). */
static void parts_are_asked_once(void)
{
	long from, to;
	uint64_t piece[2];
	unsigned wrong = 0;

	begin(2);
	open_loop(1, upto(17), QOMP_DYNAMIC_ANY, 1);
	for (unsigned k = 0; k < 8; k++)
		wrong += !qomp_loop_next(place(1), &piece[0], &piece[1]);
	frame(0)->flags |= QOMP_IMPLICIT;
	qomp_frame_set(frame(0));
	wrong += !GOMP_loop_nonmonotonic_dynamic_start(0, 17, 1, 1, &from, &to);
	for (unsigned k = 1; k < 9; k++)
		wrong += !GOMP_loop_nonmonotonic_dynamic_next(&from, &to);
	uint64_t word = *place(0)->part;
	is_int(qomp_part_first(word) - qomp_part_end(word), 1, "a part that is used up is asked once");
	wrong += from != 16 || to != 17 || GOMP_loop_nonmonotonic_dynamic_next(&from, &to);
	is_int(wrong, 0, "then comes the last chunk, and nothing");
	qomp_frame_set(NULL);
	end();
}

static void guided_shrinks(uint32_t schedule)
{
	uint64_t from, to, at = 0;
	unsigned wrong = 0;

	begin(4);
	for (unsigned i = 0; i < 4; i++)
		open_loop(i, upto(1000), schedule, 5);
	for (unsigned i = 0; at < 1000; i++) {
		uint64_t share = (1000 - at + 3) / 4, n = share > 5 ? share : 5;
		n = n < 1000 - at ? n : 1000 - at;
		wrong += !qomp_loop_next(place(i % 4), &from, &to) || from != at || to != at + n;
		at = to;
	}
	is_int(wrong, 0, "%s: a piece is the n-th part of what is left, but not less than a chunk", schedule_name[schedule]);
	end();
}

/* --- agreeing -------------------------------------------------------------------------------------------- */

static void runtime_is_the_firsts(void)
{
	uint64_t from, to;

	begin(2);
	control[1].schedule = QOMP_DYNAMIC;
	control[1].chunk = 3;
	open_loop(1, upto(10), QOMP_RUNTIME, 0);
	open_loop(0, upto(10), QOMP_RUNTIME, 0);
	ok(qomp_loop_next(place(0), &from, &to) && from == 0 && to == 3 && qomp_loop_next(place(1), &from, &to) &&
		   from == 3 && to == 6,
		"runtime: all follow the schedule of the first to come");
	end();
}

static void memory_is_shared(void)
{
	struct qomp_loop loop = { .range = upto(10), .schedule = QOMP_STATIC };
	void *got[3] = { NULL, NULL, NULL }, *again[3];
	unsigned dirty = 0;

	begin(3);
	for (unsigned i = 0; i < 3; i++) {
		got[i] = (void *)(uintptr_t)1000;
		qomp_loop_open(frame(i), &loop, &(struct qomp_common){ .memory = &got[i] });
		qomp_share_close(place(i));
	}
	ok(got[0] && got[0] == got[1] && got[0] == got[2], "memory: the same for all members");
	memset(got[0], 1, 1000);
	begin_region();
	for (unsigned i = 3; i-- > 0;) {
		again[i] = (void *)(uintptr_t)500;
		qomp_loop_open(frame(i), &loop, &(struct qomp_common){ .memory = &again[i] });
	}
	for (unsigned i = 0; i < 500; i++)
		dirty += ((char *)again[0])[i] != 0;
	is_int(dirty, 0, "memory: zeroed, also when it was in use before");
	ok((uintptr_t)again[0] % sizeof(long long) == 0, "memory: aligned");
	end();
}

/* --- the chain ------------------------------------------------------------------------------------------- */

static unsigned unused_blocks(void)
{
	unsigned n = 0;

	for (struct qomp_share_block *b = team->shares.unused; b; b = load_rlx(&b->after))
		n++;
	return n;
}

static void members_run_ahead(void)
{
	enum { AHEAD = 100 };
	struct qomp_share *met[AHEAD];
	uint64_t from, to;
	unsigned wrong = 0;

	begin(3);
	for (unsigned k = 0; k < AHEAD; k++) {
		met[k] = open_loop(0, upto(3), QOMP_DYNAMIC, 1)->share;
		wrong += !qomp_loop_next(place(0), &from, &to) || from != 0;
	}
	is_int(wrong, 0, "a member may be %d constructs ahead", AHEAD);
	wrong = 0;
	for (unsigned i = 1; i < 3; i++)
		for (unsigned k = 0; k < AHEAD; k++) {
			wrong += open_loop(i, upto(3), QOMP_DYNAMIC, 1)->share != met[k];
			wrong += !qomp_loop_next(place(i), &from, &to) || from != i;
		}
	is_int(wrong, 0, "the others find what it has left of them");
	unsigned blocks = unused_blocks();
	is_int(blocks, (AHEAD - 1) / QOMP_SHARES, "blocks that all have left can be used again");
	for (unsigned k = 0; k < 10 * AHEAD; k++)
		for (unsigned i = 0; i < 3; i++)
			wrong += !qomp_loop_next(open_loop((i + k) % 3, upto(3), QOMP_DYNAMIC, 1), &from, &to) || from != i;
	is_int(wrong, 0, "and are cleared");
	is_int(unused_blocks(), blocks, "members in step need no more of them");
	end();
}

static void regions_begin_anew(void)
{
	uint64_t from, to;
	unsigned wrong = 0;

	begin(2);
	for (unsigned round = 0; round < 50; round++) {
		begin_region();
		for (unsigned k = 0; k < round; k++)
			for (unsigned i = 0; i < 2; i++)
				wrong += !qomp_loop_next(open_loop(i, upto(9), QOMP_DYNAMIC, 1), &from, &to) || from != i;
		for (unsigned k = 0; k < round; k++)
			wrong += qomp_single(frame(k % 2)) + qomp_single(frame((k + 1) % 2)) != 1;
	}
	is_int(wrong, 0, "a region's constructs know nothing of the last one's");
	is_int(unused_blocks(), 1, "and are where those were");
	end();
}

static void uneven_ends_are_cleared(void)
{
	uint64_t from, to;
	unsigned wrong = 0;

	qomp_settings.cancellation = true;
	begin(2);
	for (unsigned round = 0; round < 40; round++) {
		begin_region();
		for (unsigned k = 0; k < round; k++)
			wrong += !qomp_loop_next(open_loop(1, upto(9), QOMP_DYNAMIC, 1), &from, &to) || from != 0;
		for (unsigned k = 0; k < round; k++)
			wrong += !qomp_single(frame(1));
	}
	end();
	qomp_settings.cancellation = false;
	is_int(wrong, 0, "nor do those of a region that was cancelled, where members have met other numbers of them");
}

static void cancelling_stops(uint32_t schedule, uint64_t chunk)
{
	uint64_t from, to;
	unsigned more = 0;

	qomp_settings.cancellation = true;
	begin(3);
	for (unsigned i = 0; i < 2; i++)
		open_loop(i, upto(1000), schedule, chunk);
	qomp_share_cancel(place(0));
	open_loop(2, upto(1000), schedule, chunk);
	for (unsigned i = 0; i < 3; i++)
		more += qomp_loop_next(place(i), &from, &to);
	is_int(more, 0, "cancelled %s, chunk %llu: nobody gets more", schedule_name[schedule], (unsigned long long)chunk);
	for (unsigned i = 0; i < 3; i++)
		qomp_share_close(place(i));
	for (unsigned i = 0; i < 3; i++)
		open_loop(i, upto(1000), QOMP_DYNAMIC, 1);
	qomp_share_close(place(0));
	qomp_share_cancel(place(0));
	ok(qomp_loop_next(place(1), &from, &to), "who is in no loop cancels none");
	end();
	qomp_settings.cancellation = false;
}

/* --- single, ordered ------------------------------------------------------------------------------------- */

static void one_is_single(void)
{
	unsigned chosen = 0, copies = 0;
	int value[20];

	begin(MOST);
	for (unsigned k = 0; k < 20; k++)
		for (unsigned i = 0; i < MOST; i++)
			chosen += qomp_single(frame((i + k) % MOST));
	is_int(chosen, 20, "single: one member each");
	for (unsigned i = 0; i < MOST; i++)
		for (unsigned k = 0; k < 20; k++)
			chosen += qomp_single(frame(i));
	is_int(chosen, 40, "single: however far apart they are");
	for (unsigned k = 0; k < 20; k++)
		for (unsigned i = 0; i < MOST; i++) {
			int *got = qomp_single_copy(frame((i + k) % MOST));
			if (i == 0 && !got)
				qomp_single_copied(frame(k % MOST), &value[k]);
			copies += got == &value[k];
		}
	is_int(copies, 20 * (MOST - 1), "single: the others get what the one has to copy");
	end();
}

static void turns_pass(void)
{
	struct qomp_share_place *a, *b;
	uint64_t from, to;
	struct qomp_share *s;

	begin(2);
	a = open_loop(0, upto(5), QOMP_DYNAMIC, 2);
	b = open_loop(1, upto(5), QOMP_DYNAMIC, 2);
	s = a->share;
	ok(qomp_ordered_next(a, &from, &to) && qomp_ordered_next(b, &from, &to) && from == 2, "ordered: pieces of two");
	qomp_ordered_enter(a);
	qomp_ordered_enter(a);
	is_int(load_acq(&s->turn), 0, "ordered: who is in turn may enter as often as it likes");
	ok(qomp_ordered_next(a, &from, &to) && from == 4 && load_acq(&s->turn) == 2,
		"ordered: asking for the next piece passes the turn on");
	ok(!qomp_ordered_next(b, &from, &to) && load_acq(&s->turn) == 4, "ordered: also by who has not entered");
	qomp_ordered_enter(a);
	ok(!qomp_ordered_next(a, &from, &to) && load_acq(&s->turn) == 5, "ordered: to the end");
	qomp_ordered_enter(a);
	qomp_share_close(a);
	qomp_ordered_enter(b);
	ok(true, "ordered: outside of a piece there is nothing to wait for");
	end();
}

int main(void)
{
	plan(59);
	counts_iterations();
	counts_near_the_limits();
	for (uint32_t s = QOMP_STATIC; s <= QOMP_AUTO; s++)
		gives_each_once(s);
	gives_each_once(QOMP_DYNAMIC_ANY);
	static_goes_by_number();
	parts_are_robbed();
	parts_are_asked_once();
	dynamic_near_the_limit();
	guided_shrinks(QOMP_GUIDED);
	guided_shrinks(QOMP_AUTO);
	runtime_is_the_firsts();
	memory_is_shared();
	members_run_ahead();
	regions_begin_anew();
	uneven_ends_are_cleared();
	cancelling_stops(QOMP_STATIC, 0);
	cancelling_stops(QOMP_STATIC, 4);
	cancelling_stops(QOMP_DYNAMIC, 4);
	cancelling_stops(QOMP_DYNAMIC, UINT64_MAX);
	cancelling_stops(QOMP_DYNAMIC_ANY, 4);
	cancelling_stops(QOMP_GUIDED, 1);
	one_is_single();
	turns_pass();
	return done();
}
