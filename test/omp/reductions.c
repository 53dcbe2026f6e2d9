/* test/omp/reductions.c -- reduction: every operator on every type, arrays, one's own operators, scans.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Values are such that every order of combination gives the same, in floating point too.
 */
#include "omp/every.h"

#include <complex.h>
#include <float.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

#define OMP(...) _Pragma(#__VA_ARGS__)

enum { N = 200 };

/* sum, difference, product, least, greatest: for numbers of type T that begin with an original value. */
#define ARITHMETIC(T, least_of_all, greatest_of_all)                                                                   \
	do {                                                                                                           \
		T sum = 3, difference = 3, product = 3, least = greatest_of_all, greatest = least_of_all;              \
		T want_sum = 3;                                                                                        \
		OMP(omp parallel for schedule(dynamic, 3)                                                              \
			reduction(+ : sum) reduction(- : difference) reduction(* : product)                            \
			reduction(min : least) reduction(max : greatest))                                              \
		for (int i = 0; i < N; i++) {                                                                          \
			const T x = (T)((i * 37 + 5) % 120);                                                           \
			sum += (T)(i % 5);                                                                             \
			difference -= (T)(i % 5);                                                                      \
			if (i % 50 == 7)                                                                               \
				product *= 2;                                                                          \
			if (x < least)                                                                                 \
				least = x;                                                                             \
			if (x > greatest)                                                                              \
				greatest = x;                                                                          \
		}                                                                                                      \
		for (int i = 0; i < N; i++)                                                                            \
			want_sum += (T)(i % 5);                                                                        \
		ok(sum == want_sum, "reduction(+): " #T);                                                              \
		ok(difference == (T)(6 - want_sum), "reduction(-): " #T);                                              \
		ok(product == 48, "reduction(*): " #T);                                                                \
		ok(least == 0 && greatest == 119, "reduction(min), reduction(max): " #T);                              \
	} while (0)

#define BITWISE(T)                                                                                                     \
	do {                                                                                                           \
		T all = (T)~(T)0, any = 1, odd = 1;                                                                    \
		int and_ = 1, or_ = 0, and_0 = 1;                                                                      \
		OMP(omp parallel for schedule(static, 1) reduction(& : all) reduction(| : any) reduction(^ : odd)      \
			reduction(&& : and_, and_0) reduction(|| : or_))                                               \
		for (int i = 0; i < N; i++) {                                                                          \
			all &= (T) ~(T)(1u << i % 5);                                                                  \
			any |= (T)(1u << i % 7);                                                                       \
			odd ^= (T)(i & 0x3f);                                                                          \
			and_ = and_ && i >= 0;                                                                         \
			and_0 = and_0 && i != 150;                                                                     \
			or_ = or_ || i == 150;                                                                         \
		}                                                                                                      \
		T want_odd = 1;                                                                                        \
		for (int i = 0; i < N; i++)                                                                            \
			want_odd ^= (T)(i & 0x3f);                                                                     \
		ok(all == (T) ~(T)0x1f, "reduction(&): " #T);                                                          \
		ok(any == 0x7f, "reduction(|): " #T);                                                                  \
		ok(odd == want_odd, "reduction(^): " #T);                                                              \
		ok(and_ && !and_0 && or_, "reduction(&&), reduction(||): beside " #T);                                 \
	} while (0)

static void operators_and_types(void)
{
	ARITHMETIC(signed char, SCHAR_MIN, SCHAR_MAX);
	ARITHMETIC(short, SHRT_MIN, SHRT_MAX);
	ARITHMETIC(int, INT_MIN, INT_MAX);
	ARITHMETIC(long, LONG_MIN, LONG_MAX);
	ARITHMETIC(long long, LLONG_MIN, LLONG_MAX);
	ARITHMETIC(unsigned char, 0, UCHAR_MAX);
	ARITHMETIC(unsigned short, 0, USHRT_MAX);
	ARITHMETIC(unsigned, 0, UINT_MAX);
	ARITHMETIC(uint64_t, 0, UINT64_MAX);
	ARITHMETIC(float, -FLT_MAX, FLT_MAX);
	ARITHMETIC(double, -DBL_MAX, DBL_MAX);
	ARITHMETIC(long double, -LDBL_MAX, LDBL_MAX);
	BITWISE(unsigned char);
	BITWISE(short);
	BITWISE(int);
	BITWISE(uint64_t);
}

static void complex_numbers(void)
{
	double _Complex sum = 1, product = 1;

#pragma omp parallel for reduction(+ : sum) reduction(* : product)
	for (int i = 0; i < N; i++) {
		sum += i - 2.0 * i * I;
		if (i % 25 == 3)
			product *= I;
	}
	const double want = N * (N - 1) / 2;
	ok(creal(sum) == 1 + want && cimag(sum) == -2 * want && product == 1, "reduction(+), reduction(*): complex");
}

/* Where the clause stands. */
static void places(void)
{
	long a = 10, b = 20, c = 30;
	int members = 0, parts = 0;

#pragma omp parallel reduction(+ : a, members)
	{
		a += omp_get_thread_num() + 1;
		members++;
	}
	is_int(a, 10 + members * (members + 1) / 2, "parallel reduction: each member's once");

#pragma omp parallel
	{
#pragma omp for reduction(+ : b)
		for (int i = 0; i < N; i++)
			b += i;
#pragma omp for reduction(+ : c) nowait
		for (int i = 0; i < N; i++)
			c += b == 20 + N * (N - 1) / 2;
#pragma omp sections reduction(+ : parts)
		{
			parts += 1;
#pragma omp section
			parts += 10;
#pragma omp section
			parts += 100;
		}
	}
	is_int(b, 20 + N * (N - 1) / 2, "for reduction: in a region, and seen behind the loop");
	is_int(c, 30 + N, "for reduction nowait: seen behind the region");
	is_int(parts, 111, "sections reduction: each section's once");

	int again = 0;
	for (int r = 0; r < every_scaled(100); r++) {
#pragma omp parallel for reduction(+ : again)
		for (int i = 0; i < 10; i++)
			again++;
	}
	is_int(again, 10 * every_scaled(100), "parallel for reduction: again and again");

	int simd = 0;
#pragma omp parallel for simd reduction(+ : simd)
	for (int i = 0; i < N; i++)
		simd += i;
	is_int(simd, N * (N - 1) / 2, "parallel for simd reduction");

	int none = 7;
	volatile int zero = 0;
#pragma omp parallel for reduction(* : none)
	for (int i = 0; i < zero; i++)
		none = 0;
	is_int(none, 7, "for reduction: of no iterations leaves the original");

	long scoped = 1;
	int in_scope = 0;
#pragma omp parallel
	{
#pragma omp scope reduction(+ : scoped)
		scoped += 2;
#pragma omp atomic
		in_scope += scoped;
	}
	ok(scoped == 1 + 2 * omp_get_max_threads() && in_scope == omp_get_max_threads() * scoped, "scope reduction");
}

static void arrays(int n)
{
	long whole[6] = {1, 1, 1, 1, 1, 1}, part[10] = {0}, vla[n], grid[3][4] = {{0}};
	long *heap = calloc((size_t)n, sizeof(*heap));
	int wrong = 0;

	if (!heap)
		bail_out("out of memory");
	memset(vla, 0, sizeof(vla));
#pragma omp parallel for reduction(+ : whole, grid) reduction(+ : part[2 : 5], vla, heap[ : n])
	for (int i = 0; i < N; i++) {
		whole[i % 6] += i;
		part[2 + i % 5] += i;
		vla[i % n] += i;
		heap[i % n] += 2 * i;
		grid[i % 3][i % 4] += i;
	}
	long want_whole[6] = {1, 1, 1, 1, 1, 1}, want_part[10] = {0}, want_vla[n], want_grid[3][4] = {{0}};
	memset(want_vla, 0, sizeof(want_vla));
	for (int i = 0; i < N; i++) {
		want_whole[i % 6] += i;
		want_part[2 + i % 5] += i;
		want_vla[i % n] += i;
		want_grid[i % 3][i % 4] += i;
	}
	for (int i = 0; i < n; i++)
		wrong += vla[i] != want_vla[i] || heap[i] != 2 * want_vla[i];
	ok(memcmp(whole, want_whole, sizeof(whole)) == 0, "reduction: an array");
	ok(memcmp(grid, want_grid, sizeof(grid)) == 0, "reduction: an array of two dimensions");
	ok(memcmp(part, want_part, sizeof(part)) == 0, "reduction: a section of an array, and nothing beside it");
	is_int(wrong, 0, "reduction: an array of variable length and a section behind a pointer");
	free(heap);
}

/* A struct whose combination takes several words, so that a lock is needed. */
struct extent {
	double low, high;
	long count;
	char padding[40];
};

static void extent_join(struct extent *out, const struct extent *in)
{
	if (in->low < out->low)
		out->low = in->low;
	if (in->high > out->high)
		out->high = in->high;
	out->count += in->count;
}

#pragma omp declare reduction(join : struct extent : extent_join(&omp_out, &omp_in)) \
	initializer(omp_priv = (struct extent){1e300, -1e300, 0, ""})
#pragma omp declare reduction(longest : int : omp_out = omp_in > omp_out ? omp_in : omp_out) \
	initializer(omp_priv = omp_orig / 2)

static void ones_own(void)
{
	struct extent e = {50, 51, 1000, ""};
	int longest = 8;

#pragma omp parallel for reduction(join : e) schedule(dynamic, 7)
	for (int i = 0; i < N; i++)
		extent_join(&e, &(struct extent){i, i + 0.5, 1, ""});
	ok(e.low == 0 && e.high == N - 0.5 && e.count == 1000 + N, "reduction of one's own: a struct");

	/* Members that end at the same time combine one after another. */
	const int rounds = every_scaled(500);
	int come = 0, regions = 0;
	e.count = 0;
	for (int r = 1; r <= rounds; r++) {
#pragma omp parallel reduction(join : e) reduction(+ : regions)
		{
			every_meet(&come, r * omp_get_num_threads());
			e.count++;
			regions++;
		}
	}
	is_int(e.count, regions, "reduction of one's own: of members that meet");

	struct extent mine[2] = {{50, 51, 0, ""}, {50, 51, 0, ""}};
#pragma omp parallel for reduction(join : mine)
	for (int i = 0; i < N; i++)
		extent_join(&mine[i % 2], &(struct extent){i, i, 1, ""});
	ok(mine[0].count == N / 2 && mine[1].count == N / 2 && mine[0].low == 0 && mine[1].high == N - 1,
		"reduction of one's own: an array of structs");

	int seen_initial = 1;
#pragma omp parallel reduction(longest : longest) reduction(&& : seen_initial)
	seen_initial = seen_initial && longest == 4;
	ok(longest == 8 && seen_initial, "reduction of one's own: the initializer knows the original");
}

static void scans(void)
{
	static long inclusive[N], exclusive[N];
	long sum = 5, before = 5, want = 5;
	int wrong = 0;

#pragma omp parallel for reduction(inscan, + : sum)
	for (int i = 0; i < N; i++) {
		sum += i;
#pragma omp scan inclusive(sum)
		inclusive[i] = sum;
	}
#pragma omp parallel for reduction(inscan, + : before)
	for (int i = 0; i < N; i++) {
		exclusive[i] = before;
#pragma omp scan exclusive(before)
		before += i;
	}
	for (int i = 0; i < N; i++) {
		wrong += exclusive[i] != want;
		want += i;
		wrong += inclusive[i] != want;
	}
	is_int(wrong, 0, "scan: inclusive and exclusive");
	ok(sum == want && before == want, "reduction(inscan): the whole is there behind the loop");

	static double running[N];
	double most = -1;
	wrong = 0;
#pragma omp parallel
	{
#pragma omp for reduction(inscan, max : most)
		for (int i = 0; i < N; i++) {
			most = i * 37 % 101 > most ? i * 37 % 101 : most;
#pragma omp scan inclusive(most)
			running[i] = most;
		}
	}
	double want_most = -1;
	for (int i = 0; i < N; i++) {
		want_most = i * 37 % 101 > want_most ? i * 37 % 101 : want_most;
		wrong += running[i] != want_most;
	}
	is_int(wrong, 0, "scan: max, in a region");
}

int main(void)
{
	plan(12 * 4 + 4 * 4 + 1 + 8 + 4 + 4 + 3);
	omp_set_dynamic(0);
	operators_and_types();
	complex_numbers();
	places();
	arrays(17);
	ones_own();
	scans();
	return done();
}
