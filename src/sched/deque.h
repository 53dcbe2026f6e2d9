/* sched/deque.h -- a worker's own ready tasks: a bounded deque without fences or locks for its owner.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Terms.
 *
 *        top            split             bottom
 *         |    public     |    private       |
 *     ... [ oldest ...    | ...       newest ] ...        slot[i & mask], indices only grow
 *
 *   owner     the worker whose deque it is; a thief is any other worker.
 *   private   the owner pushes and pops at the bottom, and claims out of the middle, with plain loads and stores.  A
 *             claimed slot is NULL; owner and thieves skip it.
 *   public    changes hands only under `lock`: thieves take from the top, the owner takes back from the split.
 *   split     changes under `lock` too.  The owner raises it (publishes) when another worker has no work.  If the
 *             owner does not come round to that - it may run one task for long - a thief raises the split (D2): one
 *             that makes a final look, or to which what is private is worth a heavy fence.
 *
 * The holder of the lock raises top; the owner alone writes bottom.
 *
 * Promise: each task pushed leaves the deque exactly once, by pop, claim, shed or steal.
 *
 * Proof.
 *
 *   D1  Every store of bottom is a release -> a thief that has raised the split, or who asks for the length, loads it
 *       (acquire); the thief takes nothing above what it finds there.  Who sees a slot counted sees the task and all
 *       that its forker wrote.
 *   D2  pop, or a claim of the newest task, lowers bottom, fence_light, loads split
 *       || a thief raises split, qti_fence_heavy, loads bottom.
 *       Store buffering: either the owner sees the new split and settles the matter under the lock, or the thief
 *       sees the new bottom and draws the split back.  (THE protocol of Cilk-5, Frigo et al., PLDI 1998, with an
 *       asymmetric fence, and for a whole chunk at once.)
 *   D3  claim announces its index in `claiming`, fence_light, loads split || thief as in D2, loads claiming.
 *       Neither side overwrites the slot before it is settled whose the slot is.
 *   D4  top is raised by a release after the slots below it were read -> push loads top (acquire) before it
 *       reuses a slot.
 *
 * Everything else is relaxed: the word is the caller's own, or changes only under the lock that the caller holds.
 * The owner waits for the lock only when it needs the public part.
 *
 * Who excludes whom.  O: the owner calls both, one after the other.  L: the lock.  split: they touch different slots.
 *
 *                             push   pop, claim   pop_public, publish,   steal    steal that
 *                                    (private)    shed, claim (public)            raises split
 *     push                     O         O                 O              D4      D1, D4
 *     pop, claim (private)               O                 O             split    D2, D3
 *     pop_public, publish,                                 O               L         L
 *     shed, claim (public)
 *     steal, either                                                        L         L
 *
 * Checked by test/unit/deque.c, test/stress/deque.c (also under TSan), test/model/deque.pml and test/check/steals.c.
 */
#ifndef QTI_SCHED_DEQUE_H
#define QTI_SCHED_DEQUE_H

#include "base/lock.h"
#include "core/task.h"

struct qti_deque {
	/* The owner's line. */
	uint64_t bottom;
	uint64_t claiming;              /* index + 1; 0: none */
	uint64_t top_seen;              /* a lower bound of top: the last one loaded */
	struct qti_task **slot;
	uint64_t mask;
	uint64_t limit;                 /* tasks held at most; 0: none at all */

	/* The thieves' line. */
	struct qti_lock lock QTI_ALIGNED_LINE;
	uint64_t top;
	uint64_t split;
};

/* Tasks taken under one acquisition of the lock, after those that are in it. */
struct qti_batch {
	unsigned count;
	unsigned max;
	unsigned worth;                 /* the split moves where so many more are wanted than are public; 0: never */
	struct qti_task **task;         /* room for max, oldest first */
};

