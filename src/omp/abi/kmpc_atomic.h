/* omp/abi/kmpc_atomic.h -- what Intel's compilers call for atomic constructs: a function for each type and operator.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The lists say what there is; the calls follow from them:
 *
 *     T_OP                    *x = *x OP e              T_rd     *x
 *     T_OP_rev                *x = e OP *x              T_wr     *x = e
 *     T_OP_cpt, T_OP_cpt_rev  likewise; the value       T_swp    *x = e; the value before
 *                             afterwards if `after`,
 *                             else the one before
 */
#ifndef QOMP_KMPC_ATOMIC_H
#define QOMP_KMPC_ATOMIC_H

#include "omp/abi/kmpc.h"

#include <stdbool.h>

/* 16 bytes; where no compiler has such a type for this machine, long double is it, or nobody calls. */
#ifdef __SIZEOF_FLOAT128__
typedef __float128 kmpc_quad;
typedef _Complex float kmpc_complex_quad __attribute__((mode(TC)));
#else
typedef long double kmpc_quad;
typedef long double _Complex kmpc_complex_quad;
#endif

/* --- types: F(T, type) ----------------------------------------------------------------------------------- */

#define KMPC_SIGNED(F) F(fixed1, int8_t) F(fixed2, int16_t) F(fixed4, int32_t) F(fixed8, int64_t)
#define KMPC_UNSIGNED(F) F(fixed1u, uint8_t) F(fixed2u, uint16_t) F(fixed4u, uint32_t) F(fixed8u, uint64_t)
#define KMPC_FLOAT(F) F(float4, float) F(float8, double) F(float10, long double) F(float16, kmpc_quad)
#define KMPC_COMPLEX(F) F(cmplx8, double _Complex) F(cmplx10, long double _Complex) F(cmplx16, kmpc_complex_quad)
#define KMPC_COMPLEX_SMALL(F) F(cmplx4, float _Complex)         /* its results come by reference */

/* --- operators: F(T, type, type of e, OP) where the order does not matter, else G ------------------------- */

#define KMPC_SIGNED_OPS(F, G, T, type) \
	F(T, type, type, add) F(T, type, type, mul) F(T, type, type, andb) F(T, type, type, orb) F(T, type, type, xor) \
	F(T, type, type, andl) F(T, type, type, orl) F(T, type, type, eqv) F(T, type, type, neqv) \
	F(T, type, type, min) F(T, type, type, max) G(T, type, type, sub) G(T, type, type, div) \
	G(T, type, type, shl) G(T, type, type, shr)
#define KMPC_UNSIGNED_OPS(F, G, T, type) G(T, type, type, div) G(T, type, type, shr)
#define KMPC_FLOAT_OPS(F, G, T, type) \
	F(T, type, type, add) F(T, type, type, mul) F(T, type, type, min) F(T, type, type, max) \
	G(T, type, type, sub) G(T, type, type, div)
#define KMPC_COMPLEX_OPS(F, G, T, type) \
	F(T, type, type, add) F(T, type, type, mul) G(T, type, type, sub) G(T, type, type, div)

/* --- e of a type with more digits: F(T, type, type of e, OP, its name) ------------------------------------ */

#define KMPC_SIGNED_BY_DOUBLE(F, T, type) F(T, type, double, mul, float8) F(T, type, double, div, float8)
#define KMPC_BY_LARGER(F, T, type, more, name) \
	F(T, type, more, add, name) F(T, type, more, sub, name) F(T, type, more, mul, name) F(T, type, more, div, name)
#define KMPC_QUAD_TYPES(F) KMPC_SIGNED(F) KMPC_UNSIGNED(F) F(float4, float) F(float8, double) F(float10, long double)

/* --- calls ----------------------------------------------------------------------------------------------- */

#define KMPC_AT struct kmpc_ident *loc, int32_t thread

#define KMPC_DECLARE(T, type, etype, op) \
	void __kmpc_atomic_##T##_##op(KMPC_AT, type *x, etype e); \
	type __kmpc_atomic_##T##_##op##_cpt(KMPC_AT, type *x, etype e, int32_t after);
#define KMPC_DECLARE_BOTH(T, type, etype, op) \
	KMPC_DECLARE(T, type, etype, op) \
	void __kmpc_atomic_##T##_##op##_rev(KMPC_AT, type *x, etype e); \
	type __kmpc_atomic_##T##_##op##_cpt_rev(KMPC_AT, type *x, etype e, int32_t after);
#define KMPC_DECLARE_WHOLE(T, type) \
	type __kmpc_atomic_##T##_rd(KMPC_AT, type *x); \
	void __kmpc_atomic_##T##_wr(KMPC_AT, type *x, type e); \
	type __kmpc_atomic_##T##_swp(KMPC_AT, type *x, type e);
#define KMPC_DECLARE_BY(T, type, etype, op, name) void __kmpc_atomic_##T##_##op##_##name(KMPC_AT, type *x, etype e);
#define KMPC_DECLARE_QUAD(T, type, op) \
	void __kmpc_atomic_##T##_##op##_fp(KMPC_AT, type *x, kmpc_quad e); \
	type __kmpc_atomic_##T##_##op##_cpt_fp(KMPC_AT, type *x, kmpc_quad e, int32_t after);
