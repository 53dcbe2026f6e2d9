/* omp/abi/kmpc_cancel.c -- cancellation, as clang calls it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmpc_tasking.h"

#include "omp/task/cancel.h"
#include "omp/team/standing.h"
#include "omp/team/called.h"

/* 1 to 4: region, loop, sections, taskgroup.  Ours are bits. */
static unsigned kind_of(int32_t kind)
{
	return 1u << ((kind - 1) & 3);
}

int32_t __kmpc_cancel(struct kmpc_ident *loc, int32_t thread, int32_t kind)
{
	(void)loc, (void)thread;
	return qomp_cancel(qomp_frame_called(), kind_of(kind));
}

int32_t __kmpc_cancellationpoint(struct kmpc_ident *loc, int32_t thread, int32_t kind)
{
	(void)loc, (void)thread;
	return qomp_cancelled(qomp_frame_called(), kind_of(kind));
}

int kmp_get_cancellation_status(int kind)
{
	return qomp_frame_if_any() && qomp_cancelled(qomp_frame(), kind_of(kind));
}
