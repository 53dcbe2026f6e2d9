/* test/unit/omp_kmpc_atomics.c -- atomic constructs as Intel's code calls them: what each does to 12 by 3, and that it
 * is atomic.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/atomic.h"
#include "omp/abi/kmpc_atomic.h"
#include "omp/abi/kmpc_region.h"
#include "tap.h"

#include <string.h>

/* --- results --------------------------------------------------------------------------------------------- */

/* What an operator's name means: 12 OP 3, and 3 OP 12. */
static const struct meaning {
	const char *name;
	int64_t value, reversed;
} meanings[] = {
	{ "add", 15, 15 }, { "sub", 9, -9 }, { "mul", 36, 36 }, { "div", 4, 0 }, { "andb", 0, 0 }, { "orb", 15, 15 },
	{ "xor", 15, 15 }, { "shl", 96, 12288 }, { "shr", 1, 0 }, { "andl", 1, 1 }, { "orl", 1, 1 }, { "eqv", -16, -16 },
	{ "neqv", 15, 15 }, { "min", 3, 3 }, { "max", 12, 12 },
};

static const struct meaning *meaning_of(const char *name)
{
	for (size_t i = 0; i < sizeof(meanings) / sizeof(*meanings); i++)
		if (strcmp(meanings[i].name, name) == 0)
			return &meanings[i];
	bail_out("an operator %s that this test does not know", name);
}

/* 3 / 12 is a fraction where there are any. */
#define VALUE(type, op) ((type)meaning_of(#op)->value)
#define REVERSED(type, op) (strcmp(#op, "div") == 0 ? (type)3 / (type)12 : (type)meaning_of(#op)->reversed)

static unsigned wrong, calls;

static void check(bool good, const char *call)
{
	calls++;
	wrong += !good;
	if (!good)
		diag("__kmpc_atomic_%s", call);
}

