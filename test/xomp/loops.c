/* test/xomp/loops.c -- loops as ROSE lowers them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "xomp/constructs.h"

#include "tap.h"

#include <string.h>

enum { REACH = 2000 };

static int counts[2 * REACH + 1];
static int *const middle = counts + REACH;      /* of index 0 */

/* --- each index once ------------------------------------------------------------------------------------- */

static const struct space {
	int from, to, step;
} spaces[] = {
	{ 0, 0, 1 }, { 0, -1, 1 }, { 5, 0, 1 }, { 0, 1, 1 }, { 0, 7, 1 }, { 0, 1000, 1 }, { -3, 4, 1 }, { 0, 10, 4 },
	{ -1000, 1000, 7 }, { 3, 5, 100 }, { 0, 0, -1 }, { 0, 5, -1 }, { 1, 0, -1 }, { 9, -1, -1 }, { 1000, -1000, -3 },
	{ -5, -6, -50 }, { 20, 3, -4 }, { 0, 64, 64 }, { 0, 65, 64 },
};

static bool each_once(const struct space *s)
{
	bool good = true;

	for (int i = s->from; s->step > 0 ? i < s->to : i > s->to; i += s->step)
		middle[i]--;
	for (int i = 0; i < 2 * REACH + 1; i++)
		good = good && counts[i] == 0;
	if (!good)
		diag("from %d to %d by %d", s->from, s->to, s->step);
	memset(counts, 0, sizeof(counts));
	return good;
}

static bool covers(void (*loop)(int, int, int, int, int *), int chunk)
{
	bool good = true;

	for (unsigned i = 0; i < sizeof(spaces) / sizeof(*spaces); i++) {
		loop(spaces[i].from, spaces[i].to, spaces[i].step, chunk, middle);
		good = each_once(&spaces[i]) && good;
	}
	return good;
}

static void by_default(int from, int to, int step, int chunk, int *count)
{
	(void)chunk;
	loop_default(from, to, step, count);
}

static void schedules(void)
{
	ok(covers(by_default, 0), "without a schedule clause each index is visited once, in 19 spaces");
	ok(covers(loop_static, 1) && covers(loop_static, 3) && covers(loop_static, 5000), "static: the same");
	ok(covers(loop_dynamic, 1) && covers(loop_dynamic, 3) && covers(loop_dynamic, 5000), "dynamic: the same");
	ok(covers(loop_guided, 1) && covers(loop_guided, 3) && covers(loop_guided, 5000), "guided: the same");
	ok(covers(loop_auto, 0), "auto: the same");
	bool good = true;
	for (int kind = (int)omp_sched_static; kind <= (int)omp_sched_auto; kind++)
		for (int chunk = 0; chunk < 4; chunk += 3) {
			omp_set_schedule((omp_sched_t)kind, chunk);
			good = covers(loop_runtime, 0) && good;
		}
	ok(good, "runtime: the same, with each kind that omp_set_schedule sets");
}

/* --- who and what ---------------------------------------------------------------------------------------- */

static bool dealt(const int *thread, int n, int chunk)
{
	bool good = true;

	for (int i = 0; i < n; i++)
		good = good && thread[i] == i / chunk % omp_get_max_threads();
	return good;
}

static void threads(void)
{
	enum { N = 100 };
	int thread[N];

	loop_static_threads(N, 7, thread);
	ok(dealt(thread, N, 7), "static: chunks are dealt out in turn");
	omp_set_schedule(omp_sched_static, 5);
	loop_runtime_threads(N, thread);
	ok(dealt(thread, N, 5), "runtime: and so they are if omp_set_schedule says so");
	omp_set_schedule(omp_sched_dynamic, N);
	loop_runtime_threads(N, thread);
	bool good = true;
	for (int i = 1; i < N; i++)
		good = good && thread[i] == thread[0];
	ok(good, "runtime: a chunk as large as the loop goes to one thread");
}

static bool last(long (*loop)(int, int *))
{
	bool good = true;

	for (int n = 0; n <= 40; n++) {
		int l = -7;
		long sum = loop(n, &l);
		good = good && sum == (long)n * (n - 1) / 2;
	}
	return good;
}

static bool last_up(long (*loop)(int, int *))
{
	bool good = last(loop);

	for (int n = 0; n <= 40; n++) {
		int l = -7;
		loop(n, &l);
		good = good && l == (n > 0 ? 2 * (n - 1) : -7);
	}
	return good;
}

static void clauses(void)
{
	int l = -7;

	ok(last_up(loop_last_default), "lastprivate, reduction");
	ok(last_up(loop_last_static) && last_up(loop_last_dynamic) && last_up(loop_last_guided), "the same by schedule");
	ok(last(loop_last_down) && loop_last_down(9, &l) == 36 && l == 0, "the same downwards");
	ok(loop_first(100, 3) == 5250 && loop_first(0, 3) == 0, "firstprivate");
	ok(loop_collapsed(12, 34) == 34L * 66 * 1000 + 12L * 561, "collapse");
}

/* --- one after another ----------------------------------------------------------------------------------- */

static void sequences(void)
{
	enum { N = 50, ROUNDS = 200, EACH = 9 };
	int v[N] = { 0 }, ran[5] = { 0 };
	bool good = true;

	loop_down_and_up(N, v);
	for (int i = 0; i < N; i++)
		good = good && v[i] == 1 + 100 * ((N - 1 - i) % 3 == 0);
	ok(good, "a guided loop downwards without its barrier, a barrier, a dynamic loop");
	loop_ahead(omp_get_max_threads(), ROUNDS, EACH, ran);
	good = ran[0] == ROUNDS * EACH && ran[1] == ran[0] && ran[2] == ran[0] && ran[3] == 2 * ROUNDS && ran[4] == ROUNDS;
	ok(good, "threads run ahead of others through loops, sections and singles without barriers");
	if (!good)
		diag("%d %d %d %d %d", ran[0], ran[1], ran[2], ran[3], ran[4]);
	memset(v, 0, sizeof(v));
	loop_orphan_in_region(N, v);
	loop_orphan(N, v);
	good = true;
	for (int i = 0; i < N; i++)
		good = good && v[i] == 2;
	ok(good, "an orphaned loop, in a region and outside of one");
}

int main(void)
{
	plan(17);
	schedules();
	threads();
	clauses();
	sequences();
	return done();
}
