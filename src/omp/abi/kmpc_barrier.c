/* omp/abi/kmpc_barrier.c -- barriers and flush, as clang calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmpc_region.h"

#include "base/atomic.h"
#include "omp/team/barrier.h"
#include "omp/team/standing.h"
#include "omp/team/called.h"

/* Compiled code says whose the barrier is. */
static void barrier_tell(struct qomp_frame *f, const struct kmpc_ident *loc)
{
	int32_t flags = kmpc_flags(loc);
	ompt_sync_region_t kind = ompt_sync_region_barrier_implementation;

	if (flags & KMPC_BARRIER_EXPLICIT)
		kind = ompt_sync_region_barrier_explicit;
	else if (flags & KMPC_BARRIER_IMPLICIT)
		kind = ompt_sync_region_barrier_implicit_workshare;
	qomp_tell_barrier_kind(qomp_told_of(f), kind);
}

void __kmpc_barrier(struct kmpc_ident *loc, int32_t thread)
{
	struct qomp_frame *f = qomp_frame_called();

	(void)thread;
	if (qomp_is_told(f)) {
		barrier_tell(f, loc);
		qomp_barrier(f);
	} else {
		qomp_barrier_untold(f);
	}
}

int32_t __kmpc_cancel_barrier(struct kmpc_ident *loc, int32_t thread)
{
	struct qomp_frame *f = qomp_frame_called();

	(void)thread;
	if (qomp_is_told(f))
		barrier_tell(f, loc);
	return qomp_barrier_cancel(f);
}

/* Thread 0 does something between the two while all others wait. */

int32_t __kmpc_barrier_master(struct kmpc_ident *loc, int32_t thread)
{
	struct qomp_frame *f = qomp_frame_called();

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
	qomp_barrier(qomp_frame_called());
}

int32_t __kmpc_barrier_master_nowait(struct kmpc_ident *loc, int32_t thread)
{
	struct qomp_frame *f = qomp_frame_called();

	(void)loc, (void)thread;
	qomp_barrier(f);
	return f->num == 0;
}

/* A full one, whatever the program has asked for; after atomic operations that are sequentially consistent, too. */
void __kmpc_flush(struct kmpc_ident *loc)
{
	qomp_tool_called();
	(void)loc;
	fence_sc();     /* promised: a flush */
	if (qomp_tool_here())
		qomp_tell_flush();
}