#define CHECK_AS(T, type, etype, op, name, expected) \
	{ \
		type x = 12; \
		__kmpc_atomic_##T##_##name(NULL, 0, &x, (etype)3); \
		check(x == (expected), #T "_" #name); \
	}
#define CHECK_CAPTURE_AS(T, type, etype, op, name, expected) \
	{ \
		type x = 12, y = 12; \
		check(__kmpc_atomic_##T##_##name(NULL, 0, &x, (etype)3, 0) == 12 && x == (expected), #T "_" #name); \
		check(__kmpc_atomic_##T##_##name(NULL, 0, &y, (etype)3, 1) == (expected) && y == (expected), #T "_" #name); \
	}
#define CHECK_OUT_AS(T, type, etype, op, name, expected) \
	{ \
		type x = 12, y = 12, out = 0, late = 0; \
		__kmpc_atomic_##T##_##name(NULL, 0, &x, (etype)3, &out, 0); \
		__kmpc_atomic_##T##_##name(NULL, 0, &y, (etype)3, &late, 1); \
		check(out == 12 && x == (expected) && late == (expected) && y == (expected), #T "_" #name); \
	}

#define CHECK(T, type, etype, op) \
	CHECK_AS(T, type, etype, op, op, VALUE(type, op)) \
	CHECK_CAPTURE_AS(T, type, etype, op, op##_cpt, VALUE(type, op))
#define CHECK_BOTH(T, type, etype, op) \
	CHECK(T, type, etype, op) \
	CHECK_AS(T, type, etype, op, op##_rev, REVERSED(type, op)) \
	CHECK_CAPTURE_AS(T, type, etype, op, op##_cpt_rev, REVERSED(type, op))
#define CHECK_SMALL(T, type, etype, op) \
	CHECK_AS(T, type, etype, op, op, VALUE(type, op)) \
	CHECK_OUT_AS(T, type, etype, op, op##_cpt, VALUE(type, op))
#define CHECK_SMALL_BOTH(T, type, etype, op) \
	CHECK_SMALL(T, type, etype, op) \
	CHECK_AS(T, type, etype, op, op##_rev, REVERSED(type, op)) \
	CHECK_OUT_AS(T, type, etype, op, op##_cpt_rev, REVERSED(type, op))
#define CHECK_BY(T, type, etype, op, name) CHECK_AS(T, type, etype, op, op##_##name, VALUE(type, op))
#define CHECK_QUAD(T, type, op) \
	CHECK_AS(T, type, kmpc_quad, op, op##_fp, VALUE(type, op)) \
	CHECK_CAPTURE_AS(T, type, kmpc_quad, op, op##_cpt_fp, VALUE(type, op))
/* By 60, for 3 - 12 is no unsigned number. */
#define SIXTY_OP_12(op) (strcmp(#op, "sub") == 0 ? 48 : 5)
#define CHECK_QUAD_BOTH(T, type, op) \
	CHECK_QUAD(T, type, op) \
	{ \
		type x = 12, y = 12, z = 12; \
		__kmpc_atomic_##T##_##op##_rev_fp(NULL, 0, &x, 60); \
		check(x == SIXTY_OP_12(op), #T "_" #op "_rev_fp"); \
		check(__kmpc_atomic_##T##_##op##_cpt_rev_fp(NULL, 0, &y, 60, 0) == 12 && y == SIXTY_OP_12(op), #T "_" #op "_cpt_rev_fp"); \
		check(__kmpc_atomic_##T##_##op##_cpt_rev_fp(NULL, 0, &z, 60, 1) == SIXTY_OP_12(op), #T "_" #op "_cpt_rev_fp"); \
	}
#define CHECK_READ_WRITE(T, type) \
	{ \
		type x = 12; \
		check(__kmpc_atomic_##T##_rd(NULL, 0, &x) == 12 && x == 12, #T "_rd"); \
		__kmpc_atomic_##T##_wr(NULL, 0, &x, 3); \
		check(x == 3, #T "_wr"); \
	}
#define CHECK_WHOLE(T, type) \
	CHECK_READ_WRITE(T, type) \
	{ \
		type x = 12; \
		check(__kmpc_atomic_##T##_swp(NULL, 0, &x, 3) == 12 && x == 3, #T "_swp"); \
	}

#define SIGNED_CHECKS(T, type) \
	KMPC_SIGNED_OPS(CHECK, CHECK_BOTH, T, type) \
	KMPC_SIGNED_BY_DOUBLE(CHECK_BY, T, type) \
	CHECK_WHOLE(T, type)
#define UNSIGNED_CHECKS(T, type) KMPC_UNSIGNED_OPS(CHECK, CHECK_BOTH, T, type)
#define FLOAT_CHECKS(T, type) KMPC_FLOAT_OPS(CHECK, CHECK_BOTH, T, type) CHECK_WHOLE(T, type)
#define COMPLEX_CHECKS(T, type) KMPC_COMPLEX_OPS(CHECK, CHECK_BOTH, T, type) CHECK_WHOLE(T, type)
#define SMALL_CHECKS(T, type) KMPC_COMPLEX_OPS(CHECK_SMALL, CHECK_SMALL_BOTH, T, type) CHECK_READ_WRITE(T, type)
#define QUAD_CHECKS(T, type) \
	CHECK_QUAD(T, type, add) CHECK_QUAD(T, type, mul) CHECK_QUAD_BOTH(T, type, sub) CHECK_QUAD_BOTH(T, type, div)

static void signed_integers(void)
{
	int8_t narrow = -128;
	int32_t product = 3;

	KMPC_SIGNED(SIGNED_CHECKS)
	__kmpc_atomic_fixed1_sub(NULL, 0, &narrow, 1);
	check(narrow == 127, "fixed1_sub, which wraps around");
	narrow = -12;
	__kmpc_atomic_fixed1_shr(NULL, 0, &narrow, 2);
	check(narrow == -3, "fixed1_shr, which keeps the sign");
	__kmpc_atomic_fixed4_mul_float8(NULL, 0, &product, 2.5);
	check(product == 7, "fixed4_mul_float8, which multiplies before it rounds");
}

static void unsigned_integers(void)
{
	uint8_t large = 0xf0;

	KMPC_UNSIGNED(UNSIGNED_CHECKS)
	__kmpc_atomic_fixed1u_shr(NULL, 0, &large, 4);
	check(large == 0x0f, "fixed1u_shr, which knows no sign");
}

static void floats(void)
{
	KMPC_FLOAT(FLOAT_CHECKS)
	KMPC_BY_LARGER(CHECK_BY, float4, float, double, float8)
}

static void complexes(void)
{
	float _Complex swapped = 12, was;
	double _Complex turn = 2 + 3 * __extension__ 1i;

	KMPC_COMPLEX(COMPLEX_CHECKS)
	KMPC_COMPLEX_SMALL(SMALL_CHECKS)
	KMPC_BY_LARGER(CHECK_BY, cmplx4, float _Complex, double _Complex, cmplx8)
	__kmpc_atomic_cmplx4_swp(NULL, 0, &swapped, 3, &was);
	check(was == 12 && swapped == 3, "cmplx4_swp");
	__kmpc_atomic_cmplx8_mul(NULL, 0, &turn, __extension__ 1i);
	check(turn == -3 + 2 * __extension__ 1i, "cmplx8_mul, of both parts");
}

static void quads(void)
{
	KMPC_QUAD_TYPES(QUAD_CHECKS)
}

#define SWAP_CHECKS(n, type) \
	{ \
		type x = 12, v = 0; \
		check(!__kmpc_atomic_bool_##n##_cas(NULL, 0, &x, 11, 5) && x == 12, "bool_" #n "_cas"); \
		check(__kmpc_atomic_bool_##n##_cas(NULL, 0, &x, 12, 5) && x == 5, "bool_" #n "_cas"); \
		check(__kmpc_atomic_bool_##n##_cas_cpt(NULL, 0, &x, 5, 6, &v) && x == 6 && v == 0, "bool_" #n "_cas_cpt"); \
		check(!__kmpc_atomic_bool_##n##_cas_cpt(NULL, 0, &x, 5, 7, &v) && x == 6 && v == 6, "bool_" #n "_cas_cpt"); \
		check(__kmpc_atomic_val_##n##_cas(NULL, 0, &x, 6, 8) == 6 && x == 8, "val_" #n "_cas"); \
		check(__kmpc_atomic_val_##n##_cas(NULL, 0, &x, 6, 9) == 8 && x == 8, "val_" #n "_cas"); \
		check(__kmpc_atomic_val_##n##_cas_cpt(NULL, 0, &x, 8, 9, &v) == 8 && x == 9 && v == 9, "val_" #n "_cas_cpt"); \
		check(__kmpc_atomic_val_##n##_cas_cpt(NULL, 0, &x, 8, 7, &v) == 9 && x == 9 && v == 9, "val_" #n "_cas_cpt"); \
	}

static void swaps(void)
{
	KMPC_SWAPPED(SWAP_CHECKS)
}

/* --- several threads at once ----------------------------------------------------------------------------- */

enum { THREADS = 3, TIMES = 500 };

static struct sums {
	int8_t narrow;
	int64_t integer;
	float _Complex small_complex;
	double real, smallest;
	long double large_real;
	long double _Complex complex;
	uint16_t word;
	struct pair {
		int64_t a, b, c, d;
	} pair;
	long started;
} sums;

static void add_words(void *out, void *a, void *b)
{
	*(uint16_t *)out = (uint16_t)(*(uint16_t *)a + *(uint16_t *)b);
}

static void add_pairs(void *out, void *a, void *b)
{
	struct pair *x = a, *y = b;

	*(struct pair *)out = (struct pair){ x->a + y->a, x->b + y->b, x->c + y->c, x->d + y->d };
}

static void adding(int32_t *thread, int32_t *bound)
{
	uint16_t one = 1;
	struct pair step = { 1, 2, 3, 4 };

	for (int i = 1; i <= TIMES; i++) {
		__kmpc_atomic_fixed1_add(NULL, *thread, &sums.narrow, 1);
		__kmpc_atomic_fixed8_add(NULL, *thread, &sums.integer, i);
		__kmpc_atomic_cmplx4_add(NULL, *thread, &sums.small_complex, 1);
		__kmpc_atomic_float8_add(NULL, *thread, &sums.real, 0.5);
		__kmpc_atomic_float8_min(NULL, *thread, &sums.smallest, -i - *bound);
		__kmpc_atomic_float10_add(NULL, *thread, &sums.large_real, 0.5L);
		__kmpc_atomic_cmplx10_add(NULL, *thread, &sums.complex, 2);
		__kmpc_atomic_2(NULL, *thread, &sums.word, &one, add_words);
		__kmpc_atomic_32(NULL, *thread, &sums.pair, &step, add_pairs);
		__kmpc_atomic_start();
		sums.started++;
		__kmpc_atomic_end();
	}
}

#define SIZE_CHECK(n) \
	{ \
		uint64_t x[4] = { 0 }, e[4] = { 5 }; \
		__kmpc_atomic_##n(NULL, 0, x, e, n == 1 ? add_bytes : n == 2 ? add_words : n == 4 ? add_fours : add_eights); \
		check((n == 1 ? *(uint8_t *)x : x[0]) == 5, #n); \
	}

static void add_bytes(void *out, void *a, void *b)
{
	*(uint8_t *)out = (uint8_t)(*(uint8_t *)a + *(uint8_t *)b);
}

static void add_fours(void *out, void *a, void *b)
{
	*(uint32_t *)out = *(uint32_t *)a + *(uint32_t *)b;
}

static void add_eights(void *out, void *a, void *b)
{
	*(uint64_t *)out = *(uint64_t *)a + *(uint64_t *)b;
}

static void own_operators(void)
{
	KMPC_SIZES(SIZE_CHECK)
}

static void together(void)
{
	const int n = THREADS * TIMES;

	__kmpc_push_num_threads(NULL, 0, THREADS);
	__kmpc_fork_call(NULL, 0, (kmpc_micro *)(void (*)(void))adding);
	check(sums.narrow == (int8_t)n && sums.integer == (int64_t)n * (TIMES + 1) / 2, "fixed1_add, fixed8_add");
	check(sums.small_complex == n && sums.complex == 2 * n, "cmplx4_add, cmplx10_add");
	check(sums.real == n / 2.0 && sums.large_real == n / 2.0L, "float8_add, float10_add");
	check(sums.smallest == -TIMES - THREADS + 1, "float8_min");
	check(sums.word == n && sums.pair.a == n && sums.pair.d == 4 * n, "2, 32");
	check(sums.started == n, "start, end");
}

static void report(void (*checks)(void), const char *what)
{
	wrong = calls = 0;
	checks();
	ok(wrong == 0, "%s: %u of %u checks", what, calls - wrong, calls);
}

int main(void)
{
	plan(8);
	report(signed_integers, "signed integers");
	report(unsigned_integers, "unsigned integers");
	report(floats, "floating-point numbers");
	report(complexes, "complex numbers");
	report(quads, "by a number of 16 bytes");
	report(swaps, "compare and swap");
	report(own_operators, "an operator of the program's");
	report(together, "by three threads at once");
	return done();
}
