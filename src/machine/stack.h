/* machine/stack.h -- a stack: where it begins and ends, and how much of it is left.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     | guard pages | ... promised ... | ... reserve ... | struct qti_stack |
 *                   ^ limit                              ^ base
 *
 * A task is promised QT_STACK_SIZE bytes.  It may be run on top of the task that waits for it as long as that much is
 * left; the reserve is where such parents stand.  Memory is committed when touched, so the reserve costs addresses
 * only, and the record lies in the page that a stack's first frame touches anyway.
 */
#ifndef QTI_MACHINE_STACK_H
#define QTI_MACHINE_STACK_H

#include "base/pool.h"

struct qti_stacks;

struct qti_stack {
	struct qti_pool_link link;
	char *limit;
	char *base;
	size_t promised;                /* bytes that must be left for a task to be started on it */
	struct qti_stacks *home;        /* NULL: a stack of the operating system's */
	void *loop;                     /* context of an idle loop that stands on a free stack; NULL: none does */
	uint64_t *canary;               /* NULL where the guard page is real */
	void *tsan_fiber;
	unsigned valgrind_id;
};

static inline size_t qti_stack_left(const struct qti_stack *s)
{
	const char *here = __builtin_frame_address(0);

	return here > s->limit && here <= s->base ? (size_t)(here - s->limit) : 0;
}

enum { QTI_STACK_RESERVE_MAX = 256 << 10 };     /* bytes beyond what is promised */

/* Of the bytes of a stack, the uppermost. */
static inline size_t qti_stack_shallows(size_t size)
{
	return size / 2 < QTI_STACK_RESERVE_MAX ? size / 2 : QTI_STACK_RESERVE_MAX;
}

/* So little of it is used that what comes on top finds as much as it would on another one, or not much less. */
static inline bool qti_stack_shallow(const struct qti_stack *s)
{
	size_t size = (size_t)(s->base - s->limit);

	return qti_stack_left(s) >= size - qti_stack_shallows(size);
}

#endif
