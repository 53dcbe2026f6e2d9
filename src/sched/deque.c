/* sched/deque.c -- the cases of sched/deque.h that need the lock.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sched/deque.h"

#include "base/diag.h"
#include "base/mem.h"
#include "base/tuning.h"

#include <string.h>

int qti_deque_init(struct qti_deque *d, unsigned capacity, unsigned limit)
{
	memset(d, 0, sizeof(*d));
	d->mask = capacity - 1;
	d->limit = limit;
	d->slot = qti_mem_zalloc(capacity * sizeof(*d->slot));
	return d->slot ? QTHREAD_SUCCESS : QTHREAD_MALLOC_ERROR;
}

void qti_deque_fini(struct qti_deque *d)
{
	qti_mem_free(d->slot);
	d->slot = NULL;
}

static struct qti_task *slot_at(const struct qti_deque *d, uint64_t i)
{
	return load_rlx(&d->slot[i & d->mask]);
}

/* The private part is empty, or a thief is about to take from it.  The owner takes half of the public part back,
 * the newer half, and pops from that. */
struct qti_task *qti_deque_pop_public(struct qti_deque *d)
{
	struct qti_task *t = NULL;

	if (d->bottom == load_rlx(&d->top))
		return NULL;            /* nobody but the owner adds to it */
	qti_lock_take(&d->lock);
	while (!t && d->bottom > d->top) {
		if (d->bottom == d->split)
			store_rlx(&d->split, d->split - (d->split - d->top + 1) / 2);
		store_rel(&d->bottom, d->bottom - 1);
		t = slot_at(d, d->bottom);
	}
	QTI_ASSERT(d->top <= d->split && d->split <= d->bottom);
	qti_lock_drop(&d->lock);
	return t;
}

/* Owner: the older half of the private part becomes public. */
void qti_deque_publish(struct qti_deque *d)
{
	if (!qti_lock_try(&d->lock))
		return;                 /* a thief is at it */
	store_rlx(&d->split, d->split + (d->bottom - d->split + 1) / 2);
	qti_lock_drop(&d->lock);
}

/* Owner: all of it does, even if a thief is at it first. */
void qti_deque_publish_all(struct qti_deque *d)
{
	qti_lock_take(&d->lock);
	store_rlx(&d->split, d->bottom);
	qti_lock_drop(&d->lock);
}

/* Under the lock: what stands at the top, up to `end`. */
static void take_oldest(struct qti_deque *d, uint64_t end, struct qti_batch *batch)
{
	uint64_t top = d->top;

	while (top < end && batch->count < batch->max) {
		struct qti_task *t = slot_at(d, top++);
		if (t)
			batch->task[batch->count++] = t;
	}
	store_rel(&d->top, top);                                                /* D4 */
}

void qti_deque_shed(struct qti_deque *d, struct qti_batch *batch)
{
	qti_lock_take(&d->lock);
	take_oldest(d, d->bottom, batch);
	if (d->split < d->top)
		store_rlx(&d->split, d->top);
	d->top_seen = d->top;
	qti_lock_drop(&d->lock);
}

/* Under the lock: the older half of the private part becomes public without its owner's doing. */
static void raise_split(struct qti_deque *d)
{
	uint64_t split = d->split, bottom = load_rlx(&d->bottom);

	if (bottom <= split)
		return;
	uint64_t end = split + (bottom - split + 1) / 2;
	store_rlx(&d->split, end);
	qti_fence_heavy();                                                      /* D2, D3 */
	bottom = load_acq(&d->bottom);                                          /* D1 */
	uint64_t claiming = load_acq(&d->claiming);
	if (end > bottom)
		end = bottom > split ? bottom : split;
	if (claiming > split && claiming <= end)
		end = claiming - 1;
	store_rlx(&d->split, end);
}

bool qti_deque_steal(struct qti_deque *d, struct qti_batch *batch, bool final)
{
	if (final)
		qti_lock_take(&d->lock);
	else if (!qti_lock_try(&d->lock))
		return false;
	if (batch->worth && d->split - d->top + batch->worth <= batch->max - batch->count)
		raise_split(d);
	/* Final: what was raised may be claimed slots only, or be drawn back for a claim that is under way; its owner
	 * may have lost its CPU in the midst of that. */
	for (unsigned looks = 0;; looks++) {
		if (final && d->top == d->split)
			raise_split(d);
		take_oldest(d, d->split, batch);
		if (!final || batch->count > 0 || load_rlx(&d->bottom) <= d->top)
			break;
		qti_pause(looks);
	}
	qti_lock_drop(&d->lock);
	return true;
}

/* Out of the public part, or where a thief may be raising the split. */
static struct qti_task *claim_locked(struct qti_deque *d, const void *ret)
{
	struct qti_task *found = NULL;

	qti_lock_take(&d->lock);
	uint64_t i = d->bottom, reach = i > TUNE_CLAIM_REACH ? i - TUNE_CLAIM_REACH : 0;
	uint64_t end = reach > d->top ? reach : d->top;
	while (!found && i-- > end) {
		struct qti_task *t = slot_at(d, i);
		if (t && load_rlx(&t->ret) == ret)
			found = t;
	}
	if (found)
		store_rlx(&d->slot[i & d->mask], NULL);
	qti_lock_drop(&d->lock);
	return found;
}

/* D3: slot i is private as far as the owner has seen. */
static bool claim_private(struct qti_deque *d, uint64_t i)
{
	store_rlx(&d->claiming, i + 1);
	fence_light();                                                          /* D3 */
	bool mine = load_rlx(&d->split) <= i;
	if (mine)
		store_rlx(&d->slot[i & d->mask], NULL);
	store_rel(&d->claiming, 0);
	return mine;
}

/* D2, as pop: nothing but claimed slots stands above i, so the bottom comes down to it, and on past those below. */
static inline bool claim_newest(struct qti_deque *d, uint64_t i, uint64_t split)
{
	uint64_t b = d->bottom;

	while (i > split && !slot_at(d, i - 1))
		i--;
	store_rel(&d->bottom, i);                                               /* D1 */
	fence_light();                                                          /* D2 */
	if (qti_likely(load_rlx(&d->split) <= i))
		return true;
	store_rel(&d->bottom, b);
	return false;
}

/* A thief may take, run and free a task while it is looked at here: its memory stays a task's (base/pool.h), and
 * a claim that succeeds proves that it had not been taken. */
struct qti_task *qti_deque_claim(struct qti_deque *d, const void *ret)
{
	uint64_t b = d->bottom, split = load_rlx(&d->split);
	uint64_t reach = b > TUNE_CLAIM_REACH ? b - TUNE_CLAIM_REACH : 0;
	uint64_t end = reach > split ? reach : split;
	bool newest = true;

	for (uint64_t i = b; i-- > end;) {
		struct qti_task *t = slot_at(d, i);
		if (!t)
			continue;
		if (load_rlx(&t->ret) == ret) {
			if (qti_likely(newest ? claim_newest(d, i, split) : claim_private(d, i)))
				return t;
			break;
		}
		newest = false;
	}
	return load_rlx(&d->top) < load_rlx(&d->split) ? claim_locked(d, ret) : NULL;
}
