/* omp/abi/kmpc_barrier.c -- barriers and flush, as clang calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmpc_region.h"

#include "base/atomic.h"
#include "omp/team/barrier.h"
#include "omp/team/standing.h"

void __kmpc_barrier(struct kmpc_ident *loc, int32_t thread)
{
	(void)loc, (void)thread;
	qomp_barrier(qomp_frame());
}

int32_t __kmpc_cancel_barrier(struct kmpc_ident *loc, int32_t thread)
{
	(void)loc, (void)thread;
	return qomp_barrier_cancel(qomp_frame());
}

/* Thread 0 does something between the two while all others wait. */

int32_t __kmpc_barrier_master(struct kmpc_ident *loc, int32_t thread)
{
	struct qomp_frame *f = qomp_frame();

	(void)loc, (void)thread;
	qomp_barrier(f);
	if (f->num == 0)
		return 1;
	qomp_barrier(f);
	return 0;
}

void __kmpc_end_barrier_master(struct kmpc_ident *loc, int32_t thread)
{
	(void)loc, (void)thread;
	qomp_barrier(qomp_frame());
}

int32_t __kmpc_barrier_master_nowait(struct kmpc_ident *loc, int32_t thread)
{
	struct qomp_frame *f = qomp_frame();

	(void)loc, (void)thread;
	qomp_barrier(f);
	return f->num == 0;
}

/* A full one, whatever the program has asked for; after atomic operations that are sequentially consistent, too. */
void __kmpc_flush(struct kmpc_ident *loc)
{
	(void)loc;
	fence_sc();     /* promised: a flush */
}
