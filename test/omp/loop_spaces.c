/* test/omp/loop_spaces.c -- for: variables of every type, up and down, at the ends of their ranges, or of none.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each loop is tried under several schedules, as `parallel for` and as `for` in a region: with constant bounds these
 * are different calls of the library.
 */
#include "omp/every.h"
#include "omp/space.h"

#include <limits.h>

#define OMP(...) _Pragma(#__VA_ARGS__)

#define TWICE(clause, ...)                                                                                             \
	OMP(omp parallel for clause)                                                                                   \
	__VA_ARGS__ space_visit((unsigned long long)i);                                                                \
	space_compare(false);                                                                                          \
	OMP(omp parallel)                                                                                              \
	{                                                                                                              \
		OMP(omp for clause)                                                                                    \
		__VA_ARGS__ space_visit((unsigned long long)i);                                                        \
	}                                                                                                              \
	space_compare(false);

#define EVERY(text, ...)                                                                                               \
	do {                                                                                                           \
		space_begin();                                                                                         \
		__VA_ARGS__ space_expect((unsigned long long)i);                                                       \
		TWICE(, __VA_ARGS__)                                                                                   \
		TWICE(schedule(static, 3), __VA_ARGS__)                                                                \
		TWICE(schedule(dynamic), __VA_ARGS__)                                                                  \
		TWICE(schedule(dynamic, 300), __VA_ARGS__)                                                             \
		TWICE(schedule(monotonic : dynamic, 3), __VA_ARGS__)                                                   \
		TWICE(schedule(guided), __VA_ARGS__)                                                                   \
		TWICE(schedule(monotonic : guided, 4), __VA_ARGS__)                                                    \
		TWICE(schedule(runtime), __VA_ARGS__)                                                                  \
		TWICE(schedule(monotonic : runtime), __VA_ARGS__)                                                      \
		TWICE(schedule(nonmonotonic : runtime), __VA_ARGS__)                                                   \
		ok(space_good(), "for: " text);                                                                        \
	} while (0)

/* What the compiler cannot know. */
static volatile int v_0 = 0, v_1 = 1, v_7 = 7, v_100 = 100;
static volatile long v_long_max = LONG_MAX, v_long_min = LONG_MIN;
static volatile unsigned long long v_ull_max = ULLONG_MAX;

/* Not an unsigned int that counts down: of that GCC 12 makes a loop of no iterations. */
static void types(void)
{
	EVERY("an int", for (int i = 0; i < 100; i++));
	EVERY("an int, down", for (int i = 100; i > 0; i--));
	EVERY("an int from below zero, by 7", for (int i = -50; i <= 50; i += 7));
	EVERY("an int to below zero, by -7", for (int i = 50; i >= -50; i -= 7));
	EVERY("an int, bounds and step unknown", for (int i = v_0; i < v_100; i += v_7));
	EVERY("an int, down, bounds and step unknown", for (int i = v_100; i > v_0; i -= v_7));
	EVERY("a short", for (short i = -20; i < 20; i++));
	EVERY("an unsigned char", for (unsigned char i = 3; i < 200; i = (unsigned char)(i + 5)));
	EVERY("an unsigned", for (unsigned i = 0; i < 100; i += 3));
	EVERY("a long", for (long i = -1000000000000; i < 1000000000000; i += 33333333333));
	EVERY("a long, down", for (long i = 1000000000000; i > -1000000000000; i -= 33333333333));
	EVERY("an unsigned long", for (unsigned long i = v_0; i < (unsigned long)v_100; i++));
	EVERY("an unsigned long, down", for (unsigned long i = (unsigned long)v_100; i > (unsigned long)v_0; i--));
	EVERY("an unsigned long long", for (unsigned long long i = 5; i < 500; i += 5));
	EVERY("an unsigned long long, down", for (unsigned long long i = 490; i >= 7; i -= 7));
	EVERY("a size_t up to one that is found out", for (size_t i = 0; i < (size_t)v_100; i += (size_t)v_7));
	EVERY("until it is no longer unequal", for (int i = v_0; i != v_100; i++));
	EVERY("until it is no longer unequal, down", for (int i = v_100; i != v_0; i--));
}

static void ends_of_ranges(void)
{
	EVERY("an int below INT_MAX", for (int i = INT_MAX - 40; i < INT_MAX - 3; i += 3));
	EVERY("an int above INT_MIN", for (int i = INT_MIN + 40; i > INT_MIN + 3; i -= 3));
	EVERY("an unsigned below UINT_MAX", for (unsigned i = UINT_MAX - 40; i < UINT_MAX - 3; i += 3));
	EVERY("a long below LONG_MAX", for (long i = v_long_max - 40; i < v_long_max - 3; i += 3));
	EVERY("a long above LONG_MIN", for (long i = v_long_min + 40; i > v_long_min + 3; i -= 3));
	EVERY("an unsigned long long below its greatest",
		for (unsigned long long i = v_ull_max - 40; i < v_ull_max - 3; i += 3));
	EVERY("an unsigned long long through all its range",
		for (unsigned long long i = 0; i < v_ull_max - (1ull << 59); i += 1ull << 59));
	EVERY("an unsigned long long down through all its range",
		for (unsigned long long i = v_ull_max; i > 1ull << 59; i -= 1ull << 59));
}

