/* omp/abi/kmpc_atomic.c -- see omp/abi/kmpc_atomic.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What fits into a word is changed by compare and swap, like by code of compilers that know the instructions.  The rest
 * is changed under the lock that GCC's code takes for such types.
 */
#include "omp/abi/kmpc_atomic.h"

#include "base/atomic.h"
#include "omp/abi/gomp_critical.h"

#include <string.h>

/* --- changing -------------------------------------------------------------------------------------------- */

/* The program's variable is of another type. */
typedef uint8_t word_1 __attribute__((may_alias));
typedef uint16_t word_2 __attribute__((may_alias));
typedef uint32_t word_4 __attribute__((may_alias));
typedef uint64_t word_8 __attribute__((may_alias));

/* before, after: room for a value each. */
#define CHANGE_BY_WORD(n) \
	static inline __attribute__((always_inline)) void change_##n(word_##n *x, void *e, kmpc_operator *f, \
	                                                             void *before, void *after) \
	{ \
		word_##n seen = load_rlx(x), now; \
\
		do { \
			memcpy(before, &seen, n); \
			f(after, before, e); \
			memcpy(&now, after, n); \
		} while (!cas_acq_rel(x, &seen, now)); \
	}

CHANGE_BY_WORD(1)
CHANGE_BY_WORD(2)
CHANGE_BY_WORD(4)
CHANGE_BY_WORD(8)

static inline __attribute__((always_inline)) void change(void *x, size_t size, void *e, kmpc_operator *f, void *before,
                                                         void *after)
{
	switch (size) {
	case 1:
		change_1(x, e, f, before, after);
		break;
	case 2:
		change_2(x, e, f, before, after);
		break;
	case 4:
		change_4(x, e, f, before, after);
		break;
	case 8:
		change_8(x, e, f, before, after);
		break;
	default:
		GOMP_atomic_start();
		memcpy(before, x, size);
		f(after, before, e);
		memcpy(x, after, size);
		GOMP_atomic_end();
	}
}

#define LOOK_AT_WORD(n) \
	static inline void look_at_##n(word_##n *x, void *value) \
	{ \
		word_##n seen = load_acq(x); \
\
		memcpy(value, &seen, n); \
	}

LOOK_AT_WORD(1)
LOOK_AT_WORD(2)
LOOK_AT_WORD(4)
LOOK_AT_WORD(8)

static inline __attribute__((always_inline)) void look_at(void *x, size_t size, void *value)
{
	switch (size) {
	case 1:
		look_at_1(x, value);
		break;
	case 2:
		look_at_2(x, value);
		break;
	case 4:
		look_at_4(x, value);
		break;
	case 8:
		look_at_8(x, value);
		break;
	default:
		GOMP_atomic_start();
		memcpy(value, x, size);
		GOMP_atomic_end();
	}
}

/* --- operators ------------------------------------------------------------------------------------------- */

#define OPERATOR(name, type, etype, expression) \
	static inline void name(void *out, void *at_a, void *at_b) \
	{ \
		type a = *(type *)at_a; \
		etype b = *(etype *)at_b; \
\
		*(type *)out = (type)(expression); \
	}
