/* omp/team/parts.h -- a loop's chunks in parts, one for each member: who has done its own takes from others'.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For dynamic loops whose chunks may be given out in any order.  Members that take all from one word wait for that
 * word's cache line; here each has a word in a line of its own, and touches others' only when that is used up.
 *
 * The last chunk is in nobody's part: it goes to the first who finds all parts empty, and is the last that it gets.
 * For gcc looks at a member's latest iteration to know whether it has run the loop's last (lastprivate, linear).
 *
 * Terms.  A member's part are chunks that lie side by side, numbered from 1.  Its word has the first of them in the
 * lower half, and the one behind the last in the upper half; the part is empty where the first is not below that.  0:
 * nobody has touched the word, and the part is what a static loop would give the member.  A chunk is taken when
 * somebody is to run it.
 *
 * Promises.  Each chunk is taken once, by a member of the team.  A member takes one chunk at a time: what it does not
 * run yet, however long it is with that chunk, others can take.  They do also from members that have not come to the
 * loop.
 *
 * Proof.
 *
 * PT1  the owner adds 1 to its word, and has taken the chunk that was first if the part was not empty || a robber
 *      compares and swaps a word whose part is not empty for the same part less its upper half, takes the first chunk
 *      of that half, and stores the rest of it in its own word, whose part is empty.
 *
 * All that is shared is in the one word, and each step is one atomic operation on it, so that relaxed orders do:
 * nothing is read or written on the strength of it that other members wrote (the loop's barrier sees to these).  A word
 * may come to have a value again that a robber has seen: the value says which chunks are in the part, and none of them
 * has been taken then, for a chunk that was taken is never put back.  So it does not matter what was there in between.
 * Nobody but the owner writes to a word whose part is empty: its store overwrites nothing.  It adds to one in vain at
 * most once before it stores another part, or leaves: there is room for that in the lower half.
 *
 * A member leaves when its own part is empty and it has seen each other part empty, at whatever times; before it does
 * it adds 1 to the word of the last chunk, which it has taken if that was 0.  So somebody has, and once.  What is in
 * none of the parts is a robber's, between its two steps, and that will have it in its own, where it goes on by itself.
 * What is in the part of a member that has yet to come, that will find.
 *
 * The words are zeroed when their block of shares is (X1, X2 of omp/team/share.h).
 *
 * Checked by test/check/parts.c and test/stress/omp_parts.c.
 */
#ifndef QOMP_PARTS_H
#define QOMP_PARTS_H

#include "base/atomic.h"

enum { QOMP_PARTS_LOOPS = 8 };          /* loops that have a word in a line */

/* A member's. */
struct qomp_parts {
	uint64_t word[QOMP_PARTS_LOOPS] QTI_ALIGNED_LINE;
};

/* With as many chunks all numbers fit, also that after an addition in vain. */
#define QOMP_PARTS_CHUNKS (UINT32_MAX - 2)

/* A loop to a member: num of n. */
struct qomp_parts_loop {
	uint64_t *own;                  /* its word; the other members' are a line apart */
	uint64_t *last;                 /* of the last chunk: 0, nobody has taken that */
	uint32_t chunks;                /* with that */
	unsigned n, num;
};

static inline uint32_t qomp_part_first(uint64_t word)
{
	return (uint32_t)word;
}

static inline uint32_t qomp_part_end(uint64_t word)
{
	return (uint32_t)(word >> 32);
}

/* The member comes to the loop: before it takes anything. */
void qomp_parts_enter(const struct qomp_parts_loop *l);

/* From the member's own part.  false: that is empty; ask qomp_parts_take. */
static inline bool qomp_part_take(uint64_t *own, uint32_t *chunk)
{
	uint64_t was = add_rlx(own, 1);                                                         /* PT1 */

	*chunk = qomp_part_first(was);
	return qti_likely(*chunk < qomp_part_end(was));
}

/* From whichever part there is, or the last.  After that, and where it returns false, for nothing is left, the member
 * does not ask again. */
bool qomp_parts_take(const struct qomp_parts_loop *l, uint32_t *chunk);

#endif