static void nothing(void)
{
	EVERY("no iteration, equal bounds", for (int i = v_7; i < v_7; i++));
	EVERY("no iteration, crossed bounds", for (int i = v_100; i < v_7; i++));
	EVERY("no iteration, down", for (int i = v_7; i > v_100; i--));
	EVERY("no iteration, unsigned", for (unsigned i = (unsigned)v_100; i < (unsigned)v_7; i++));
	EVERY("no iteration, unsigned long long",
		for (unsigned long long i = (unsigned long long)v_100; i < (unsigned long long)v_7; i++));
	EVERY("no iteration, unsigned long long, down",
		for (unsigned long long i = (unsigned long long)v_7; i > (unsigned long long)v_100; i--));
	EVERY("no iteration, constants", for (int i = 3; i < 3; i++));
	EVERY("one iteration", for (int i = v_0; i < v_1; i++));
	EVERY("one iteration, a step across the bound", for (int i = v_0; i < v_7; i += v_100));
}

static void pointers(void)
{
	static double field[200];
	double *const end = field + 180;
	int wrong = 0;

#define EACH(clause, first, last, step)                                                                                \
	do {                                                                                                           \
		memset(field, 0, sizeof(field));                                                                       \
		OMP(omp parallel for clause)                                                                           \
		for (double *p = field + first; p < last; p += step)                                                   \
			*p += 1;                                                                                       \
		for (int i = 0; i < 200; i++)                                                                          \
			wrong += field[i] != (i >= first && field + i < last && (i - first) % step == 0);              \
	} while (0)
	EACH(, 0, end, 1);
	EACH(schedule(dynamic, 7), 3, end, 4);
	EACH(schedule(guided), 0, end, 3);
	EACH(schedule(runtime), 1, field + 2, 1);

	memset(field, 0, sizeof(field));
#pragma omp parallel for schedule(dynamic)
	for (double *p = end - 1; p >= field; p -= 2)
		*p += 1;
	for (int i = 0; i < 180; i++)
		wrong += field[i] != i % 2;
	is_int(wrong, 0, "for: a pointer, up and down");
}

static void collapsed(void)
{
	enum { A = 5, B = 7, C = 4 };

#define PLACE(i, j, k) ((unsigned long long)(((i) * 100 + (j)) * 100 + (k)))
#define COLLAPSE(clause, ...)                                                                                          \
	OMP(omp parallel for clause)                                                                                   \
	__VA_ARGS__ space_visit(PLACE(i, j, k));                                                                       \
	space_compare(false);
#define RECTANGLES(text, clause, ...)                                                                                  \
	do {                                                                                                           \
		const int k_most = C;                                                                                  \
		space_begin();                                                                                         \
		__VA_ARGS__ space_expect(PLACE(i, j, k));                                                              \
		COLLAPSE(clause schedule(static, 2), __VA_ARGS__)                                                      \
		COLLAPSE(clause schedule(dynamic, 3), __VA_ARGS__)                                                     \
		COLLAPSE(clause schedule(guided), __VA_ARGS__)                                                         \
		COLLAPSE(clause schedule(runtime), __VA_ARGS__)                                                        \
		ok(space_good() && k_most == C, "for " text);                                                          \
	} while (0)

	RECTANGLES("collapse(2): three loops, of which two are shared", collapse(2),
		for (int i = 0; i < A; i++) for (int j = B; j > 0; j--) for (int k = 0; k < k_most; k++));
	RECTANGLES("collapse(3): of three types", collapse(3),
		for (unsigned i = 1; i < A; i += 2) for (long j = -(v_0); j < v_7; j++)
			for (short k = C - 1; k >= 0; k--));
	RECTANGLES("collapse(3): of unsigned long long", collapse(3),
		for (unsigned long long i = 0; i < (unsigned)v_7; i++) for (int j = 0; j < v_7; j += 3)
			for (unsigned long k = (unsigned)k_most; k > (unsigned)v_0; k--));
	RECTANGLES("collapse(2): the inner one empty", collapse(2),
		for (int i = 0; i < v_7; i++) for (int j = v_7; j < v_7; j++) for (int k = 0; k < k_most; k++));
	RECTANGLES("collapse(2): the outer one empty", collapse(2),
		for (int i = v_7; i < v_7; i++) for (int j = 0; j < v_7; j++) for (int k = 0; k < k_most; k++));
/* Such have no schedule. */
#define TRIANGLES(text, clause, ...)                                                                                   \
	do {                                                                                                           \
		const int k_most = C;                                                                                  \
		space_begin();                                                                                         \
		__VA_ARGS__ space_expect(PLACE(i, j, k));                                                              \
		COLLAPSE(clause, __VA_ARGS__)                                                                          \
		ok(space_good() && k_most == C, "for " text);                                                          \
	} while (0)
	TRIANGLES("collapse(2): a triangle", collapse(2),
		for (int i = 0; i < 2 * A; i++) for (int j = i; j < B + 5; j++) for (int k = 0; k < k_most; k++));
	TRIANGLES("collapse(2): a triangle that becomes empty", collapse(2),
		for (int i = 0; i < 2 * A; i++) for (int j = 0; j < 5 - i; j++) for (int k = 0; k < k_most; k++));
}

int main(void)
{
	plan(18 + 8 + 9 + 1 + 7);
	omp_set_dynamic(0);
	types();
	ends_of_ranges();
	nothing();
	pointers();
	collapsed();
	return done();
}
