/* omp/team/bubble.h -- inner regions whose threads are tasks that have not started, in a bubble (core/task.h).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The threads of an outer region live on, each on a worker, and are dispatched.  Those of an inner region in a bubble
 * live for the region alone: the master makes one task of them all ready, and whoever is out of work takes it, begins
 * the first and has the others beside it.  A member stays on the worker that begins it.  The master begins at the
 * region's end, on top of itself, those that nobody has taken.
 *
 * No member begins on top of another thread but there: it would have to end before that thread goes on, and may wait
 * for it, or for what that one holds.  At the region's end the master waits for all members anyway, and all that
 * stands beneath it waits for the region.  Members that wait at a barrier sleep, on stacks of their own, and their
 * workers begin others.
 */
#ifndef QOMP_BUBBLE_H
#define QOMP_BUBBLE_H

#include "omp/env/places.h"
#include "omp/team/root.h"

/* Whether an inner region that f meets is to be one.  Threads that are to be in certain places are there from the
 * beginning. */
static inline bool qomp_bubble_suits(const struct qomp_frame *f)
{
	return qomp_settings.nested == QTI_NESTED_BUBBLES && f->place < QOMP_OUTSIDE && qomp_places.n == 0;
}

/* The master has set up a region of more than one thread: the other members, begun by `begin` (their frame is its
 * argument), are ready. */
void qomp_bubble_fork(struct qomp_team *team, qthread_f begin);

/* The master has come to the region's end: it runs the members that are left where it finds them, on top of itself. */
void qomp_bubble_collect(struct qomp_team *team);

/* An outermost region has ended. */
static inline void qomp_bubble_over(const struct qomp_team *team)
{
	if (qti_unlikely(load_rlx(&team->root->nests)))
		store_rlx(&team->root->nests, false);
}

#endif
