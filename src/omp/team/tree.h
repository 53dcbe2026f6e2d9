/* omp/team/tree.h -- a barrier along a tree of the team's members: nobody adds to a word that others add to.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Terms.  Member i > 0 has the parent (i - 1) / 2, member 0 is the root: a binary tree.  A member's subtree is the
 * member and all below it.  A member is gathered when it waits at the barrier, between two tasks, and its children
 * are gathered.  A wave is one way of that news up to the root; the parents ask for each wave of a barrier but the
 * first, which members gather for when they come.  Waves are numbered through all barriers of a team.  A sum is that
 * of a subtree's counts of explicit tasks, created or finished.  The sleeper is the record of a member that sleeps at
 * the barrier.
 *
 * Promise: as omp/team/barrier.c, which has the barrier in which members meet in one word.  On the way of a member
 * that stays awake there is no read-modify-write: it stores to one line that its parent alone reads, and each parent
 * to one line of each child.  (Distributed tree barrier: Wang and others, Optimizing Fine-Grained Parallelism Through
 * Dynamic Load Balancing.  Termination by four counters: Mattern, Algorithms for distributed termination detection,
 * Distributed Computing 2(3), 1987.)
 *
 * Proof.  The side before || and the side after it run at the same time; -> is one after the other.
 *
 * TB1  gathering: a member stores its sums, then the wave's number in `gathered` (release)  ->  its parent finds that
 *      number (acquire) with each child before it is gathered itself.  So the root has seen what all have done.
 * TB2  going on: a parent stores in `asked` (release) that there is another wave, or that the last one was the
 *      barrier's last  ->  the child finds it (acquire) and passes it on.  It is asked once for each wave, having
 *      gathered for the last one: nothing that is stored there is missed.
 * TB3  quiet: where no task was ever created in the region, which the root knows when all are gathered (TB1), one
 *      wave is enough.  Else the root takes `finished`, F, in one wave, and asks for another, in which it takes
 *      `created`, C.  All members were at the barrier at the time between, t.  Each number in F was read before t,
 *      each in C after it, for nobody gathers for a wave that it has not been asked for (TB2), nor before its
 *      children (TB1).  Both only grow, so F <= finished(t) <= created(t) <= C, and F == C means that at t no task
 *      was unfinished; then nobody was left to create one.  The tasks' effects are seen, too: who gathered for the
 *      second wave had done all that F counts.  As long as sums change within a wave members tell their parents: F
 *      and C may be sums of any time in their waves, and need not be of the same.  The root asks for a second wave
 *      when both sums of the first agree.
 * TB4  a member that goes to sleep stores `sleeper`, calls fence_sc, and looks whether there is anything for it to do
 *      || who gives it something to do - gathers, or asks, or adds a task to the team's list, or cancels the region,
 *      or counts a task of no member as finished - does so, calls fence_sc, and looks for the sleeper.  Who takes it
 *      by exchange (acq_rel), the member itself or another, is alone to have it; the others wake whom they have
 *      taken.
 * TB5  tasks whose end counts with a member run on that member's thread, maybe while it sleeps: then who ends one
 *      finds `watch` and the sleeper, which that same thread has stored before, and rouses the member, which tells
 *      its parent.  The root takes the mark off before it lets the team go.
 *
 * The master sets all of it back before the first region of another number of members, and after one that was
 * cancelled.
 *
 * Who excludes whom.  own: each thread writes its own words.  swap: one of two exchanges gets the sleeper.
 *
 *                          gather   ask, let go   sleep   rouse   run or end a task   begin a region
 *     gather               own      TB2           TB4     TB4     own                 T1
 *     ask, let go                   own           TB4     TB4     TB3                 T1
 *     sleep                                       own     swap    TB4, TB5            T1
 *     rouse                                               swap    -                   -
 *
 * Checked by test/stress/omp_tree.c, test/model/tree.pml and test/check/trees.c.
 */
#ifndef QOMP_TREE_H
#define QOMP_TREE_H

#include "omp/team/team.h"

/* Whether the team, which has its size, is to meet so. */
bool qomp_tree_suits(const struct qomp_team *team);

/* As if no barrier had been. */
void qomp_tree_reset(struct qomp_team *team);

/* What a parent stores in `asked` when the wave was the last of a barrier. */
static inline uint32_t qomp_tree_let_go_after(uint32_t wave)
{
	return wave * 2 + 1;
}

/* Takes the sleeper, if there is one, who is to be woken then; and wakes it: true if there was one.  After a fence, or
 * on the member's thread. */
void qomp_tree_take_sleeper(struct qomp_tree *t, struct qti_waiter **woken);
bool qomp_tree_rouse(struct qomp_tree *t);

/* Rouses any member that sleeps, after a task was added to the list; false: there is none.  The others rouse all, after
 * the region was cancelled, and the root, after a task of no member has ended. */
bool qomp_tree_rouse_one(struct qomp_team *team);
void qomp_tree_rouse_all(struct qomp_team *team);
void qomp_tree_rouse_root(struct qomp_team *team);

#endif
