/* omp/abi/kmpc_loop.h -- what clang calls for loops.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Bounds are inclusive.  Each call is there for four types of the loop's variable: 32 and 64 bits, signed and not.
 */
#ifndef QOMP_KMPC_LOOP_H
#define QOMP_KMPC_LOOP_H

#include "omp/abi/kmpc.h"

#pragma GCC visibility push(default)

#define KMPC_LOOP_OF(suffix, type, stype) \
	/* kmpc_static.c: in, the loop; out, what the thread begins with. */ \
	void __kmpc_for_static_init_##suffix(struct kmpc_ident *loc, int32_t thread, int32_t schedule, int32_t *last, \
	                                     type *lower, type *upper, stype *stride, stype step, stype chunk); \
	void __kmpc_team_static_init_##suffix(struct kmpc_ident *loc, int32_t thread, int32_t *last, type *lower, \
	                                      type *upper, stype *stride, stype step, stype chunk); \
	void __kmpc_dist_for_static_init_##suffix(struct kmpc_ident *loc, int32_t thread, int32_t schedule, \
	                                          int32_t *last, type *lower, type *upper, type *team_upper, \
	                                          stype *stride, stype step, stype chunk); \
	/* kmpc_dispatch.c: blocks one by one; 0, there are no more, and the thread has left the loop. */ \
	void __kmpc_dispatch_init_##suffix(struct kmpc_ident *loc, int32_t thread, int32_t schedule, type lower, \
	                                   type upper, stype step, stype chunk); \
	void __kmpc_dist_dispatch_init_##suffix(struct kmpc_ident *loc, int32_t thread, int32_t schedule, \
	                                        int32_t *last, type lower, type upper, stype step, stype chunk); \
	int32_t __kmpc_dispatch_next_##suffix(struct kmpc_ident *loc, int32_t thread, int32_t *last, type *lower, \
	                                      type *upper, stype *stride); \
	void __kmpc_dispatch_fini_##suffix(struct kmpc_ident *loc, int32_t thread);

KMPC_LOOP_OF(4, int32_t, int32_t)
KMPC_LOOP_OF(4u, uint32_t, int32_t)
KMPC_LOOP_OF(8, int64_t, int64_t)
KMPC_LOOP_OF(8u, uint64_t, int64_t)

#undef KMPC_LOOP_OF

void __kmpc_for_static_fini(struct kmpc_ident *loc, int32_t thread);
void __kmpc_dispatch_deinit(struct kmpc_ident *loc, int32_t thread);

/* kmpc_ordered.c */
void __kmpc_ordered(struct kmpc_ident *loc, int32_t thread);
void __kmpc_end_ordered(struct kmpc_ident *loc, int32_t thread);

/* kmpc_doacross.c: ordered(n), around the loop's own calls. */
struct kmpc_dim {
	int64_t lower, upper, step;
};

void __kmpc_doacross_init(struct kmpc_ident *loc, int32_t thread, int32_t n, const struct kmpc_dim *dim);
void __kmpc_doacross_post(struct kmpc_ident *loc, int32_t thread, const int64_t *at);
void __kmpc_doacross_wait(struct kmpc_ident *loc, int32_t thread, const int64_t *at);
void __kmpc_doacross_fini(struct kmpc_ident *loc, int32_t thread);

/* kmpc_sections.c: numbers from 0; n or more: none left.  init, 0: who calls runs all of them. */
int32_t __kmpc_sections_init(struct kmpc_ident *loc, int32_t thread);
int32_t __kmpc_next_section(struct kmpc_ident *loc, int32_t thread, int32_t n);
void __kmpc_end_sections(struct kmpc_ident *loc, int32_t thread);

#pragma GCC visibility pop

#endif
