/* omp/abi/kmpc_doacross.c -- loops with ordered(n), as clang calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmpc_loop.h"

#include "omp/work/marks.h"

_Static_assert(sizeof(struct kmpc_dim) == sizeof(struct qomp_dim), "the same in two words");

void __kmpc_doacross_init(struct kmpc_ident *loc, int32_t thread, int32_t n, const struct kmpc_dim *dim)
{
	(void)loc, (void)thread;
	qomp_marks_open(qomp_frame(), (unsigned)n, (const struct qomp_dim *)dim);
}

void __kmpc_doacross_post(struct kmpc_ident *loc, int32_t thread, const int64_t *at)
{
	(void)loc, (void)thread;
	qomp_marks_post(qomp_share_place(), at);
}

void __kmpc_doacross_wait(struct kmpc_ident *loc, int32_t thread, const int64_t *at)
{
	(void)loc, (void)thread;
	qomp_marks_wait(qomp_share_place(), at);
}

/* The next construct takes the place of this one. */
void __kmpc_doacross_fini(struct kmpc_ident *loc, int32_t thread)
{
	(void)loc, (void)thread;
}
