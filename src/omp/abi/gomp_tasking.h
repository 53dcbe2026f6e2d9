/* omp/abi/gomp_tasking.h -- what GCC calls for task groups, dependences, task loops, reductions by tasks and
 * cancellation.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_GOMP_TASKING_H
#define QOMP_GOMP_TASKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Flags of GOMP_task and GOMP_taskloop. */
enum {
	GOMP_TASK_UNTIED = 1 << 0,
	GOMP_TASK_FINAL = 1 << 1,
	GOMP_TASK_MERGEABLE = 1 << 2,
	GOMP_TASK_DEPEND = 1 << 3,
	GOMP_TASK_PRIORITY = 1 << 4,
	GOMP_TASK_UP = 1 << 8,
	GOMP_TASK_GRAINSIZE = 1 << 9,
	GOMP_TASK_IF = 1 << 10,
	GOMP_TASK_NOGROUP = 1 << 11,
	GOMP_TASK_REDUCTION = 1 << 12,
	GOMP_TASK_DETACH = 1 << 13,
	GOMP_TASK_STRICT = 1 << 14,
};

#pragma GCC visibility push(default)

void GOMP_task(void (*fn)(void *), void *data, void (*cpyfn)(void *, void *), long arg_size, long arg_align,
               bool if_clause, unsigned flags, void **depend, int priority, void *detach);
void GOMP_taskwait(void);
void GOMP_taskyield(void);

void GOMP_taskgroup_start(void);
void GOMP_taskgroup_end(void);

void GOMP_taskwait_depend(void **depend);
void GOMP_taskwait_depend_nowait(void **depend);

void GOMP_taskloop(void (*fn)(void *), void *data, void (*copy)(void *, void *), long size, long align,
                   unsigned flags, unsigned long pieces, int priority, long start, long end, long step);
void GOMP_taskloop_ull(void (*fn)(void *), void *data, void (*copy)(void *, void *), long size, long align,
                       unsigned flags, unsigned long pieces, int priority, unsigned long long start,
                       unsigned long long end, unsigned long long step);

void GOMP_taskgroup_reduction_register(uintptr_t *reductions);
void GOMP_taskgroup_reduction_unregister(uintptr_t *reductions);
void GOMP_task_reduction_remap(size_t count, size_t originals, void **ptrs);
unsigned GOMP_parallel_reductions(void (*fn)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_workshare_task_reduction_unregister(bool cancelled);

bool GOMP_cancel(int which, bool do_cancel);
bool GOMP_cancellation_point(int which);

void omp_fulfill_event(uintptr_t event);
void omp_fulfill_event_(uintptr_t event);

#pragma GCC visibility pop

#endif
