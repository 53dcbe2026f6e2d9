/* test/omp/ordered.c -- ordered: one iteration after another; with depend(source) and depend(sink): as they depend.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/every.h"
#include "omp/space.h"

#include <limits.h>

#define OMP(...) _Pragma(#__VA_ARGS__)

static volatile int v_0 = 0, v_3 = 3, v_60 = 60;

/* What comes before and after the ordered region is anybody's; what is in it is one iteration's after another. */
#define ONE(clause, ...)                                                                                               \
	OMP(omp parallel for clause)                                                                                   \
	__VA_ARGS__                                                                                                    \
	{                                                                                                              \
		const unsigned long long here = (unsigned long long)i;                                                 \
		OMP(omp ordered)                                                                                       \
		space_visit(here);                                                                                     \
	}                                                                                                              \
	space_compare(true);

#define EVERY(text, ...)                                                                                               \
	do {                                                                                                           \
		space_begin();                                                                                         \
		__VA_ARGS__ space_expect((unsigned long long)i);                                                       \
		ONE(ordered, __VA_ARGS__)                                                                              \
		ONE(ordered schedule(static), __VA_ARGS__)                                                             \
		ONE(ordered schedule(static, 1), __VA_ARGS__)                                                          \
		ONE(ordered schedule(static, 5), __VA_ARGS__)                                                          \
		ONE(ordered schedule(dynamic), __VA_ARGS__)                                                            \
		ONE(ordered schedule(dynamic, 4), __VA_ARGS__)                                                         \
		ONE(ordered schedule(dynamic, v_3), __VA_ARGS__)                                                       \
		ONE(ordered schedule(guided), __VA_ARGS__)                                                             \
		ONE(ordered schedule(guided, 3), __VA_ARGS__)                                                          \
		ONE(ordered schedule(auto), __VA_ARGS__)                                                               \
		ONE(ordered schedule(runtime), __VA_ARGS__)                                                            \
		ok(space_good(), "for ordered: " text);                                                                \
	} while (0)

static void spaces(void)
{
	EVERY("an int", for (int i = 0; i < 60; i++));
	EVERY("an int, bounds unknown", for (int i = v_0; i < v_60; i++));
	EVERY("an int, down by 3", for (int i = v_60; i > v_0; i -= v_3));
	EVERY("a long", for (long i = -5000000000; i < 5000000000; i += 200000000));
	EVERY("an unsigned long long", for (unsigned long long i = (unsigned)v_0; i < (unsigned)v_60; i++));
	EVERY("an unsigned long long, down", for (unsigned long long i = 120; i > (unsigned)v_60; i -= 2));
	EVERY("an unsigned long long at its end", for (unsigned long long i = ULLONG_MAX - 50; i < ULLONG_MAX; i++));
	EVERY("no iteration", for (int i = v_60; i < v_3; i++));
	EVERY("one iteration", for (int i = v_0; i < v_3; i += v_60));
}

static void set_schedules(void)
{
	static const struct {
		omp_sched_t kind;
		int chunk;
	} kinds[] = {{omp_sched_static, 0}, {omp_sched_static, 2}, {omp_sched_dynamic, 1}, {omp_sched_dynamic, 7},
		{omp_sched_guided, 2}, {omp_sched_auto, 0}};

	space_begin();
	for (int i = v_0; i < v_60; i++)
		space_expect((unsigned long long)i);
	for (int k = 0; k < 4; k++) {
		omp_set_schedule(kinds[k].kind, kinds[k].chunk);
		ONE(ordered schedule(runtime), for (int i = v_0; i < v_60; i++))
	}
	omp_set_schedule(omp_sched_dynamic, 1);
	ok(space_good(), "for ordered schedule(runtime): with each kind that can be set");
}

