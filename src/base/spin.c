/* base/spin.c -- see base/spin.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/spin.h"

#include "base/park.h"

#include <sched.h>

/* Measured by bench/share on two CPUs, as the sum of the rates of all copies of a program.
 *
 * LONGEST_NS     20, 50 and 100 us: two and four copies 0.91, 0.88 and 0.84 of one alone; beside a busy process 400, 680
 *                and 680 steps a second.
 * WAKING_NS      without it 450 steps a second beside a busy process, with it 1,400: an answer from a CPU that was idle
 *                takes 50 us and more in a virtual machine.
 * OTHERS_RAN_NS  a call for nothing takes 0.3 us, one that switches 1.5 us and the other's time. */
enum {
	LONGEST_NS = 50000,
	LEAST_NS = 2000,                /* about two rounds of looks */
	WAKING_NS = 200000,
	OTHERS_RAN_NS = 2000,
	SWITCH_NS = 1000,               /* what a call that switches takes of this thread's own time */
	TRY_EVERY = 16,                 /* costs 50 us in 16 waits of a slice each: 0.1 % */
	HALVES = 6,
};

static uint32_t spin_learnt(const struct qti_spin *s)
{
	return LONGEST_NS - s->shorter_ns;
}

/* Half of `most` at the latest: who may not look for long is to give way at least once before it sleeps. */
static uint64_t spin_limit(const struct qti_spin *s, uint64_t most)
{
	if (s->woke)
		return WAKING_NS;
	uint64_t ns = s->vain % TRY_EVERY == TRY_EVERY - 1 ? LONGEST_NS : spin_learnt(s);
	return ns < most / 2 ? ns : most / 2;
}

static void set_limit(struct qti_spin *s, uint64_t ns)
{
	s->shorter_ns = LONGEST_NS - (uint32_t)(ns < LEAST_NS ? LEAST_NS : ns > LONGEST_NS ? LONGEST_NS : ns);
}

static enum qti_spin_stage give_way(struct qti_spin *s, struct qti_spell *p, uint64_t now, bool hopeless)
{
	s->woke = false;
	sched_yield();
	uint64_t back = qti_now_ns();
	bool others = back - now >= OTHERS_RAN_NS;

	p->spent += now - p->since + (others ? SWITCH_NS : back - now);
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
	if (s->slept % TRY_EVERY == TRY_EVERY - 1)
		return longest;
	return longest >> (s->slept < HALVES ? s->slept : HALVES);
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
