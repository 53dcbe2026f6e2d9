/* machine/stacks.h -- where stacks come from: pooled, guarded, known to the checking tools; or the operating system's.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A guard is installed once, when a stack is carved from its slab; reuse costs no system call.
 */
#ifndef QTI_MACHINE_STACKS_H
#define QTI_MACHINE_STACKS_H

#include "machine/stack.h"

enum qti_guard {
	QTI_GUARD_NONE,                 /* switched off */
	QTI_GUARD_MADVISE,              /* MADV_GUARD_INSTALL: no extra mapping, so no limit on their number */
	QTI_GUARD_MPROTECT,             /* two mappings each, so only up to a budget */
};

/* One for each shepherd, so that stacks stay in the memory of the NUMA node that first touched them. */
struct qti_stacks {
	struct qti_pool pool;
	const char *setting;            /* what their size goes by */
	size_t promised;                /* bytes */
	size_t stride;
	size_t page;
	size_t guarded;                 /* bytes below each stack that fault: a frame may be larger than a page */
	enum qti_guard guard;
};

const char *qti_guard_name(enum qti_guard guard);

/* size: bytes promised to a task; rounded up to pages. */
void qti_stacks_init(struct qti_stacks *s, size_t size, bool guard);
void qti_stacks_fini(struct qti_stacks *s);

/* NULL when out of memory.  cache belongs to the calling worker and to `s` alone. */
struct qti_stack *qti_stack_get(struct qti_stacks *s, struct qti_pool_cache *cache);
void qti_stack_put(struct qti_stacks *s, struct qti_pool_cache *cache, struct qti_stack *stack);

/* The stack that the calling OS thread stands on, as far down as it may be used; for its caller's frame. */
QTI_SHARED void qti_stack_of_thread(struct qti_stack *s);

#endif
