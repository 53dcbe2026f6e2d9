/* sync/line.h -- those who stand in line for a ticket lock and sleep until it is their turn.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The lock itself has no room for them, so they stand in a fixed table, many locks at one place of it, those of a lock
 * in the order of their tickets.  Who raises the turn and who goes to sleep meet in a store buffering pattern:
 *
 *   LN1  raise:  store the turn (release);              fence_light;       look at `sleepers` of its place
 *        sleep:  stand in line (`sleepers` not 0);      qti_fence_heavy;   look at the turn again; sleep
 *        so either the sleeper sees its turn, or the other sees a sleeper.
 *   LN2  While somebody sleeps there whose heavy fence has been (`fenced`, under the place's lock), others need none: a
 *        look that misses them happened before that fence, and the turn that was stored before the look is visible.
 *   LN3  Once the turn is stored the lock may be somebody else's, and its memory gone.  So the look is at the table;
 *        and the turn is read again only if somebody stands in line for it, under the place's lock.
 *   LN4  Who raises the turn asks the first who stands there for its lock, no other: so who comes late stands before
 *        all those of that lock with later tickets, whoever waits for other locks between them.
 *
 * Checked by test/api/spinlock.c, test/stress/line.c, test/unit/line.c, test/check/lines.c.
 */
#ifndef QTI_SYNC_LINE_H
#define QTI_SYNC_LINE_H

#include "base/lock.h"
#include "sync/waiter.h"

enum { QTI_LINES_LOG2 = 9 };

struct qti_place_in_line {
	struct qti_waiter waiter;               /* word: the turn; value: the ticket */
	struct qti_place_in_line *before, *behind;
	bool stands;                            /* under the line's lock */
};

struct qti_line {
	uint32_t sleepers QTI_ALIGNED_LINE;     /* changes under the lock */
	bool fenced;
	struct qti_lock lock;
	struct qti_place_in_line *first, *last;
};

extern struct qti_line qti_lines[1 << QTI_LINES_LOG2];

static inline struct qti_line *qti_line_of(const uint32_t *turn)
{
	return &qti_lines[((uint64_t)(uintptr_t)turn * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - QTI_LINES_LOG2)];
}

static inline uint32_t qti_place_ticket(const struct qti_place_in_line *p)
{
	return (uint32_t)p->waiter.value;
}

/* In the line of one lock.  Tickets are drawn before their owners get here, not always in this order; and they wrap. */
static inline bool qti_place_is_later(const struct qti_place_in_line *p, const struct qti_place_in_line *than)
{
	return p->waiter.word == than->waiter.word && (int32_t)(qti_place_ticket(p) - qti_place_ticket(than)) > 0;
}

/* Returns when *turn is `mine`; what was done before it became so is visible.  False if there is no memory to wait. */
bool qti_line_wait(const uint32_t *turn, uint32_t mine);

void qti_line_call_next(const uint32_t *turn);

/* The holder's turn is over. */
static inline void qti_line_raise(uint32_t *turn)
{
	store_rel(turn, load_rlx(turn) + 1);                                            /* LN1 */
	fence_light();                                                          /* LN1 */
	if (qti_unlikely(load_rlx(&qti_line_of(turn)->sleepers) != 0))
		qti_line_call_next(turn);
}

/* Calls visit(waiter, arg) for everybody who sleeps, under the lock of that place. */
void qti_lines_each_waiter(qti_waiter_visit visit, void *arg);

void qti_lines_forget_tasks(void);      /* they wait for ever; their stacks are about to go */
void qti_lines_forget(void);            /* in a child of fork(2): nobody waits, no place is locked */

#endif
