/* omp/abi/kmpc_taskwait.c -- waiting for tasks, and groups of them, as clang calls it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmpc_tasking.h"

#include "omp/task/copies.h"
#include "omp/task/group.h"
#include "omp/task/wait.h"
#include "omp/task/yield.h"
#include "omp/team/standing.h"
#include "omp/team/called.h"

int32_t __kmpc_omp_taskwait(struct kmpc_ident *loc, int32_t thread)
{
	(void)loc, (void)thread;
	struct qomp_frame *f = qomp_frame_now();

	if (qti_unlikely(f->flags & QOMP_TRACED))
		qomp_taskwait_told(qomp_frame_called_from(f, __builtin_return_address(0), __builtin_dwarf_cfa()));
	else
		qomp_taskwait(f);
	return 0;
}

int32_t __kmpc_omp_taskyield(struct kmpc_ident *loc, int32_t thread, int32_t end)
{
	(void)loc, (void)thread, (void)end;
	qomp_taskyield();
	return 0;
}

void __kmpc_taskgroup(struct kmpc_ident *loc, int32_t thread)
{
	(void)loc, (void)thread;
	qomp_group_start(qomp_frame_called());
}

void __kmpc_end_taskgroup(struct kmpc_ident *loc, int32_t thread)
{
	struct qomp_frame *f = qomp_frame_called();
	struct qomp_copies *copies = f->group->copies;

	(void)loc, (void)thread;
	qomp_group_end(f);
	if (qti_unlikely(copies != NULL))
		qomp_copies_merge(copies);
}