/* An iteration may leave its region out: those behind it go on. */
static void left_out(int which, const char *what)
{
	space_begin();
	for (int i = 0; i < 60; i++)
		if (i % 4 == which)
			space_expect((unsigned long long)i);
#define LEFT_OUT(clause)                                                                                               \
	OMP(omp parallel for ordered clause)                                                                           \
	for (int i = v_0; i < v_60; i++)                                                                               \
		if (i % 4 == which) {                                                                                  \
			OMP(omp ordered)                                                                               \
			space_visit((unsigned long long)i);                                                            \
		}                                                                                                      \
	space_compare(true);
	LEFT_OUT(schedule(static))
	LEFT_OUT(schedule(static, 1))
	LEFT_OUT(schedule(static, 2))
	LEFT_OUT(schedule(dynamic))
	LEFT_OUT(schedule(dynamic, 3))
	LEFT_OUT(schedule(guided))
	ok(space_good(), "ordered: %s", what);
}

static void in_a_function(int i)
{
#pragma omp ordered
	space_visit((unsigned long long)i);
}

static void orphaned(void)
{
	space_begin();
	for (int i = 0; i < 60; i++)
		space_expect((unsigned long long)i);
#pragma omp parallel
	{
#pragma omp for ordered schedule(dynamic, 2)
		for (int i = v_0; i < v_60; i++)
			in_a_function(i);
	}
	space_compare(true);
	ok(space_good(), "ordered: in a function that the loop calls");
}

static void collapsed(void)
{
	space_begin();
	for (int i = 0; i < 6; i++)
		for (int j = 10; j > 0; j -= 3)
			space_expect((unsigned long long)(i * 100 + j));
#pragma omp parallel for collapse(2) ordered schedule(dynamic)
	for (int i = 0; i < 6; i++)
		for (int j = 10; j > 0; j -= 3) {
#pragma omp ordered
			space_visit((unsigned long long)(i * 100 + j));
		}
	space_compare(true);
	ok(space_good(), "for collapse(2) ordered: in the order of both loops");
}

/* Memory goes on from region to region with the turn. */
static void hand_on(void)
{
	unsigned long list = 1, want = 1;
	const int n = every_scaled(400);

	for (int i = 0; i < n; i++)
		want = want * 31 + (unsigned long)i;
#pragma omp parallel for ordered schedule(static, 1)
	for (int i = 0; i < n; i++) {
#pragma omp ordered
		list = list * 31 + (unsigned long)i;
	}
	ok(list == want, "ordered: each sees what those before it wrote");
}

/* Who is through with a loop may be two loops on while others still wait for their turn in it. */
#define IN_A_ROW(text, first, second)                                                                                  \
	do {                                                                                                           \
		int next[2] = {0}, wrong = 0;                                                                          \
		const int n = every_scaled(50);                                                                        \
		OMP(omp parallel reduction(+ : wrong))                                                                 \
		for (int l = 0; l < 10; l++) {                                                                         \
			OMP(omp for ordered first nowait)                                                              \
			for (int i = 0; i < n; i++) {                                                                  \
				OMP(omp ordered)                                                                       \
				wrong += next[0]++ % n != i;                                                           \
			}                                                                                              \
			OMP(omp for ordered second)                                                                    \
			for (int i = 0; i < n; i++) {                                                                  \
				OMP(omp ordered)                                                                       \
				wrong += next[1]++ % n != i;                                                           \
			}                                                                                              \
		}                                                                                                      \
		ok(wrong == 0 && next[0] == 10 * n && next[1] == 10 * n, "for ordered: twenty loops in a row, " text); \
	} while (0)

static void one_after_another(void)
{
	IN_A_ROW("half nowait", schedule(dynamic), schedule(dynamic, 2));
	if (on_oracle())
		skip(1, "in GCC's library a static loop lets threads in that wait for their turn in the loop before it");
	else
		IN_A_ROW("each second one static", schedule(dynamic), schedule(static, 2));
}

static void threads_and_outside(void)
{
	int order = 0, wrong = 0;

#pragma omp parallel for ordered
	for (int i = 0; i < 30; i++) {
#pragma omp ordered threads
		wrong += order++ != i;
	}
	is_int(wrong, 0, "ordered threads: likewise");

	order = 0;
#pragma omp for ordered schedule(dynamic)
	for (int i = 0; i < v_60; i++) {
#pragma omp ordered
		wrong += order++ != i;
	}
	ok(wrong == 0 && order == 60, "for ordered: outside of any region");
}

