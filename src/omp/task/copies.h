/* omp/task/copies.h -- reductions by tasks for which the runtime makes, finds and merges each thread's copies.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each thread of the team has room for a copy of every item, begun when a task on it asks first.  A started task keeps
 * its thread number, so no two tasks use a copy at the same time.  (In omp/task/reduce.h the room alone is the
 * runtime's.)
 */
#ifndef QOMP_COPIES_H
#define QOMP_COPIES_H

#include "omp/team/frame.h"

/* As compiled code describes an item. */
struct qomp_copied {
	void *shared;                   /* what copies are merged into, */
	void *original;                 /* and what they begin with */
	size_t size;
	void (*begin)(void *copy, void *original);      /* NULL: zeros */
	void (*end)(void *copy);                        /* NULL: nothing to do */
	void (*merge)(void *into, void *from);
	uint32_t flags;
};

struct qomp_copies;

/* Tasks of f's innermost group may take part.  Aborts when out of memory. */
struct qomp_copies *qomp_copies_register(struct qomp_frame *f, unsigned n, const struct qomp_copied *item);

/* That group has ended: all that was copied is merged, and the copies go. */
void qomp_copies_merge(struct qomp_copies *c);

/* By all members of a team, each with a `shared` of its own: opens a group; the copies are the team's. */
struct qomp_copies *qomp_copies_open(struct qomp_frame *f, unsigned n, const struct qomp_copied *item);

/* The member's part of that is over.  Waits for all members, and for all tasks; then the member's copies are merged
 * into its own `shared`. */
void qomp_copies_close(struct qomp_frame *f);

/* The running task's copy of what has this address, in any of its forms.  c: where to look first, or NULL. */
void *qomp_copies_find(struct qomp_frame *f, struct qomp_copies *c, void *address);

#endif
