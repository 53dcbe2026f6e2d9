/* sync/line.c -- see sync/line.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "sync/line.h"

#include "core/gate.h"
#include "sync/waiter.h"

#include <string.h>

struct qti_line qti_lines[1 << QTI_LINES_LOG2];
static bool used;                               /* somebody has waited; saves finalize a walk through the table */

static void line_stand(struct qti_line *l, struct qti_place_in_line *p)
{
	struct qti_place_in_line *before = l->last;

	/* Those of other locks may stand between: they are passed as well, for a later one may be before them. */
	for (struct qti_place_in_line *q = before; q && !qti_place_is_later(p, q); q = q->before)     /* LN4 */
		if (qti_place_is_later(q, p))
			before = q->before;
	p->before = before;
	p->behind = before ? before->behind : l->first;
	*(p->before ? &p->before->behind : &l->first) = p;
	*(p->behind ? &p->behind->before : &l->last) = p;
	p->stands = true;
	store_rlx(&l->sleepers, l->sleepers + 1);
}

static void line_leave(struct qti_line *l, struct qti_place_in_line *p)
{
	*(p->before ? &p->before->behind : &l->first) = p->behind;
	*(p->behind ? &p->behind->before : &l->last) = p->before;
	p->stands = false;
	store_rlx(&l->sleepers, l->sleepers - 1);
	if (l->sleepers == 0)
		l->fenced = false;
}

/* Under the lock, which it drops for the fence: from now on who raises a turn sees that somebody sleeps here. */
static void be_seen(struct qti_line *l, const struct qti_place_in_line *p)
{
	if (l->fenced)                                                          /* LN2 */
		return;
	qti_lock_drop(&l->lock);
	qti_fence_heavy();                                                      /* LN1 */
	qti_lock_take(&l->lock);
	if (p->stands)
		l->fenced = true;
}

bool qti_line_wait(const uint32_t *turn, uint32_t mine)
{
	struct qti_line *l = qti_line_of(turn);
	struct qti_place_in_line p;

	if (qti_waiter_init(&p.waiter, QTI_WAIT_TURN, mine) != QTHREAD_SUCCESS)
		return false;
	p.waiter.word = turn;
	qti_fence_setup();
	store_rlx(&used, true);

	qti_lock_take(&l->lock);
	line_stand(l, &p);
	be_seen(l, &p);
	bool its_turn = p.stands && load_acq(turn) == mine;                     /* LN1 */
	if (its_turn)
		line_leave(l, &p);
	qti_lock_drop(&l->lock);
	if (!its_turn)
		qti_waiter_await(&p.waiter);
	return true;
}

/* Under the lock: whose turn it is, if that one sleeps. */
static struct qti_place_in_line *line_called(const struct qti_line *l, const uint32_t *turn)
{
	struct qti_place_in_line *p = l->first;

	while (p && p->waiter.word != turn)                                     /* LN4 */
		p = p->behind;
	return p && qti_place_ticket(p) == load_acq(turn) ? p : NULL;                     /* LN3 */
}

void qti_line_call_next(const uint32_t *turn)
{
	struct qti_line *l = qti_line_of(turn);
	struct qti_waiter *woken = NULL;

	qti_call_in_anyhow();                   /* it may be a task that waits (GA3) */
	qti_lock_take(&l->lock);
	struct qti_place_in_line *p = line_called(l, turn);
	if (p) {
		line_leave(l, p);
		qti_waiters_add(&woken, &p->waiter);
	}
	qti_lock_drop(&l->lock);
	qti_wake_all(&woken);
	qti_call_out();
}

void qti_lines_each_waiter(qti_waiter_visit visit, void *arg)
{
	for (unsigned i = 0; load_rlx(&used) && i < 1u << QTI_LINES_LOG2; i++) {
		struct qti_line *l = &qti_lines[i];
		qti_lock_take(&l->lock);
		for (const struct qti_place_in_line *p = l->first; p; p = p->behind)
			visit(&p->waiter, arg);
		qti_lock_drop(&l->lock);
	}
}

void qti_lines_forget_tasks(void)
{
	for (unsigned i = 0; load_rlx(&used) && i < 1u << QTI_LINES_LOG2; i++) {
		struct qti_line *l = &qti_lines[i];
		struct qti_place_in_line *p, *next;
		qti_lock_take(&l->lock);
		for (p = l->first; p; p = next) {
			next = p->behind;
			if (p->waiter.task)
				line_leave(l, p);
		}
		qti_lock_drop(&l->lock);
	}
}

void qti_lines_forget(void)
{
	if (load_rlx(&used))
		memset(qti_lines, 0, sizeof(qti_lines));
	store_rlx(&used, false);
}