/* Doacross.  A chain in which each iteration adds to what another left. */
#define CHAIN(T, name, clause, ...)                                                                                    \
	static int name(T first, T n)                                                                                  \
	{                                                                                                              \
		static long value[600];                                                                                \
		int wrong = 0;                                                                                         \
		memset(value, 0, sizeof(value));                                                                       \
		OMP(omp parallel for ordered(1) clause)                                                                \
		for (T i = first; i < first + n; i++) {                                                                \
			OMP(omp ordered depend(sink : i - 3) depend(sink : i - 1))                                     \
			value[i] = 1 + (i > first ? value[i - 1] : 0) + (i >= first + 3 ? value[i - 3] : 0);           \
			OMP(omp ordered depend(source))                                                                \
		}                                                                                                      \
		for (T i = first; i < first + n; i++)                                                                  \
			wrong += value[i] != 1 + (i > first ? value[i - 1] : 0) +                                      \
				(i >= first + 3 ? value[i - 3] : 0);                                                   \
		return wrong;                                                                                          \
	}

CHAIN(int, chain, )
CHAIN(int, chain_static, schedule(static))
CHAIN(int, chain_static_1, schedule(static, 1))
CHAIN(int, chain_dynamic, schedule(dynamic))
CHAIN(int, chain_dynamic_4, schedule(dynamic, 4))
CHAIN(int, chain_guided, schedule(guided))
CHAIN(int, chain_runtime, schedule(runtime))
CHAIN(unsigned long long, chain_ull, schedule(dynamic, 2))
CHAIN(unsigned long long, chain_ull_static, schedule(static, 1))
CHAIN(unsigned long long, chain_ull_guided, schedule(guided))
CHAIN(unsigned long long, chain_ull_runtime, schedule(runtime))

static void chains(void)
{
#define CHAINS(text, name)                                                                                             \
	ok(name(5, 0) == 0 && name(5, 1) == 0 && name(5, 2) == 0 && name(10, 12) == 0, "for ordered(1) " text)
	CHAINS("sink: i-1, i-3", chain);
	CHAINS("schedule(static)", chain_static);
	CHAINS("schedule(static,1)", chain_static_1);
	CHAINS("schedule(dynamic)", chain_dynamic);
	CHAINS("schedule(dynamic,4)", chain_dynamic_4);
	CHAINS("schedule(guided)", chain_guided);
	CHAINS("schedule(runtime)", chain_runtime);
	omp_sched_t kind;
	int chunk;
	omp_get_schedule(&kind, &chunk);
	omp_set_schedule(omp_sched_auto, 0);
	CHAINS("schedule(runtime), which is left to the library", chain_runtime);
	omp_set_schedule(kind, chunk);
	CHAINS("schedule(dynamic,2): unsigned long long", chain_ull);
	CHAINS("schedule(static,1): unsigned long long", chain_ull_static);
	CHAINS("schedule(guided): unsigned long long", chain_ull_guided);
	CHAINS("schedule(runtime): unsigned long long", chain_ull_runtime);
}

static void backwards(void)
{
	long value[61] = {0};
	int wrong = 0;

#pragma omp parallel for ordered(1) schedule(dynamic)
	for (int i = 60; i > v_0; i -= 2) {
#pragma omp ordered depend(sink : i + 4)
		value[i] = i + 4 <= 60 ? value[i + 4] + 1 : 1;
#pragma omp ordered depend(source)
	}
	for (int i = 60; i > 0; i -= 2)
		wrong += value[i] != (60 - i) / 4 + 1;
	is_int(wrong, 0, "for ordered(1): down, sink: i+4");
}

enum { SIDE = 5 };

