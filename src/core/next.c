/* core/next.c -- see core/next.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/next.h"

#include "base/tuning.h"
#include "core/poller.h"
#include "core/ready.h"

static bool after_yield(struct qti_task *t, void *unused)
{
	(void)unused;
	qti_rt.sched->push_yielded(qti_self(), t);
	return true;
}

/* A task that forks and then yields wants them to run.  If it went behind all others, each of these would do the same,
 * and every task of a recursion would wait on a stack of its own before the first of them ended.  So it goes behind
 * those it has forked; but only once, for a task that yields again and again is to let all others run,
 * whatever it forks. */

static bool after_making_way(struct qti_task *t, void *unused)
{
	struct qti_worker *w = qti_self();

	(void)unused;
	qti_rt.sched->push_behind(w, t, w->way);
	return true;
}

/* NULL: it is to let all run. */
static __attribute__((noinline)) struct qti_task *pop_own(struct qti_worker *w, qti_after *after)
{
	uint64_t forked = w->stats.forks - w->forks_then;

	if (forked > TUNE_YIELD_BEHIND || qti_task_is(w->current, QTI_TASK_MADE_WAY) || !qti_rt.sched->push_behind)
		return NULL;
	struct qti_task *t = qti_rt.sched->pop(w);
	if (t) {
		w->current->flags |= QTI_TASK_MADE_WAY;
		w->way = (unsigned)forked - 1;
		*after = after_making_way;
	} else {
		w->forks_then = w->stats.forks; /* none of them is left here: the next yield need not look for them */
	}
	return t;
}

/* The three inboxes take turns at being first: a task that yields in one must not starve the others. */
static __attribute__((noinline)) struct qti_task *from_some_inbox(struct qti_worker *w)
{
	struct qti_taskq *const inbox[] = { &w->inbox, &w->shepherd->inbox, &qti_rt.inbox };
	enum { N = sizeof(inbox) / sizeof(inbox[0]) };
	struct qti_task *t = NULL;

	w->turn = w->turn + 1 == N ? 0 : w->turn + 1;
	for (unsigned i = 0; !t && i < N; i++)
		t = qti_taskq_pop_front(inbox[(w->turn + i) % N]);
	return t;
}

/* No other may run those.  Out of line, as the saved registers are its own then: each look would have them to save. */
static __attribute__((noinline, cold)) struct qti_task *from_own_inbox(struct qti_worker *w)
{
	return qti_taskq_pop_front(&w->inbox);
}

static inline uint32_t inboxes_count(const struct qti_worker *w)
{
	return qti_taskq_count(&w->inbox) + qti_taskq_count(&w->shepherd->inbox) + qti_taskq_count(&qti_rt.inbox);
}

/* One branch for all of it: this is what most yields see. */
static inline bool nothing_comes(const struct qti_worker *w)
{
	return qti_likely(inboxes_count(w) + load_rlx(&qti_rt.idle.awaited) == 0);
}

/* While a task waits for a message this is what yields see. */
static __attribute__((noinline)) struct qti_task *ask_and_look(struct qti_worker *w)
{
	qti_poller_take_turn(w);
	return qti_likely(inboxes_count(w) == 0) ? NULL : from_some_inbox(w);
}

/* Inboxes and the policy's queues take turns: a task that yields in one must not starve the other.  Who yields in an
 * inbox, as the main task does that waits for all it has forked, gives way to several tasks of the policy's, so that
 * its looks cost little beside them; unless these yield, too, for then they may be waiting for each other. */

static inline bool inboxes_first(struct qti_worker *w)
{
	if (qti_likely(w->tick++ < 1))
		return false;
	w->tick = 0;
	return true;
}

struct qti_task *qti_next_local(struct qti_worker *w)
{
	struct qti_task *t;

	if (qti_unlikely(load_rlx(&w->off)))
		return from_own_inbox(w);
	if (inboxes_first(w)) {
		t = nothing_comes(w) ? NULL : ask_and_look(w);
		return t ? t : qti_rt.sched->pop(w);
	}
	if ((t = qti_rt.sched->pop(w)) != NULL || nothing_comes(w))
		return t;
	/* The policy's queues are looked at after that again: where this is the last look before the worker sleeps,
	 * nobody would tell it of what asking has put there (P1 leaves out the worker itself).  Found by
	 * test/unit/poller under xq. */
	bool news = qti_poller_take_turn(w);
	t = from_some_inbox(w);
	return t || qti_likely(!news) ? t : qti_rt.sched->pop(w);
}

/* Who yields goes on if there is none, and looks again.  So one look elsewhere is enough, and the turns need not be
 * counted while nothing comes. */
struct qti_task *qti_next_to_yield(struct qti_worker *w, qti_after *after)
{
	bool here = !(w->current->flags & (QTI_TASK_BOUND | QTI_TASK_PINNED)), nothing = nothing_comes(w);

	if (qti_unlikely(w->tick < 0))
		w->tick = here ? 1 : 0;
	struct qti_task *t = qti_likely(nothing) || !inboxes_first(w) ? NULL : ask_and_look(w);
	*after = here ? after_yield : qti_after_ready;
	if (qti_unlikely(!here) && !t)
		w->tick = -TUNE_YIELD_GIVES;
	else if (qti_unlikely(w->stats.forks != w->forks_then) && !t)
		t = pop_own(w, after);
	if (!t)
		t = here && qti_rt.sched->pop_to_yield ? qti_rt.sched->pop_to_yield(w, after) : qti_rt.sched->pop(w);
	return t || qti_likely(nothing) ? t : ask_and_look(w);
}
