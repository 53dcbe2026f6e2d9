/* core/deal.c -- see core/deal.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/deal.h"

#include "core/ready.h"

#include <string.h>

enum {
	SLOTS = 16,                     /* functions known at once; a forgotten one is learned again */
	MOST_TRUST = 16,                /* so many tasks in vain end it */

	/* Another part of the library has chosen where these run, or their function is not the program's. */
	NOT_OURS = QTI_TASK_GUEST | QTI_TASK_CALLS,
	NEVER_DEALT = QTI_TASK_PINNED | QTI_TASK_BOUND | QTI_TASK_SIMPLE | QTI_TASK_BUBBLE | QTI_TASK_OPEN | NOT_OURS,
};

struct slot {
	qthread_f function;             /* written under the lock, read without it; so is trust */
	uint32_t trust;                 /* above 0: its tasks are dealt out */
};

static struct {
	struct qti_lock lock;
	uint64_t level;                 /* a shepherd with at most so many tasks may get the next */
	unsigned cursor;                /* the shepherd to begin with */
	struct slot slot[SLOTS];
} deal;

void qti_deal_init(void)
{
	memset(&deal, 0, sizeof(deal));
}

/* Functions are aligned to 16 bytes. */
static struct slot *slot_of(qthread_f function)
{
	const uintptr_t bits = (uintptr_t)function >> 4;

	return &deal.slot[(bits ^ bits >> 4 ^ bits >> 8) % SLOTS];
}

/* --- under the lock -------------------------------------------------------------------------------------- */

static void trust_set(struct slot *slot, uint32_t trust)
{
	if (slot->trust == 0 && trust > 0)
		add_rlx(&qti_rt.self_pinning, 1);
	if (slot->trust > 0 && trust == 0)
		sub_rlx(&qti_rt.self_pinning, 1);
	store_rlx(&slot->trust, trust);
}

/* A shepherd that was off duty does not make up for what the others got meanwhile. */
static void shepherd_count(struct qti_shepherd *s)
{
	s->dealt = (s->dealt > deal.level ? s->dealt : deal.level) + 1;
}

static bool shepherd_is_next(const struct qti_shepherd *s)
{
	return !qti_has_stand_in(s) && s->dealt <= deal.level;
}

/* One that has got the fewest; w's own if that is one of them. */
static struct qti_shepherd *shepherd_choose(struct qti_worker *w)
{
	for (int round = 0; round < 2; round++, deal.level++) {
		if (shepherd_is_next(w->shepherd))
			return w->shepherd;
		for (unsigned i = 0; i < qti_rt.nshepherds; i++) {
			struct qti_shepherd *s = &qti_rt.shepherds[deal.cursor];
			deal.cursor = deal.cursor + 1 == qti_rt.nshepherds ? 0 : deal.cursor + 1;
			if (shepherd_is_next(s))
				return s;
		}
	}
	return w->shepherd;
}

/* --- what workers call ----------------------------------------------------------------------------------- */

bool qti_deal_slow(struct qti_worker *w, struct qti_task *t)
{
	if (qti_task_is(t, QTI_TASK_DEALT)) {
		t->flags &= ~(uint32_t)QTI_TASK_PINNED;
		return false;
	}
	if (t->flags & NEVER_DEALT)
		return false;
	const struct slot *slot = slot_of(t->fn);
	if (load_rlx(&slot->function) != t->fn || load_rlx(&slot->trust) == 0)
		return false;

	qti_lock_take(&deal.lock);
	struct qti_shepherd *s = shepherd_choose(w);
	shepherd_count(s);
	qti_lock_drop(&deal.lock);
	t->flags |= QTI_TASK_DEALT;
	t->home = (uint16_t)s->id;
	if (s == w->shepherd)
		return false;
	t->flags |= QTI_TASK_PINNED;
	qti_ready(t);
	return true;
}

void qti_deal_confirm(struct qti_worker *w, struct qti_task *t)
{
	const bool dealt = qti_task_is(t, QTI_TASK_DEALT);

	t->flags &= ~(uint32_t)QTI_TASK_DEALT;
	if (qti_rt.nshepherds == 1 || (t->flags & NOT_OURS))
		return;
	struct slot *slot = slot_of(t->fn);
	if (dealt && load_rlx(&slot->function) == t->fn && load_rlx(&slot->trust) == MOST_TRUST)
		return;
	qti_lock_take(&deal.lock);
	if (!dealt)
		shepherd_count(w->shepherd);
	if (slot->function != t->fn) {
		trust_set(slot, 0);
		store_rlx(&slot->function, t->fn);
	}
	if (slot->trust < MOST_TRUST)
		trust_set(slot, slot->trust + 1);
	qti_lock_drop(&deal.lock);
}

void qti_deal_regret(struct qti_task *t)
{
	struct slot *slot = slot_of(t->fn);
	struct qti_shepherd *s = &qti_rt.shepherds[t->home];

	t->flags &= ~(uint32_t)QTI_TASK_DEALT;
	qti_lock_take(&deal.lock);
	if (slot->function == t->fn && slot->trust > 0)
		trust_set(slot, slot->trust - 1);
	if (s->dealt > 0 && --s->dealt < deal.level) {
		deal.level = s->dealt;
		deal.cursor = s->id;
	}
	qti_lock_drop(&deal.lock);
}
