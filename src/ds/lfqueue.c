/* ds/lfqueue.c -- see ds/lfqueue.h: new segments, lost cells, and segments that everybody has left.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "ds/lfqueue.h"

#include "base/diag.h"
#include "base/mem.h"
#include "base/poll.h"
#include "base/race.h"
#include "base/tuning.h"

#include <string.h>

/* Added to `inside` by the thread that moved head, or tail, on (L3). */
#define TAIL_MOVED (UINT64_C(1) << 32)
#define HEAD_MOVED (UINT64_C(1) << 33)

/* Any pointer but NULL: only the pusher that finds it in its cell looks at it. */
#define POISON ((void *)1)

static inline uint64_t load_word(const uint64_t *word)
{
	return load_sc(word);                                                                   /* L6 */
}

static inline uint64_t word_of(const struct qti_lfsegment *s, unsigned index)
{
	return (uint64_t)(uintptr_t)s | index;
}

/* --- segments -------------------------------------------------------------------------------------------- */

static struct qti_lfsegment *segment_new(struct qti_lfqueue *q)
{
	struct qti_lfsegment *s = swap_acq_rel(&q->spare, NULL);

	if (!s) {
		s = qti_mem_aligned(LFQUEUE_ALIGN, LFQUEUE_BYTES);
		qti_race_ignore(true);
		if (s)
			memset(s, 0, LFQUEUE_BYTES);
		qti_race_ignore(false);
	}
	return s;
}

/* All NULL, and nobody else's. */
static void segment_keep(struct qti_lfqueue *q, struct qti_lfsegment *s)
{
	qti_mem_free(swap_acq_rel(&q->spare, s));
}

/* Whether everybody has left a retired segment.  What has been seen once need not be seen again. */
static bool segment_is_left(struct qti_lfsegment *s)
{
	if (load_acq(&s->inside) != TAIL_MOVED + HEAD_MOVED)                                    /* L3 */
		return false;
	while (s->scanned < LFQUEUE_CELLS && load_acq(&s->cell[s->scanned]) == (void *)&s->cell[s->scanned])    /* L2 */
		s->scanned++;
	return s->scanned == LFQUEUE_CELLS;
}

static void segment_recycle(struct qti_lfqueue *q, struct qti_lfsegment *s)
{
	add_sc(&q->recycled, 1);                                                                /* L6 */
	qti_race_ignore(true);
	memset(s, 0, LFQUEUE_BYTES);
	qti_race_ignore(false);
	segment_keep(q, s);
}

/* Puts a list back; others may have put some there meanwhile. */
static void retired_add(struct qti_lfqueue *q, struct qti_lfsegment *first, struct qti_lfsegment *last)
{
	struct qti_lfsegment *seen = load_rlx(&q->retired);

	do
		last->retired = seen;
	while (!cas_acq_rel(&q->retired, &seen, first));
}

/* Called once for each segment, by the thread that moved head off it.  The list is taken as a whole, so those who meet
 * here look at different segments, and one that stands still keeps from the others no more than it took. */
static void segment_retire(struct qti_lfqueue *q, struct qti_lfsegment *s)
{
	struct qti_lfsegment *kept = NULL, *last = NULL;

	s->retired = swap_acq_rel(&q->retired, NULL);
	while (s) {
		struct qti_lfsegment *older = s->retired;
		if (segment_is_left(s)) {
			segment_recycle(q, s);
		} else {
			s->retired = kept;
			kept = s;
			if (!last)
				last = s;
		}
		s = older;
	}
	if (kept)
		retired_add(q, kept, last);
}

/* --- moving on ------------------------------------------------------------------------------------------- */

/* The caller holds s by an index beyond its cells, and gives it up (L3). */
static void segment_let_go(uint64_t *word, struct qti_lfsegment *s)
{
	uint64_t seen = load_word(word);

	while (lfqueue_segment(seen) == s) {
		if (cas_acq_rel(word, &seen, seen - 1))
			return;
	}
	sub_acq_rel(&s->inside, 1);
}

/* The same, after seeing to it that the word points to the next segment, whose first cell is taken.  True if this call
 * did it: then `moved` is in the count of s. */
static bool move_on(uint64_t *word, struct qti_lfsegment *s, struct qti_lfsegment *next, uint64_t moved)
{
	uint64_t seen = load_word(word);

	while (lfqueue_segment(seen) == s) {
		if (cas_sc(word, &seen, word_of(next, 1))) {                                    /* L5, L6 */
			add_acq_rel(&s->inside, moved + lfqueue_index(seen) - LFQUEUE_CELLS - 1);
			return true;
		}
	}
	sub_acq_rel(&s->inside, 1);
	return false;
}

/* --- push ------------------------------------------------------------------------------------------------ */

/* The caller holds the last segment, s, by an index beyond its cells.  True if the element went into the first cell of
 * the next; false if that is another's, or there is no memory for one (*rc). */
static bool push_segment(struct qti_lfqueue *q, struct qti_lfsegment *s, void *element, int *rc)
{
	struct qti_lfsegment *next = load_acq(&s->next);
	bool put = false;

	if (!next) {
		struct qti_lfsegment *fresh = segment_new(q);
		if (!fresh) {
			segment_let_go(&q->tail, s);
			*rc = QTHREAD_MALLOC_ERROR;
			return false;
		}
		put = lfqueue_put(lfqueue_cell(fresh, 0), element);
		if (cas_acq_rel(&s->next, &next, fresh)) {
			next = fresh;
		} else {
			put = false;
			store_rlx(lfqueue_cell(fresh, 0), NULL);
			segment_keep(q, fresh);
		}
	}
	move_on(&q->tail, s, next, TAIL_MOVED);
	return put;
}

