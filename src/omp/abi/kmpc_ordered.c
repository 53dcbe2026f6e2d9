/* omp/abi/kmpc_ordered.c -- ordered regions, as clang calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmpc_loop.h"

#include "omp/work/ordered.h"

void __kmpc_ordered(struct kmpc_ident *loc, int32_t thread)
{
	(void)loc, (void)thread;
	qomp_ordered_begin(qomp_frame_called());
}

/* The turn passes on with the piece (omp/work/ordered.h). */
void __kmpc_end_ordered(struct kmpc_ident *loc, int32_t thread)
{
	(void)loc, (void)thread;
	qomp_ordered_end_called();
}