/* capacity: a power of two; limit at most that.  0 or QTHREAD_MALLOC_ERROR. */
int qti_deque_init(struct qti_deque *d, unsigned capacity, unsigned limit);
void qti_deque_fini(struct qti_deque *d);

/* --- rare cases, out of line --- */
struct qti_task *qti_deque_pop_public(struct qti_deque *d);
void qti_deque_publish(struct qti_deque *d);
void qti_deque_publish_all(struct qti_deque *d);
struct qti_task *qti_deque_claim(struct qti_deque *d, const void *ret);

/* The owner moves up to `max` of its oldest tasks out. */
void qti_deque_shed(struct qti_deque *d, struct qti_batch *batch);

/* A thief takes the oldest public tasks until the batch is full.  False if the lock was busy (never when `final`). */
bool qti_deque_steal(struct qti_deque *d, struct qti_batch *batch, bool final);

/* Tasks in it, roughly; by anybody.  Claimed slots count where newer tasks follow.  Those at the end do not: they stay
 * until the next pop, and who waits would take them for work.  (To lower the bottom past them at once costs fib on two
 * threads 9 %: for a moment they are what makes its owner run tasks in place.) */
static inline uint64_t qti_deque_length(const struct qti_deque *d)
{
	uint64_t top = load_rlx(&d->top), bottom = load_acq(&d->bottom);        /* D1 */

	while (bottom > top && !load_rlx(&d->slot[(bottom - 1) & d->mask]))
		bottom--;
	return bottom > top ? bottom - top : 0;
}

/* Those of them that are public, claimed ones included. */
static inline uint64_t qti_deque_public(const struct qti_deque *d)
{
	uint64_t top = load_rlx(&d->top), split = load_rlx(&d->split);

	return split > top ? split - top : 0;
}

/* Owner: whether there are n.  Where there are fewer it mostly need not look at what thieves write. */
static inline bool qti_deque_holds(struct qti_deque *d, uint64_t n)
{
	if (d->bottom - d->top_seen < n)
		return false;
	d->top_seen = load_acq(&d->top);                                /* D4 */
	return d->bottom - d->top_seen >= n;
}

/* Owner.  False when it is full. */
static inline bool qti_deque_push(struct qti_deque *d, struct qti_task *t)
{
	uint64_t b = d->bottom;

	if (qti_unlikely(b - d->top_seen >= d->limit)) {
		d->top_seen = load_acq(&d->top);                        /* D4 */
		if (b - d->top_seen >= d->limit)
			return false;
	}
	store_rlx(&d->slot[b & d->mask], t);
	store_rel(&d->bottom, b + 1);                                   /* D1 */
	return true;
}

/* Owner.  The newest task, NULL when there is none. */
static inline struct qti_task *qti_deque_pop(struct qti_deque *d)
{
	for (;;) {
		uint64_t b = d->bottom;

		if (b <= load_rlx(&d->split))
			return qti_deque_pop_public(d);
		b--;
		store_rel(&d->bottom, b);                               /* D1 */
		fence_light();                                          /* D2 */
		if (qti_unlikely(load_rlx(&d->split) > b)) {
			store_rel(&d->bottom, b + 1);
			return qti_deque_pop_public(d);
		}
		struct qti_task *t = load_rlx(&d->slot[b & d->mask]);
		if (qti_likely(t != NULL))
			return t;
	}
}

/* Owner: how many tasks it has while thieves see none. */
static inline uint64_t qti_deque_hidden(const struct qti_deque *d)
{
	uint64_t split = load_rlx(&d->split);

	return load_rlx(&d->top) == split && d->bottom > split ? d->bottom - split : 0;
}

/* Owner: whether it has private tasks while of those that thieves see all have been claimed. */
static inline bool qti_deque_hides_all(const struct qti_deque *d)
{
	uint64_t top = load_rlx(&d->top), split = load_rlx(&d->split);

	while (top < split && !load_rlx(&d->slot[top & d->mask]))
		top++;
	return top >= split && d->bottom > split;
}

#endif
