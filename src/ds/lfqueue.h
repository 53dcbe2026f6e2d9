/* ds/lfqueue.h -- a lock-free FIFO queue of pointers for any number of threads on both sides.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A chain of segments, each an array of cells.  A word holds the address of a segment and, in the bits that its
 * alignment leaves free, an index into it; `tail` is where the next element goes, `head` where the next one comes from.
 * Adding one to a word takes a cell of that segment for good, and the segment's address comes with the index in one
 * step: so it is known for every segment how many threads got hold of it, and it is freed when they have all left.
 * No hazard pointers, no epochs, nothing kept for a thread: any OS thread and any task may call, at any time; nothing
 * here waits or leaves the OS thread.  After O. Giersch and J. Nolte, Fast and Portable Concurrent FIFO Queues With
 * Deterministic Memory Reclamation (IEEE TPDS 33(3), 2022), and for the cells A. Morrison and Y. Afek, Fast Concurrent
 * Queues for x86 Processors (PPoPP 2013) and P. Ramalhete and A. Correia's FAAArrayQueue (2016).  Reclamation is
 * simpler here: whoever retires a segment looks at those that were not free yet, and nobody is asked to tell.
 *
 * A cell is visited by one pusher and one popper, those that took its index from `tail` and from `head`:
 *
 *     NULL     -> element           the pusher (compare-and-swap)
 *     NULL     -> POISON            the popper, when it came first and the pusher does not follow at once (exchange)
 *     element  -> its own address   the popper, which has read it and leaves
 *     POISON   -> its own address   the pusher, which leaves and tries another cell
 *
 * L1  The pusher's compare-and-swap (release) -> the popper's load or exchange (acquire): it sees the whole element.
 * L2  Of a cell's two visitors the last one stores the cell's own address (release) and touches the segment no more
 *     -> the retirer loads it (acquire).  An element that equals the address of its cell is not put there: it would
 *     look like this.
 * L3  An index of CELLS or more takes no cell but holds the segment: its owner moves the word on to the next segment,
 *     or sees that somebody has.  `inside` counts those owners: the one that moved the word adds how many there were
 *     at that moment, each that leaves takes one away (release) -> the retirer loads it (acquire).  One that leaves
 *     while the word is still here takes its index back instead.  So an index never exceeds CELLS by more than the
 *     number of threads, for which there is room: LFQUEUE_ROOM.
 * L4  head leaves a segment only after tail has left it, so a segment that has been retired has seen all its indices
 *     taken, and by L2 and L3 nobody is there any more who could touch it.
 * L5  An element in the first cell of a new segment is in the queue from the moment on when tail has been moved there;
 *     its pusher does not return before.  So head and tail alone tell whether the queue is empty: they are on the same
 *     segment, and head has all that tail has given out, or all there is.
 * L6  That is looked up without holding the segment, which may be freed and come back between the two loads.  Hence
 *     `recycled` rises before a segment is used again, and is read before and after: unchanged, both words are of the
 *     same life of the segment, in which an index below CELLS never falls.  All of these are seq_cst: the argument is
 *     about one order of loads and stores of four words, and a push that has returned is seen by a pop elsewhere that
 *     finds the queue empty, which in turn others may rely on.
 *
 * Progress: a push loses a cell only to a pop that came too early, and after CELLS such losses puts its element into a
 * segment of its own; a pop gives a cell up only for a push under way.  Both are lock-free; memory is what the elements
 * need, one segment for each thread that stands still inside, and one to spare.
 * Checked by test/api/qlfqueue.c, test/stress/lfqueue.c (histories, also under TSan), test/model/lfqueue.pml and
 * test/check/queues.c.
 */
#ifndef QTI_DS_LFQUEUE_H
#define QTI_DS_LFQUEUE_H

#include "base/atomic.h"
#include "qthread/qthread.h"

enum {
	LFQUEUE_ALIGN = 8192,
	LFQUEUE_HEADER = QTI_CACHE_LINE,
	LFQUEUE_CELLS = 15 * 64,
	/* Less than the alignment: the system's allocator can lay segments side by side. */
	LFQUEUE_BYTES = LFQUEUE_HEADER + LFQUEUE_CELLS * sizeof(void *),
	LFQUEUE_ROOM = LFQUEUE_ALIGN - LFQUEUE_CELLS,
};

struct qti_lfsegment {
	struct qti_lfsegment *next;     /* set once */
	uint64_t inside;                /* L3 */
	struct qti_lfsegment *retired;  /* in a list of retired ones; its owner's, like the next */
	uint32_t scanned;               /* cells before this one have been left */
	void *cell[] QTI_ALIGNED_LINE;  /* LFQUEUE_CELLS of them */
};

