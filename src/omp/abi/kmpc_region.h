/* omp/abi/kmpc_region.h -- what clang calls for regions, teams, barriers, and what one member does for all.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_KMPC_REGION_H
#define QOMP_KMPC_REGION_H

#include "omp/abi/kmpc.h"

#include <stdbool.h>

#pragma GCC visibility push(default)

/* kmpc_thread.c */
int32_t __kmpc_global_thread_num(struct kmpc_ident *loc);
int32_t __kmpc_global_num_threads(struct kmpc_ident *loc);
int32_t __kmpc_bound_thread_num(struct kmpc_ident *loc);
int32_t __kmpc_bound_num_threads(struct kmpc_ident *loc);
int32_t __kmpc_in_parallel(struct kmpc_ident *loc);
int32_t __kmpc_ok_to_fork(struct kmpc_ident *loc);
void __kmpc_begin(struct kmpc_ident *loc, int32_t flags);
void __kmpc_end(struct kmpc_ident *loc);
uint64_t __kmpc_get_taskid(void);
uint64_t __kmpc_get_parent_taskid(void);

/* kmpc_device.c: what libomptarget asks, and when it is to look for devices: 0 never, 1 perhaps, 2 it must have one. */
int __kmpc_pause_resource(int kind);
int __kmpc_get_target_offload(void);
bool __kmpc_omp_has_task_team(int32_t thread);
void **__kmpc_omp_get_target_async_handle_ptr(int32_t thread);

/* kmpc_parallel.c: `argc` words follow, addresses or values.  What is pushed is for the thread's next region. */
void __kmpc_fork_call(struct kmpc_ident *loc, int32_t argc, kmpc_micro *fn, ...);
void __kmpc_fork_call_if(struct kmpc_ident *loc, int32_t argc, kmpc_micro *fn, int32_t cond, void *arg);
void __kmpc_serialized_parallel(struct kmpc_ident *loc, int32_t thread);
void __kmpc_end_serialized_parallel(struct kmpc_ident *loc, int32_t thread);
void __kmpc_push_num_threads(struct kmpc_ident *loc, int32_t thread, int32_t n);
void __kmpc_push_num_threads_strict(struct kmpc_ident *loc, int32_t thread, int32_t n, int32_t severity,
                                    const char *message);
void __kmpc_push_num_threads_list(struct kmpc_ident *loc, int32_t thread, uint32_t n, const int32_t *list);
void __kmpc_push_num_threads_list_strict(struct kmpc_ident *loc, int32_t thread, uint32_t n, const int32_t *list,
                                         int32_t severity, const char *message);
void __kmpc_pop_num_threads(struct kmpc_ident *loc, int32_t thread);
void __kmpc_push_proc_bind(struct kmpc_ident *loc, int32_t thread, int32_t bind);

/* Leagues: the function once for each team.  0: no clause. */
void __kmpc_fork_teams(struct kmpc_ident *loc, int32_t argc, kmpc_micro *fn, ...);
void __kmpc_push_num_teams(struct kmpc_ident *loc, int32_t thread, int32_t teams, int32_t limit);
void __kmpc_push_num_teams_51(struct kmpc_ident *loc, int32_t thread, int32_t least, int32_t most, int32_t limit);
void __kmpc_set_thread_limit(struct kmpc_ident *loc, int32_t thread, int32_t limit);

/* kmpc_error.c.  Any other severity is a warning. */
enum { KMPC_SEVERITY_FATAL = 2 };
void __kmpc_error(struct kmpc_ident *loc, int32_t severity, const char *message);

/* kmpc_barrier.c */
void __kmpc_barrier(struct kmpc_ident *loc, int32_t thread);
int32_t __kmpc_cancel_barrier(struct kmpc_ident *loc, int32_t thread);
int32_t __kmpc_barrier_master(struct kmpc_ident *loc, int32_t thread);
void __kmpc_end_barrier_master(struct kmpc_ident *loc, int32_t thread);
int32_t __kmpc_barrier_master_nowait(struct kmpc_ident *loc, int32_t thread);
void __kmpc_flush(struct kmpc_ident *loc);

/* kmpc_single.c: 1 for who is to do it, which then calls the end. */
int32_t __kmpc_master(struct kmpc_ident *loc, int32_t thread);
void __kmpc_end_master(struct kmpc_ident *loc, int32_t thread);
int32_t __kmpc_masked(struct kmpc_ident *loc, int32_t thread, int32_t filter);
void __kmpc_end_masked(struct kmpc_ident *loc, int32_t thread);
int32_t __kmpc_single(struct kmpc_ident *loc, int32_t thread);
void __kmpc_end_single(struct kmpc_ident *loc, int32_t thread);
void __kmpc_copyprivate(struct kmpc_ident *loc, int32_t thread, size_t size, void *data,
	void (*copy)(void *to, void *from), int32_t has);
void *__kmpc_copyprivate_light(struct kmpc_ident *loc, int32_t thread, void *data);
void __kmpc_scope(struct kmpc_ident *loc, int32_t thread, void *reserved);
void __kmpc_end_scope(struct kmpc_ident *loc, int32_t thread, void *reserved);

/* kmpc_critical.c */
void __kmpc_critical(struct kmpc_ident *loc, int32_t thread, kmpc_critical_name *name);
void __kmpc_critical_with_hint(struct kmpc_ident *loc, int32_t thread, kmpc_critical_name *name, uint32_t hint);
void __kmpc_end_critical(struct kmpc_ident *loc, int32_t thread, kmpc_critical_name *name);

/* kmpc_reduce.c: 1, who calls adds what it has to the originals; 2, it does so by atomic operations. */
int32_t __kmpc_reduce(struct kmpc_ident *loc, int32_t thread, int32_t n, size_t size, void *data,
                      void (*merge)(void *into, void *from), kmpc_critical_name *name);
void __kmpc_end_reduce(struct kmpc_ident *loc, int32_t thread, kmpc_critical_name *name);
int32_t __kmpc_reduce_nowait(struct kmpc_ident *loc, int32_t thread, int32_t n, size_t size, void *data,
                             void (*merge)(void *into, void *from), kmpc_critical_name *name);
void __kmpc_end_reduce_nowait(struct kmpc_ident *loc, int32_t thread, kmpc_critical_name *name);

#pragma GCC visibility pop

#endif
