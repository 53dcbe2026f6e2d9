/* omp/abi/gomp_reduce.c -- reductions by tasks, as GCC calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/gomp_tasking.h"
#include "omp/task/reduce.h"
#include "omp/team/standing.h"
#include "omp/tool/tell.h"

enum { BIND_BITS = 7 };         /* of flags: the proc_bind clause */

void GOMP_taskgroup_reduction_register(uintptr_t *reductions)
{
	struct qomp_frame *f = qomp_frame();

	qomp_reduce_register(f, reductions, f->team->n);
}

void GOMP_taskgroup_reduction_unregister(uintptr_t *reductions)
{
	qomp_reduce_unregister(reductions);
}

void GOMP_task_reduction_remap(size_t count, size_t originals, void **ptrs)
{
	qomp_reduce_remap(qomp_frame(), count, originals, ptrs);
}

unsigned GOMP_parallel_reductions(void (*fn)(void *), void *data, unsigned threads, unsigned flags)
{
	qomp_tool_called();
	return qomp_reduce_region(fn, data, threads, flags & BIND_BITS);
}

void GOMP_workshare_task_reduction_unregister(bool cancelled)
{
	qomp_reduce_workshare_end(qomp_frame(), cancelled);
}