_Static_assert(offsetof(struct qti_lfsegment, cell) == LFQUEUE_HEADER, "cells begin a line");

/* Lines are fetched in pairs; those that pushers and poppers write are not of one pair. */
struct qti_lfqueue {
	uint64_t tail __attribute__((aligned(2 * QTI_CACHE_LINE)));
	uint64_t recycled QTI_ALIGNED_LINE;     /* L6; this line changes once a segment */
	struct qti_lfsegment *spare;            /* all NULL, ready for use */
	struct qti_lfsegment *retired;          /* those that somebody had not left yet */
	uint64_t head __attribute__((aligned(2 * QTI_CACHE_LINE)));
	uint64_t seen;                          /* of tail, by a popper: elements before it were there, most likely */
};

/* QTHREAD_SUCCESS or QTHREAD_MALLOC_ERROR. */
int qti_lfqueue_init(struct qti_lfqueue *q);
/* Nobody uses the queue any more; elements in it are forgotten. */
void qti_lfqueue_fini(struct qti_lfqueue *q);

/* There was a moment during the call when no element was in the queue.  False: there is one, or somebody is putting one
 * there. */
bool qti_lfqueue_is_empty(const struct qti_lfqueue *q);

/* The rare cases of the two below: what to do with a word that brought no cell, or a cell that was lost. */
int qti_lfqueue_push_on(struct qti_lfqueue *q, void *element, uint64_t taken);
void *qti_lfqueue_pop_on(struct qti_lfqueue *q, uint64_t taken);
bool qti_lfqueue_look(struct qti_lfqueue *q);           /* false: empty.  Brings `seen` up to date. */

static inline struct qti_lfsegment *lfqueue_segment(uint64_t word)
{
	return (struct qti_lfsegment *)(uintptr_t)(word & ~(uint64_t)(LFQUEUE_ALIGN - 1));
}

static inline unsigned lfqueue_index(uint64_t word)
{
	return (unsigned)(word & (LFQUEUE_ALIGN - 1));
}

/* Where the cell of an index lies.  Indices that follow each other are handed to different threads, so their cells lie
 * on different lines: each block of 64 is shuffled by a multiplication (9 is odd, and one more than the cells of a
 * line).  In a row, they made two workers that push and pop 512 at a time wait 190 instead of 115 ns for a pair. */
static inline void **lfqueue_cell(struct qti_lfsegment *s, unsigned index)
{
	return &s->cell[index ^ ((index * 9 ^ index) & 63)];
}

/* False when the popper came first, or for L2's sake. */
static inline bool lfqueue_put(void **cell, void *element)
{
	void *seen = NULL;

	return qti_likely(element != (void *)cell) && cas_acq_rel(cell, &seen, element);        /* L1 */
}

static inline void lfqueue_leave(void **cell)
{
	store_rel(cell, (void *)cell);                                                          /* L2 */
}

/* QTHREAD_SUCCESS or QTHREAD_MALLOC_ERROR; then the element is not in the queue. */
static inline int qti_lfqueue_push(struct qti_lfqueue *q, void *element)
{
	const uint64_t taken = add_sc(&q->tail, 1);                                             /* L6 */
	const unsigned i = lfqueue_index(taken);

	if (qti_likely(i < LFQUEUE_CELLS) && qti_likely(lfqueue_put(lfqueue_cell(lfqueue_segment(taken), i), element)))
		return QTHREAD_SUCCESS;
	return qti_lfqueue_push_on(q, element, taken);
}

/* The oldest element; NULL: there was a moment during the call when the queue was empty.
 *
 * An index that no pusher has taken yet is a cell lost, so one is taken only when there seems to be something. */
static inline void *qti_lfqueue_pop(struct qti_lfqueue *q)
{
	const uint64_t ready = load_rlx(&q->seen) - load_rlx(&q->head) - 1;

	if (qti_unlikely(ready >= LFQUEUE_CELLS) && !qti_lfqueue_look(q))
		return NULL;

	const uint64_t taken = add_sc(&q->head, 1);                                             /* L6 */
	const unsigned i = lfqueue_index(taken);

	if (qti_likely(i < LFQUEUE_CELLS)) {
		void **cell = lfqueue_cell(lfqueue_segment(taken), i);
		void *element = load_acq(cell);                                                 /* L1 */
		if (qti_likely(element != NULL)) {
			lfqueue_leave(cell);
			return element;
		}
	}
	return qti_lfqueue_pop_on(q, taken);
}

#endif
