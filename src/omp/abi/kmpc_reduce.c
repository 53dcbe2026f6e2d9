/* omp/abi/kmpc_reduce.c -- reductions by the members of a team, as clang calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled code has three ways and asks which it is to go.  Atomic operations, where it has them, are what GCC's code
 * does always.  The answer follows from what does not change until the end, so that nothing has to remember it.
 */
#include "omp/abi/kmpc_region.h"

#include "omp/team/barrier.h"
#include "omp/team/section.h"
#include "omp/team/standing.h"
#include "omp/team/told.h"

enum { REDUCE_PLAINLY = 1, REDUCE_ATOMICALLY = 2 };

static bool is_alone(void)
{
	return qomp_frame_now()->team->n == 1;
}

static bool is_locked(const struct kmpc_ident *loc)
{
	return !is_alone() && !(kmpc_flags(loc) & KMPC_ATOMIC_REDUCE);
}

static inline int32_t reduce_begin(const struct kmpc_ident *loc, kmpc_critical_name *name)
{
	if (qomp_tool_here() && (is_alone() || is_locked(loc)))
		qomp_tell_reduction(qomp_told_of(qomp_frame()), ompt_scope_begin);
	if (is_locked(loc)) {
		qomp_section_enter((uint32_t *)name);
		qti_race_acquire(name);
	}
	return is_alone() || is_locked(loc) ? REDUCE_PLAINLY : REDUCE_ATOMICALLY;
}

/* Atomic operations are no reduction to a tool: they do not ask for its end everywhere. */
static inline void reduce_end(const struct kmpc_ident *loc, kmpc_critical_name *name)
{
	if (is_locked(loc)) {
		qti_race_release(name);
		qomp_section_leave((uint32_t *)name);
	}
	if (qomp_tool_here() && (is_alone() || is_locked(loc)))
		qomp_tell_reduction(qomp_told_of(qomp_frame()), ompt_scope_end);
}

void __kmpc_end_reduce_nowait(struct kmpc_ident *loc, int32_t thread, kmpc_critical_name *name)
{
	qomp_tool_called();
	(void)thread;
	reduce_end(loc, name);
}

int32_t __kmpc_reduce_nowait(struct kmpc_ident *loc, int32_t thread, int32_t n, size_t size, void *data,
                             void (*merge)(void *into, void *from), kmpc_critical_name *name)
{
	qomp_tool_called();
	(void)thread, (void)n, (void)size, (void)data, (void)merge;
	return reduce_begin(loc, name);
}

int32_t __kmpc_reduce(struct kmpc_ident *loc, int32_t thread, int32_t n, size_t size, void *data,
                      void (*merge)(void *into, void *from), kmpc_critical_name *name)
{
	qomp_tool_called();
	(void)thread, (void)n, (void)size, (void)data, (void)merge;
	return reduce_begin(loc, name);
}

/* All have added theirs when anybody goes on. */
void __kmpc_end_reduce(struct kmpc_ident *loc, int32_t thread, kmpc_critical_name *name)
{
	qomp_tool_called();
	(void)thread;
	reduce_end(loc, name);
	if (is_alone())
		return;
	if (qomp_tool_here())
		qomp_tell_barrier_kind(qomp_told_of(qomp_frame()), ompt_sync_region_barrier_implicit_workshare);
	qomp_barrier(qomp_frame());
}
