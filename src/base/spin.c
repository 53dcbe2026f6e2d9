/* base/spin.c -- see base/spin.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/spin.h"

#include "base/park.h"
#include "base/tuning.h"

#include <sched.h>

static uint32_t spin_learnt(const struct qti_spin *s)
{
	return TUNE_ALONE_NS - s->shorter_ns;
}

/* Half of `most` at the latest: who may not look for long is to give way at least once before it sleeps. */
static uint64_t spin_limit(const struct qti_spin *s, uint64_t most)
{
	if (s->woke)
		return TUNE_WAKING_NS;
	uint64_t ns = s->vain % TUNE_TRY_EVERY == TUNE_TRY_EVERY - 1 ? TUNE_ALONE_NS : spin_learnt(s);
	return ns < most / 2 ? ns : most / 2;
}

static void set_limit(struct qti_spin *s, uint64_t ns)
{
	s->shorter_ns = TUNE_ALONE_NS -
		(uint32_t)(ns < TUNE_ALONE_LEAST_NS ? TUNE_ALONE_LEAST_NS : ns > TUNE_ALONE_NS ? TUNE_ALONE_NS : ns);
}

static enum qti_spin_stage give_way(struct qti_spin *s, struct qti_spell *p, uint64_t now, bool hopeless)
{
	s->woke = false;
	sched_yield();
	uint64_t back = qti_now_ns();
	bool others = back - now >= TUNE_OTHERS_RAN_NS;

	p->spent += now - p->since + (others ? TUNE_SWITCH_NS : back - now);
	p->since = back;
	if (!others)
		return QTI_SPIN_LOOK;
	if (p->gave_way++ == 0 && !hopeless) {
		set_limit(s, spin_learnt(s) / 2);
		s->vain++;
	}
	return QTI_SPIN_BACK;
}

enum qti_spin_stage qti_spin_on(struct qti_spin *s, struct qti_spell *p, uint64_t most, bool hopeless)
{
	uint64_t now = qti_now_ns();

	if (p->since == 0)
		p->since = now;
	uint64_t looked = now - p->since;
	if (p->spent + looked >= most)
		return QTI_SPIN_OVER;
	if (!hopeless && looked < spin_limit(s, most))
		return QTI_SPIN_LOOK;
	return give_way(s, p, now, hopeless);
}

uint64_t qti_spin_most(const struct qti_spin *s, uint64_t longest)
{
	if (s->slept % TUNE_TRY_EVERY == TUNE_TRY_EVERY - 1)
		return longest;
	return longest >> (s->slept < TUNE_HALVES ? s->slept : TUNE_HALVES);
}

void qti_spin_slept(struct qti_spin *s)
{
	s->slept++;
}

void qti_spin_came(struct qti_spin *s, const struct qti_spell *p)
{
	bool woke = s->woke;

	s->slept = 0;
	s->woke = false;
	if (p->gave_way || woke)
		return;
	uint64_t looked = qti_now_ns() - p->since;
	if (looked > spin_learnt(s) / 2)
		set_limit(s, 2 * looked);
	s->vain = 0;
}