/* Numbers of paths through a grid: each place is the sum of those above and to the left. */
#define GRID(name, clause)                                                                                             \
	static bool name(int rows, int columns)                                                                        \
	{                                                                                                              \
		static unsigned long paths[SIDE][SIDE], want[SIDE][SIDE];                                              \
		memset(paths, 0, sizeof(paths));                                                                       \
		memset(want, 0, sizeof(want));                                                                         \
		for (int i = 0; i < rows; i++)                                                                         \
			for (int j = 0; j < columns; j++)                                                              \
				want[i][j] = i && j ? want[i - 1][j] + want[i][j - 1] : 1;                             \
		OMP(omp parallel for clause)                                                                           \
		for (int i = 0; i < rows; i++)                                                                         \
			for (int j = 0; j < columns; j++) {                                                            \
				OMP(omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1))                       \
				paths[i][j] = i && j ? paths[i - 1][j] + paths[i][j - 1] : 1;                          \
				OMP(omp ordered depend(source))                                                        \
			}                                                                                              \
		return memcmp(paths, want, sizeof(want)) == 0;                                                         \
	}

GRID(grid_static, ordered(2) schedule(static))
GRID(grid_static_1, ordered(2) schedule(static, 1))
GRID(grid_dynamic, ordered(2) schedule(dynamic))
GRID(grid_guided, ordered(2) schedule(guided))
GRID(grid_runtime, ordered(2) schedule(runtime))
GRID(grid_collapsed, collapse(2) ordered(2) schedule(dynamic))
GRID(grid_collapsed_2, collapse(2) ordered(2) schedule(static, 3))

static void grids(void)
{
#define GRIDS(text, name) ok(name(SIDE, SIDE) && name(1, 1) && name(0, 5) && name(5, 0) && name(3, 2), "for " text)
	GRIDS("ordered(2) schedule(static): a grid", grid_static);
	GRIDS("ordered(2) schedule(static,1): a grid", grid_static_1);
	GRIDS("ordered(2) schedule(dynamic): a grid", grid_dynamic);
	GRIDS("ordered(2) schedule(guided): a grid", grid_guided);
	GRIDS("ordered(2) schedule(runtime): a grid", grid_runtime);
	GRIDS("collapse(2) ordered(2): a grid, by places", grid_collapsed);
	GRIDS("collapse(2) ordered(2) schedule(static,3): a grid", grid_collapsed_2);
}

static void three_dimensions(void)
{
	static long value[3][3][4];
	int wrong = 0;

#pragma omp parallel for collapse(2) ordered(3) schedule(dynamic, 2)
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			for (int k = 0; k < 4; k++) {
#pragma omp ordered depend(sink : i - 1, j, k) depend(sink : i, j - 1, k + 1) depend(sink : i, j, k - 1)
				value[i][j][k] = 1 + (i ? value[i - 1][j][k] : 0) +
					(j && k < 3 ? value[i][j - 1][k + 1] : 0) + (k ? value[i][j][k - 1] : 0);
#pragma omp ordered depend(source)
			}
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			for (int k = 0; k < 4; k++)
				wrong += value[i][j][k] != 1 + (i ? value[i - 1][j][k] : 0) +
					(j && k < 3 ? value[i][j - 1][k + 1] : 0) + (k ? value[i][j][k - 1] : 0);
	is_int(wrong, 0, "for collapse(2) ordered(3): three dimensions");
}

/* What comes before sink and after source runs at the same time as other iterations; here nothing waits for it. */
static void early_source(void)
{
	int value[20], wrong = 0, after = 0;

#pragma omp parallel for ordered(1) schedule(static, 1) reduction(+ : wrong, after)
	for (int i = 0; i < 20; i++) {
		int before = i * 2;

		if (i % 2) {
#pragma omp ordered depend(sink : i - 1)
			wrong += value[i - 1] != (i - 1) * 2;
		}
		value[i] = before;
#pragma omp ordered depend(source)
		after++;
	}
	ok(wrong == 0 && after == 20, "for ordered(1): sinks in some iterations only, work behind source");
}

int main(void)
{
	plan(9 + 1 + 3 + 7 + 12 + 1 + 7 + 2);
	omp_set_dynamic(0);
	spaces();
	set_schedules();
	left_out(0, "iterations that leave it out hold up nobody");
	left_out(3, "the first of which leave it out too");
	left_out(9, "nor if all do");
	orphaned();
	collapsed();
	hand_on();
	one_after_another();
	threads_and_outside();
	chains();
	backwards();
	grids();
	three_dimensions();
	early_source();
	return done();
}
