/* qthread/qpool.h -- pools: memory blocks of one size, cheaper than from malloc.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each worker keeps some free items of each pool to itself, so that most calls in tasks touch nothing that is shared.
 * Other threads take turns.  A pool takes memory from the system in large blocks, whole pages of up to
 * QT_MAX_POOL_ALLOC_SIZE bytes, and gives it back when it is destroyed, not before.
 *
 * Tasks and other threads may make all of these calls, before qthread_initialize and after qthread_finalize too; a
 * pool outlives the runtime.  An item may be freed by another task or thread than the one that it was allocated for.
 * No call suspends a task.  What was written to an item before it was freed happened before it is allocated again.
 */
#ifndef QTHREAD_QPOOL_H
#define QTHREAD_QPOOL_H

#include <stddef.h>

#include "common.h"
#include "macros.h"

Q_STARTCXX
#pragma GCC visibility push(default)

typedef struct qt_mpool_s qpool;

/* A pool of items of item_size bytes, at least 16, each at a multiple of 16 bytes.  NULL without memory, or if items
 * cannot be that large. */
qpool *qpool_create(size_t const item_size);

/* The same with items at multiples of `alignment` bytes: a power of two, and 16 is the least that one gets; 0 stands
 * for that.  NULL for any other number. */
qpool *qpool_create_aligned(size_t const item_size, size_t const alignment);

/* An item, whose content is anything; NULL without memory or if pool is NULL. */
void *qpool_alloc(qpool *pool);

/* Give an item back to the pool that it came from.  NULL in place of either is ignored. */
void qpool_free(qpool *restrict pool, void *restrict mem);

/* Free the pool and all of its items, those that have not been given back too.  Nobody may be using it.  NULL is
 * ignored. */
void qpool_destroy(qpool *pool);

#pragma GCC visibility pop
Q_ENDCXX

#endif
