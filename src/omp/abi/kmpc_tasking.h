/* omp/abi/kmpc_tasking.h -- what clang calls for explicit tasks.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled code asks for a task's memory, fills it in and gives it back.  So there is a record (omp/team/record.h) from
 * the beginning, and the memory is in it where it suffices.
 */
#ifndef QOMP_KMPC_TASKING_H
#define QOMP_KMPC_TASKING_H

#include "omp/abi/kmpc.h"

struct kmpc_task;

typedef int32_t kmpc_routine(int32_t thread, struct kmpc_task *task);

/* The front of a task's memory.  Behind it is what the task has for itself, then what it shares with others. */
struct kmpc_task {
	void *shareds;
	kmpc_routine *routine;
	int32_t part;                   /* of an untied one: where it goes on */
	uint32_t apart;                 /* ours: the memory is not in the record */
	kmpc_routine *destructors;      /* there only if the flags say so, and so is the next */
	int32_t priority;
};

_Static_assert(
	offsetof(struct kmpc_task, destructors) == 24, "compiled code may ask for no more than what is in front of it");

struct kmpc_depend {
	intptr_t base;
	size_t length;
	uint8_t flags;
};

struct kmpc_affinity {
	intptr_t base;
	size_t length;
	int32_t flags;
};

#pragma GCC visibility push(default)

/* kmpc_task.c */
struct kmpc_task *__kmpc_omp_task_alloc(
	struct kmpc_ident *loc, int32_t thread, int32_t flags, size_t size, size_t shareds, kmpc_routine *routine);
struct kmpc_task *__kmpc_omp_target_task_alloc(struct kmpc_ident *loc, int32_t thread, int32_t flags, size_t size,
                                               size_t shareds, kmpc_routine *routine, int64_t device);
int32_t __kmpc_omp_task(struct kmpc_ident *loc, int32_t thread, struct kmpc_task *task);
int32_t __kmpc_omp_task_parts(struct kmpc_ident *loc, int32_t thread, struct kmpc_task *task);
void __kmpc_omp_task_begin_if0(struct kmpc_ident *loc, int32_t thread, struct kmpc_task *task);
void __kmpc_omp_task_complete_if0(struct kmpc_ident *loc, int32_t thread, struct kmpc_task *task);
void *__kmpc_task_allow_completion_event(struct kmpc_ident *loc, int32_t thread, struct kmpc_task *task);
void __kmpc_proxy_task_completed(int32_t thread, struct kmpc_task *task);
void __kmpc_proxy_task_completed_ooo(struct kmpc_task *task);
int32_t __kmpc_omp_reg_task_with_affinity(struct kmpc_ident *loc, int32_t thread, struct kmpc_task *task, int32_t n,
                                          struct kmpc_affinity *affinity);

/* kmpc_depend.c: two lists each. */
int32_t __kmpc_omp_task_with_deps(struct kmpc_ident *loc, int32_t thread, struct kmpc_task *task, int32_t n,
                                  struct kmpc_depend *list, int32_t n_noalias, struct kmpc_depend *noalias);
void __kmpc_omp_wait_deps(struct kmpc_ident *loc, int32_t thread, int32_t n, struct kmpc_depend *list,
	int32_t n_noalias, struct kmpc_depend *noalias);
void __kmpc_omp_taskwait_deps_51(struct kmpc_ident *loc, int32_t thread, int32_t n, struct kmpc_depend *list,
                                 int32_t n_noalias, struct kmpc_depend *noalias, int32_t nowait);

/* kmpc_taskwait.c */
int32_t __kmpc_omp_taskwait(struct kmpc_ident *loc, int32_t thread);
int32_t __kmpc_omp_taskyield(struct kmpc_ident *loc, int32_t thread, int32_t end);
void __kmpc_taskgroup(struct kmpc_ident *loc, int32_t thread);
void __kmpc_end_taskgroup(struct kmpc_ident *loc, int32_t thread);

/* kmpc_taskloop.c: bounds are inclusive, and in the task; copy, if any, makes a piece of the pattern. */
void __kmpc_taskloop(struct kmpc_ident *loc, int32_t thread, struct kmpc_task *task, int32_t if_clause, uint64_t *lower,
                     uint64_t *upper, int64_t step, int32_t nogroup, int32_t kind, uint64_t n,
                     void (*copy)(struct kmpc_task *piece, struct kmpc_task *pattern, int32_t last));
void __kmpc_taskloop_5(struct kmpc_ident *loc, int32_t thread, struct kmpc_task *task, int32_t if_clause,
	uint64_t *lower, uint64_t *upper, int64_t step, int32_t nogroup, int32_t kind, uint64_t n, int32_t strict,
	void (*copy)(struct kmpc_task *piece, struct kmpc_task *pattern, int32_t last));

/* kmpc_cancel.c: not 0, leave the construct. */
int32_t __kmpc_cancel(struct kmpc_ident *loc, int32_t thread, int32_t kind);
int32_t __kmpc_cancellationpoint(struct kmpc_ident *loc, int32_t thread, int32_t kind);
int kmp_get_cancellation_status(int kind);

#pragma GCC visibility pop

#endif