#define KMPC_DECLARE_QUAD_BOTH(T, type, op) \
	KMPC_DECLARE_QUAD(T, type, op) \
	void __kmpc_atomic_##T##_##op##_rev_fp(KMPC_AT, type *x, kmpc_quad e); \
	type __kmpc_atomic_##T##_##op##_cpt_rev_fp(KMPC_AT, type *x, kmpc_quad e, int32_t after);
#define KMPC_DECLARE_SIGNED(T, type) \
	KMPC_SIGNED_OPS(KMPC_DECLARE, KMPC_DECLARE_BOTH, T, type) \
	KMPC_SIGNED_BY_DOUBLE(KMPC_DECLARE_BY, T, type) \
	KMPC_DECLARE_WHOLE(T, type)
#define KMPC_DECLARE_UNSIGNED(T, type) KMPC_UNSIGNED_OPS(KMPC_DECLARE, KMPC_DECLARE_BOTH, T, type)
#define KMPC_DECLARE_FLOAT(T, type) \
	KMPC_FLOAT_OPS(KMPC_DECLARE, KMPC_DECLARE_BOTH, T, type) \
	KMPC_DECLARE_WHOLE(T, type)
#define KMPC_DECLARE_COMPLEX(T, type) \
	KMPC_COMPLEX_OPS(KMPC_DECLARE, KMPC_DECLARE_BOTH, T, type) \
	KMPC_DECLARE_WHOLE(T, type)
#define KMPC_DECLARE_QUADS(T, type) \
	KMPC_DECLARE_QUAD(T, type, add) \
	KMPC_DECLARE_QUAD(T, type, mul) \
	KMPC_DECLARE_QUAD_BOTH(T, type, sub) \
	KMPC_DECLARE_QUAD_BOTH(T, type, div)
#define KMPC_DECLARE_SMALL(T, type, etype, op) \
	void __kmpc_atomic_##T##_##op(KMPC_AT, type *x, etype e); \
	void __kmpc_atomic_##T##_##op##_cpt(KMPC_AT, type *x, etype e, type *out, int32_t after);
#define KMPC_DECLARE_SMALL_BOTH(T, type, etype, op) \
	KMPC_DECLARE_SMALL(T, type, etype, op) \
	void __kmpc_atomic_##T##_##op##_rev(KMPC_AT, type *x, etype e); \
	void __kmpc_atomic_##T##_##op##_cpt_rev(KMPC_AT, type *x, etype e, type *out, int32_t after);
#define KMPC_DECLARE_COMPLEX_SMALL(T, type) \
	KMPC_COMPLEX_OPS(KMPC_DECLARE_SMALL, KMPC_DECLARE_SMALL_BOTH, T, type) \
	type __kmpc_atomic_##T##_rd(KMPC_AT, type *x); \
	void __kmpc_atomic_##T##_wr(KMPC_AT, type *x, type e); \
	void __kmpc_atomic_##T##_swp(KMPC_AT, type *x, type e, type *out);

/* If *x is `expected`, it becomes `value`; returns whether it was, or what it was.  _cpt: *v becomes what it was if
 * that is not expected, or what it is afterwards. */
#define KMPC_SWAPPED(F) F(1, int8_t) F(2, int16_t) F(4, int32_t) F(8, int64_t)
#define KMPC_DECLARE_SWAPS(n, type) \
	bool __kmpc_atomic_bool_##n##_cas(KMPC_AT, type *x, type expected, type value); \
	bool __kmpc_atomic_bool_##n##_cas_cpt(KMPC_AT, type *x, type expected, type value, type *v); \
	type __kmpc_atomic_val_##n##_cas(KMPC_AT, type *x, type expected, type value); \
	type __kmpc_atomic_val_##n##_cas_cpt(KMPC_AT, type *x, type expected, type value, type *v);

/* Of so many bytes by an operator of the program's: *x = f(*x, *e). */
#define KMPC_SIZES(F) F(1) F(2) F(4) F(8) F(10) F(16) F(20) F(32)
typedef void kmpc_operator(void *out, void *a, void *b);
#define KMPC_DECLARE_SIZE(n) void __kmpc_atomic_##n(KMPC_AT, void *x, void *e, kmpc_operator *f);

#pragma GCC visibility push(default)

KMPC_SIGNED(KMPC_DECLARE_SIGNED)
KMPC_UNSIGNED(KMPC_DECLARE_UNSIGNED)
KMPC_FLOAT(KMPC_DECLARE_FLOAT)
KMPC_COMPLEX(KMPC_DECLARE_COMPLEX)
KMPC_COMPLEX_SMALL(KMPC_DECLARE_COMPLEX_SMALL)
KMPC_BY_LARGER(KMPC_DECLARE_BY, float4, float, double, float8)
KMPC_BY_LARGER(KMPC_DECLARE_BY, cmplx4, float _Complex, double _Complex, cmplx8)
KMPC_QUAD_TYPES(KMPC_DECLARE_QUADS)
KMPC_SWAPPED(KMPC_DECLARE_SWAPS)
KMPC_SIZES(KMPC_DECLARE_SIZE)

/* Around any other. */
void __kmpc_atomic_start(void);
void __kmpc_atomic_end(void);

#pragma GCC visibility pop

#endif