#define OPERATORS(T, type, etype, op, expression, reversed) \
	OPERATOR(T##_##op, type, etype, expression) \
	OPERATOR(T##_##op##_rev, type, etype, reversed)

/* Integers wrap around. */
#define WIDE(op) (uint64_t)a op (uint64_t)b
#define SIGNED_OPERATORS(T, type) \
	OPERATOR(T##_add, type, type, WIDE(+)) \
	OPERATOR(T##_mul, type, type, WIDE(*)) \
	OPERATOR(T##_andb, type, type, a & b) \
	OPERATOR(T##_orb, type, type, a | b) \
	OPERATOR(T##_xor, type, type, a ^ b) \
	OPERATOR(T##_andl, type, type, a && b) \
	OPERATOR(T##_orl, type, type, a || b) \
	OPERATOR(T##_eqv, type, type, ~(a ^ b)) \
	OPERATOR(T##_neqv, type, type, a ^ b) \
	OPERATOR(T##_min, type, type, a > b ? b : a) \
	OPERATOR(T##_max, type, type, a < b ? b : a) \
	OPERATORS(T, type, type, sub, WIDE(-), (uint64_t)b - (uint64_t)a) \
	OPERATORS(T, type, type, div, a / b, b / a) \
	OPERATORS(T, type, type, shl, (uint64_t)a << (b & 63), (uint64_t)b << (a & 63)) \
	OPERATORS(T, type, type, shr, a >> (b & 63), b >> (a & 63)) \
	OPERATOR(T##_mul_float8, type, double, (double)a * b) \
	OPERATOR(T##_div_float8, type, double, (double)a / b)
#define UNSIGNED_OPERATORS(T, type) \
	OPERATORS(T, type, type, div, a / b, b / a) \
	OPERATORS(T, type, type, shr, a >> (b & 63), b >> (a & 63))
#define COMPLEX_OPERATORS(T, type) \
	OPERATOR(T##_add, type, type, a + b) \
	OPERATOR(T##_mul, type, type, a * b) \
	OPERATORS(T, type, type, sub, a - b, b - a) \
	OPERATORS(T, type, type, div, a / b, b / a)
#define FLOAT_OPERATORS(T, type) \
	COMPLEX_OPERATORS(T, type) \
	OPERATOR(T##_min, type, type, a > b ? b : a) \
	OPERATOR(T##_max, type, type, a < b ? b : a)
#define LARGER_OPERATORS(T, type, etype, name) \
	OPERATOR(T##_add_##name, type, etype, (etype)a + b) \
	OPERATOR(T##_mul_##name, type, etype, (etype)a * b) \
	OPERATOR(T##_sub_##name, type, etype, (etype)a - b) \
	OPERATOR(T##_div_##name, type, etype, (etype)a / b)
#define QUAD_OPERATORS(T, type) \
	LARGER_OPERATORS(T, type, kmpc_quad, fp) \
	OPERATOR(T##_sub_rev_fp, type, kmpc_quad, b - (kmpc_quad)a) \
	OPERATOR(T##_div_rev_fp, type, kmpc_quad, b / (kmpc_quad)a)

KMPC_SIGNED(SIGNED_OPERATORS)
KMPC_UNSIGNED(UNSIGNED_OPERATORS)
KMPC_FLOAT(FLOAT_OPERATORS)
KMPC_COMPLEX(COMPLEX_OPERATORS)
KMPC_COMPLEX_SMALL(COMPLEX_OPERATORS)
LARGER_OPERATORS(float4, float, double, float8)
LARGER_OPERATORS(cmplx4, float _Complex, double _Complex, cmplx8)
KMPC_QUAD_TYPES(QUAD_OPERATORS)

/* --- calls ----------------------------------------------------------------------------------------------- */

/* `name`: of the call; f: what it does. */
#define CALL(name, f, type, etype) \
	void __kmpc_atomic_##name(KMPC_AT, type *x, etype e) \
	{ \
		type before, after; \
\
		(void)loc, (void)thread; \
		change(x, sizeof(type), &e, f, &before, &after); \
	}
#define CALL_CAPTURE(name, f, type, etype) \
	type __kmpc_atomic_##name(KMPC_AT, type *x, etype e, int32_t after) \
	{ \
		type was, is; \
\
		(void)loc, (void)thread; \
		change(x, sizeof(type), &e, f, &was, &is); \
		return after ? is : was; \
	}
#define CALL_CAPTURE_OUT(name, f, type, etype) \
	void __kmpc_atomic_##name(KMPC_AT, type *x, etype e, type *out, int32_t after) \
	{ \
		type was, is; \
\
		(void)loc, (void)thread; \
		change(x, sizeof(type), &e, f, &was, &is); \
		*out = after ? is : was; \
	}

#define CALLS(T, type, etype, op) \
	CALL(T##_##op, T##_##op, type, etype) \
	CALL_CAPTURE(T##_##op##_cpt, T##_##op, type, etype)
#define CALLS_BOTH(T, type, etype, op) \
	CALLS(T, type, etype, op) \
	CALL(T##_##op##_rev, T##_##op##_rev, type, etype) \
	CALL_CAPTURE(T##_##op##_cpt_rev, T##_##op##_rev, type, etype)
#define CALLS_SMALL(T, type, etype, op) \
	CALL(T##_##op, T##_##op, type, etype) \
	CALL_CAPTURE_OUT(T##_##op##_cpt, T##_##op, type, etype)
#define CALLS_SMALL_BOTH(T, type, etype, op) \
	CALLS_SMALL(T, type, etype, op) \
	CALL(T##_##op##_rev, T##_##op##_rev, type, etype) \
	CALL_CAPTURE_OUT(T##_##op##_cpt_rev, T##_##op##_rev, type, etype)
#define CALL_BY(T, type, etype, op, name) CALL(T##_##op##_##name, T##_##op##_##name, type, etype)
#define CALLS_QUAD(T, type, op) \
	CALL(T##_##op##_fp, T##_##op##_fp, type, kmpc_quad) \
	CALL_CAPTURE(T##_##op##_cpt_fp, T##_##op##_fp, type, kmpc_quad)
#define CALLS_QUAD_BOTH(T, type, op) \
	CALLS_QUAD(T, type, op) \
	CALL(T##_##op##_rev_fp, T##_##op##_rev_fp, type, kmpc_quad) \
	CALL_CAPTURE(T##_##op##_cpt_rev_fp, T##_##op##_rev_fp, type, kmpc_quad)

/* Nothing but the new value. */
#define CALLS_READ_WRITE(T, type) \
	OPERATOR(T##_wr, type, type, ((void)a, b)) \
	CALL(T##_wr, T##_wr, type, type) \
	type __kmpc_atomic_##T##_rd(KMPC_AT, type *x) \
	{ \
		type value; \
\
		(void)loc, (void)thread; \
		look_at(x, sizeof(type), &value); \
		return value; \
	}
#define CALLS_WHOLE(T, type) \
	CALLS_READ_WRITE(T, type) \
	type __kmpc_atomic_##T##_swp(KMPC_AT, type *x, type e) \
	{ \
		type was, is; \
\
		(void)loc, (void)thread; \
		change(x, sizeof(type), &e, T##_wr, &was, &is); \
		return was; \
	}
#define CALLS_SMALL_WHOLE(T, type) \
	CALLS_READ_WRITE(T, type) \
	void __kmpc_atomic_##T##_swp(KMPC_AT, type *x, type e, type *out) \
	{ \
		type is; \
\
		(void)loc, (void)thread; \
		change(x, sizeof(type), &e, T##_wr, out, &is); \
	}

#define SIGNED_CALLS(T, type) \
	KMPC_SIGNED_OPS(CALLS, CALLS_BOTH, T, type) \
	KMPC_SIGNED_BY_DOUBLE(CALL_BY, T, type) \
	CALLS_WHOLE(T, type)
#define UNSIGNED_CALLS(T, type) KMPC_UNSIGNED_OPS(CALLS, CALLS_BOTH, T, type)
#define FLOAT_CALLS(T, type) \
	KMPC_FLOAT_OPS(CALLS, CALLS_BOTH, T, type) \
	CALLS_WHOLE(T, type)
#define COMPLEX_CALLS(T, type) \
	KMPC_COMPLEX_OPS(CALLS, CALLS_BOTH, T, type) \
	CALLS_WHOLE(T, type)
#define COMPLEX_SMALL_CALLS(T, type) \
	KMPC_COMPLEX_OPS(CALLS_SMALL, CALLS_SMALL_BOTH, T, type) \
	CALLS_SMALL_WHOLE(T, type)
#define QUAD_CALLS(T, type) \
	CALLS_QUAD(T, type, add) \
	CALLS_QUAD(T, type, mul) \
	CALLS_QUAD_BOTH(T, type, sub) \
	CALLS_QUAD_BOTH(T, type, div)

KMPC_SIGNED(SIGNED_CALLS)
KMPC_UNSIGNED(UNSIGNED_CALLS)
KMPC_FLOAT(FLOAT_CALLS)
KMPC_COMPLEX(COMPLEX_CALLS)
KMPC_COMPLEX_SMALL(COMPLEX_SMALL_CALLS)
KMPC_BY_LARGER(CALL_BY, float4, float, double, float8)
KMPC_BY_LARGER(CALL_BY, cmplx4, float _Complex, double _Complex, cmplx8)
KMPC_QUAD_TYPES(QUAD_CALLS)

/* --- compare and swap ------------------------------------------------------------------------------------ */

#define SWAP_CALLS(n, type) \
	type __kmpc_atomic_val_##n##_cas(KMPC_AT, type *x, type expected, type value) \
	{ \
		(void)loc, (void)thread; \
		cas_acq_rel(x, &expected, value); \
		return expected; \
	} \
	bool __kmpc_atomic_bool_##n##_cas(KMPC_AT, type *x, type expected, type value) \
	{ \
		(void)loc, (void)thread; \
		return cas_acq_rel(x, &expected, value); \
	} \
	bool __kmpc_atomic_bool_##n##_cas_cpt(KMPC_AT, type *x, type expected, type value, type *v) \
	{ \
		bool stored = cas_acq_rel(x, &expected, value); \
\
		(void)loc, (void)thread; \
		if (!stored) \
			*v = expected; \
		return stored; \
	} \
	type __kmpc_atomic_val_##n##_cas_cpt(KMPC_AT, type *x, type expected, type value, type *v) \
	{ \
		type was = __kmpc_atomic_val_##n##_cas(loc, thread, x, expected, value); \
\
		*v = was == expected ? value : was; \
		return was; \
	}

KMPC_SWAPPED(SWAP_CALLS)

/* --- operators of the program's -------------------------------------------------------------------------- */

#define WORD_CALL(n) \
	void __kmpc_atomic_##n(KMPC_AT, void *x, void *e, kmpc_operator *f) \
	{ \
		word_##n before, after; \
\
		(void)loc, (void)thread; \
		change_##n(x, e, f, &before, &after); \
	}
#define LARGE_CALL(n) \
	void __kmpc_atomic_##n(KMPC_AT, void *x, void *e, kmpc_operator *f) \
	{ \
		(void)loc, (void)thread; \
		GOMP_atomic_start(); \
		f(x, x, e); \
		GOMP_atomic_end(); \
	}

WORD_CALL(1)
WORD_CALL(2)
WORD_CALL(4)
WORD_CALL(8)
LARGE_CALL(10)
LARGE_CALL(16)
LARGE_CALL(20)
LARGE_CALL(32)

void __kmpc_atomic_start(void)
{
	GOMP_atomic_start();
}

void __kmpc_atomic_end(void)
{
	GOMP_atomic_end();
}