/* A pusher that lost its cell.  One that found its element unfit for the cell leaves no mark there: that segment stays
 * retired until the queue is destroyed. */
static void push_lost(void **cell)
{
	if (load_acq(cell) != NULL)
		lfqueue_leave(cell);
}

int qti_lfqueue_push_on(struct qti_lfqueue *q, void *element, uint64_t taken)
{
	int rc = QTHREAD_SUCCESS;

	for (;;) {
		struct qti_lfsegment *s = lfqueue_segment(taken);
		const unsigned i = lfqueue_index(taken);
		if (i < LFQUEUE_CELLS) {
			if (lfqueue_put(lfqueue_cell(s, i), element))
				return QTHREAD_SUCCESS;
			push_lost(lfqueue_cell(s, i));
		} else if (push_segment(q, s, element, &rc) || rc != QTHREAD_SUCCESS) {
			return rc;
		}
		taken = add_sc(&q->tail, 1);                                                    /* L6 */
	}
}

/* --- pop ------------------------------------------------------------------------------------------------- */

/* L6: both words of the same life of a segment; false if they are on different ones, and not empty for sure. */
static bool see_both(const struct qti_lfqueue *q, uint64_t *head, uint64_t *tail)
{
	for (;;) {
		const uint64_t recycled = load_word(&q->recycled);
		*head = load_word(&q->head);
		*tail = load_word(&q->tail);
		if (lfqueue_segment(*head) != lfqueue_segment(*tail))
			return false;
		if (load_word(&q->recycled) == recycled)
			return true;
	}
}

static bool nothing_left(uint64_t head, uint64_t tail)
{
	return lfqueue_index(head) >= LFQUEUE_CELLS || lfqueue_index(head) >= lfqueue_index(tail);
}

bool qti_lfqueue_is_empty(const struct qti_lfqueue *q)
{
	uint64_t head, tail;

	return see_both(q, &head, &tail) && nothing_left(head, tail);
}

/* A stale `seen` costs a pop a cell or a look, no more. */
bool qti_lfqueue_look(struct qti_lfqueue *q)
{
	uint64_t head, tail, seen;

	if (!see_both(q, &head, &tail))
		tail = word_of(lfqueue_segment(head), LFQUEUE_CELLS);
	else if (nothing_left(head, tail))
		return false;
	seen = lfqueue_index(tail) < LFQUEUE_CELLS ? tail : word_of(lfqueue_segment(tail), LFQUEUE_CELLS);
	if (load_rlx(&q->seen) != seen)
		store_rlx(&q->seen, seen);
	return true;
}

/* The caller took the cell.  NULL: its pusher came too late. */
static void *pop_cell(struct qti_lfqueue *q, struct qti_lfsegment *s, unsigned i)
{
	void **cell = lfqueue_cell(s, i);
	void *element = load_acq(cell);                                                         /* L1 */
	const uint64_t tail = element ? 0 : load_word(&q->tail);
	struct qti_poll poll = { .ns = TUNE_CELL_NS };

	/* Is somebody to put something there? */
	if (lfqueue_segment(tail) != s || lfqueue_index(tail) > i)
		while (!element && qti_poll_again(&poll))
			element = load_acq(cell);                                               /* L1 */
	if (!element)
		element = swap_acq_rel(cell, POISON);                                           /* L1 */
	if (element)
		lfqueue_leave(cell);
	return element;
}

/* The caller holds the first segment, s, by an index beyond its cells.  True if it was the one to move head on, which
 * takes the next segment's first cell. */
static bool pop_segment(struct qti_lfqueue *q, struct qti_lfsegment *s, struct qti_lfsegment **next)
{
	if (lfqueue_segment(load_word(&q->tail)) == s) {
		segment_let_go(&q->head, s);            /* empty, L5 */
		return false;
	}
	*next = load_acq(&s->next);
	if (!move_on(&q->head, s, *next, HEAD_MOVED))
		return false;
	segment_retire(q, s);
	return true;
}

void *qti_lfqueue_pop_on(struct qti_lfqueue *q, uint64_t taken)
{
	for (;;) {
		struct qti_lfsegment *s = lfqueue_segment(taken);
		const unsigned i = lfqueue_index(taken);
		void *element = NULL;
		if (i < LFQUEUE_CELLS)
			element = pop_cell(q, s, i);
		else if (pop_segment(q, s, &s))
			element = pop_cell(q, s, 0);
		if (element)
			return element;
		if (!qti_lfqueue_look(q))
			return NULL;
		taken = add_sc(&q->head, 1);                                                    /* L6 */
	}
}

/* --- beginning and end ----------------------------------------------------------------------------------- */

int qti_lfqueue_init(struct qti_lfqueue *q)
{
	memset(q, 0, sizeof(*q));
	struct qti_lfsegment *s = segment_new(q);
	if (!s)
		return QTHREAD_MALLOC_ERROR;
	q->head = q->tail = q->seen = word_of(s, 0);
	return QTHREAD_SUCCESS;
}

void qti_lfqueue_fini(struct qti_lfqueue *q)
{
	struct qti_lfsegment *next;

	for (struct qti_lfsegment *s = lfqueue_segment(q->head); s; s = next) {
		next = s->next;
		qti_mem_free(s);
	}
	for (struct qti_lfsegment *s = q->retired; s; s = next) {
		next = s->retired;
		qti_mem_free(s);
	}
	qti_mem_free(q->spare);
}
