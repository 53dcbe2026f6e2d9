/* test/omp/loop_clauses.c -- for: what values variables have within a loop and behind it; simd and loop.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/every.h"

#include <string.h>

#define OMP(...) _Pragma(#__VA_ARGS__)

enum { N = 120 };

static volatile int v_n = N;

/* Each clause under each schedule: with loops of their own, as that is what a schedule changes. */
#define EVERY_SCHEDULE(name, text)                                                                                     \
	ok(name(0) && name##_static_1(0) && name##_dynamic(0) && name##_dynamic_7(0) && name##_guided(0) &&            \
			name##_runtime(0) && name##_monotonic(0),                                                      \
		text)
#define DEFINE(WHAT, name)                                                                                             \
	WHAT(name, schedule(static))                                                                                   \
	WHAT(name##_static_1, schedule(static, 1))                                                                     \
	WHAT(name##_dynamic, schedule(dynamic))                                                                        \
	WHAT(name##_dynamic_7, schedule(nonmonotonic : dynamic, 7))                                                    \
	WHAT(name##_guided, schedule(guided))                                                                          \
	WHAT(name##_runtime, schedule(runtime))                                                                        \
	WHAT(name##_monotonic, schedule(monotonic : dynamic, 2))

struct mark {
	int i;
	char text[12];
};

#define LASTPRIVATE(name, clause)                                                                                      \
	static bool name(int from)                                                                                     \
	{                                                                                                              \
		int i, x = -1, many[3] = {0};                                                                          \
		struct mark m = {-1, ""};                                                                              \
		OMP(omp parallel for clause lastprivate(i, x, many, m))                                                \
		for (i = from; i < v_n; i++) {                                                                         \
			x = i * 3;                                                                                     \
			many[0] = i;                                                                                   \
			many[2] = i + 2;                                                                               \
			m.i = i;                                                                                       \
			memcpy(m.text, i == v_n - 1 ? "last" : "some", 5);                                             \
		}                                                                                                      \
		return i == N && x == 3 * (N - 1) && many[0] == N - 1 && many[2] == N + 1 && m.i == N - 1 &&           \
			strcmp(m.text, "last") == 0;                                                                   \
	}
DEFINE(LASTPRIVATE, lastprivate)

/* Both: within, the first value; behind, the last. */
#define BOTH(name, clause)                                                                                             \
	static bool name(int from)                                                                                     \
	{                                                                                                              \
		int x = 1000, changed = 0;                                                                             \
		OMP(omp parallel)                                                                                      \
		{                                                                                                      \
			OMP(omp for clause firstprivate(x) lastprivate(x) reduction(+ : changed))                      \
			for (int i = from; i < v_n; i++) {                                                             \
				changed += x < 1000;                                                                   \
				x++;                                                                                   \
				if (i == v_n - 1)                                                                      \
					x = 5;                                                                         \
			}                                                                                              \
		}                                                                                                      \
		return x == 5 && changed == 0;                                                                         \
	}
DEFINE(BOTH, both)

/* What the last of those iterations left that assigned to it. */
#define CONDITIONAL(name, clause)                                                                                      \
	static bool name(int from)                                                                                     \
	{                                                                                                              \
		int x = 77, y = 88;                                                                                    \
		OMP(omp parallel)                                                                                      \
		{                                                                                                      \
			OMP(omp for clause lastprivate(conditional : x, y))                                            \
			for (int i = from; i < v_n; i++) {                                                             \
				if (i % 10 == 3)                                                                       \
					x = i;                                                                         \
				if (i < 0)                                                                             \
					y = i;                                                                         \
			}                                                                                              \
		}                                                                                                      \
		return x == N - 7 && y == 88;                                                                          \
	}
DEFINE(CONDITIONAL, conditional)

#define LINEAR(name, clause)                                                                                           \
	static bool name(int from)                                                                                     \
	{                                                                                                              \
		int x = 10, down = 0, wrong = 0;                                                                       \
		OMP(omp parallel for clause linear(x : 3) linear(down : -1) reduction(+ : wrong))                      \
		for (int i = from; i < v_n; i++) {                                                                     \
			wrong += x != 10 + 3 * i || down != -i;                                                        \
			x += 3;                                                                                        \
			down--;                                                                                        \
		}                                                                                                      \
		return x == 10 + 3 * N && down == -N && wrong == 0;                                                    \
	}
DEFINE(LINEAR, linear)

#define COLLAPSED(name, clause)                                                                                        \
	static bool name(int from)                                                                                     \
	{                                                                                                              \
		int i, j, x = 0;                                                                                       \
		OMP(omp parallel for collapse(2) clause lastprivate(i, j, x))                                          \
		for (i = from; i < 7; i++)                                                                             \
			for (j = 9; j > 0; j -= 2)                                                                     \
				x = i * 100 + j;                                                                       \
		return x == 601 && i == 7 && j == -1;                                                                  \
	}
DEFINE(COLLAPSED, collapsed)

/* Vectors and members at once. */
#define SIMD(name, clause)                                                                                             \
	static bool name(int from)                                                                                     \
	{                                                                                                              \
		static int in[N], out[N];                                                                              \
		int sum = 0, last = 0;                                                                                 \
		for (int i = 0; i < N; i++)                                                                            \
			in[i] = i;                                                                                     \
		memset(out, 0, sizeof(out));                                                                           \
		OMP(omp parallel for simd clause reduction(+ : sum) lastprivate(last))                                 \
		for (int i = from; i < v_n; i++) {                                                                     \
			out[i] += in[i] * 2;                                                                           \
			sum += in[i];                                                                                  \
			last = in[i];                                                                                  \
		}                                                                                                      \
		int wrong = 0;                                                                                         \
		for (int i = 0; i < N; i++)                                                                            \
			wrong += out[i] != 2 * i;                                                                      \
		return wrong == 0 && sum == N * (N - 1) / 2 && last == N - 1;                                          \
	}
DEFINE(SIMD, simd)

static void simd_forms(void)
{
	static int out[N];
	int wrong = 0;

#pragma omp parallel
	{
#pragma omp for simd schedule(simd : dynamic, 5)
		for (int i = 0; i < v_n; i++)
			out[i] += i;
#pragma omp for simd schedule(monotonic, simd : static, 3) safelen(8) nowait
		for (int i = 0; i < v_n; i++)
			out[i]++;
#pragma omp barrier
#pragma omp for simd collapse(2) schedule(guided)
		for (int i = 0; i < 12; i++)
			for (int j = 0; j < 10; j++)
				out[i * 10 + j]++;
	}
	for (int i = 0; i < N; i++)
		wrong += out[i] != i + 2;
	is_int(wrong, 0, "for simd schedule(simd:...), safelen, nowait, collapse(2): each iteration once");
}

static void loop_construct(void)
{
	static int out[N];
	int wrong = 0, sum = 0, last = -1;

#pragma omp parallel
	{
#pragma omp loop
		for (int i = 0; i < v_n; i++)
			out[i] += i;
#pragma omp loop bind(parallel) collapse(2) order(concurrent)
		for (int i = 0; i < 12; i++)
			for (int j = 0; j < 10; j++)
				out[i * 10 + j]++;
	}
#pragma omp parallel loop reduction(+ : sum) lastprivate(last)
	for (last = 0; last < N; last++)
		sum += out[last];
	for (int i = 0; i < N; i++)
		wrong += out[i] != i + 1;
	is_int(wrong, 0, "loop: each iteration once");
	ok(sum == N * (N + 1) / 2 && last == N, "parallel loop reduction lastprivate");
}

static void ordinary(void)
{
	int a = 1, b = 2, wrong = 0, i = 99;

#pragma omp parallel num_threads(4)
	{
#pragma omp for private(a) firstprivate(b) reduction(+ : wrong) schedule(dynamic)
		for (i = 0; i < N; i++) {
			a = i;
			wrong += b < 2;
			b = 2 + i;
			wrong += a != i || b != i + 2;
		}
	}
	ok(wrong == 0 && a == 1 && b == 2, "for private, firstprivate: originals are left alone");
	is_int(i, 99, "for: its variable is private");

	int zero_trip = 3;
	volatile int none = 0;
#pragma omp parallel for lastprivate(conditional : zero_trip)
	for (int j = 0; j < none; j++)
		zero_trip = 4;
	is_int(zero_trip, 3, "for lastprivate(conditional): of no iterations leaves the original");
}

/* With constant bounds and chunks the region and its loop begin in one call. */
static void combined(void)
{
	int hits[60] = {0}, x = 0;

#define COMBINED(...)                                                                                                  \
	OMP(omp parallel for __VA_ARGS__ lastprivate(x))                                                               \
	for (int i = 0; i < 60; i++) {                                                                                 \
		OMP(omp atomic)                                                                                        \
		hits[i]++;                                                                                             \
		x = i;                                                                                                 \
	}                                                                                                              \
	ok(every_is(hits, 60, 1) && x == 59, "parallel for " #__VA_ARGS__);                                            \
	memset(hits, 0, sizeof(hits));                                                                                 \
	x = 0;
	COMBINED(schedule(dynamic))
	COMBINED(schedule(dynamic, 4) num_threads(3))
	COMBINED(schedule(monotonic : dynamic, 4) proc_bind(close))
	COMBINED(schedule(guided, 2) num_threads(5))
	COMBINED(schedule(monotonic : guided))
	COMBINED(schedule(runtime) num_threads(2))
	COMBINED(schedule(monotonic : runtime) if (1))
	COMBINED(schedule(nonmonotonic : runtime) num_threads(4))
	COMBINED(schedule(dynamic, 4) if (x))
	COMBINED(schedule(static, 4) num_threads(3))

	int again = 0;
	for (int r = 0; r < every_scaled(300); r++) {
#pragma omp parallel for schedule(dynamic) reduction(+ : again)
		for (int i = 0; i < 8; i++)
			again++;
	}
	is_int(again, 8 * every_scaled(300), "parallel for schedule(dynamic): again and again");
}

/* A second loop in a region whose first came with it. */
static void behind_combined(void)
{
	int first = 0, second = 0, third = 0;

#pragma omp parallel for schedule(dynamic) num_threads(4) reduction(+ : first, second, third)
	for (int i = 0; i < 20; i++) {
		first++;
#pragma omp parallel for schedule(dynamic) reduction(+ : second, third)
		for (int j = 0; j < 10; j++) {
			second++;
#pragma omp parallel for schedule(guided) reduction(+ : third)
			for (int k = 0; k < 3; k++)
				third++;
		}
	}
	ok(first == 20 && second == 200 && third == 600, "parallel for: three levels, each with its loop");
}

int main(void)
{
	plan(6 + 1 + 2 + 3 + 11 + 1);
	omp_set_dynamic(0);
	EVERY_SCHEDULE(lastprivate, "for lastprivate: what the last iteration left, under every schedule");
	EVERY_SCHEDULE(both, "for firstprivate lastprivate: one variable");
	EVERY_SCHEDULE(conditional, "for lastprivate(conditional): what the last assignment left");
	EVERY_SCHEDULE(linear, "for linear: in step with the iterations");
	EVERY_SCHEDULE(collapsed, "for collapse(2) lastprivate: the variables of both loops");
	EVERY_SCHEDULE(simd, "for simd reduction lastprivate");
	simd_forms();
	loop_construct();
	ordinary();
	combined();
	behind_combined();
	return done();
}
