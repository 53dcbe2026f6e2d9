/* test/unit/spin.c -- how long a thread looks, gives way and goes on before it sleeps.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The clock is the test's own: it goes forward where the test says so, and by what somebody else takes when the thread
 * gives way.
 */
#include "base/spin.h"
#include "tap.h"

#include <sched.h>
#include <time.h>

#define MS UINT64_C(1000000)

enum { LOOK_NS = 1000, ALL_NS = 300000, MANY = 40 };

static uint64_t now = MS, others_take;
static unsigned yields;

int clock_gettime(clockid_t clock, struct timespec *t)
{
	(void)clock;
	t->tv_sec = (time_t)(now / 1000000000u);
	t->tv_nsec = (long)(now % 1000000000u);
	return 0;
}

int sched_yield(void)
{
	yields++;
	now += others_take;
	return 0;
}

struct wait {
	uint64_t before_yield;          /* ns that it looked before it gave way for the first time */
	uint64_t own;                   /* ns that it looked in all */
	unsigned yields;
	bool over;
};

/* One wait, in which what it waits for comes after `comes` ns of looking: UINT64_MAX: never. */
static struct wait wait_for(struct qti_spin *s, uint64_t comes, uint64_t others, bool hopeless)
{
	struct qti_spell p = { 0 };
	struct wait w = { 0 };

	others_take = others;
	yields = 0;
	while (w.own < comes) {
		if (qti_spin_on(s, &p, ALL_NS, hopeless) == QTI_SPIN_OVER) {
			w.over = true;
			w.yields = yields;
			return w;
		}
		if (yields == 0)
			w.before_yield += LOOK_NS;
		w.own += LOOK_NS;
		now += LOOK_NS;
	}
	qti_spin_came(s, &p);
	w.yields = yields;
	return w;
}

static void nobody_else(void)
{
	struct qti_spin s = { 0 };
	struct wait w = wait_for(&s, UINT64_MAX, 0, false);

	ok(w.over && w.own >= ALL_NS - 2 * LOOK_NS && w.own <= ALL_NS, "without others it looks as long as it may, and sleeps");
	w = wait_for(&s, 30 * LOOK_NS, 0, false);
	ok(w.yields == 0, "and does not give way in a short wait after that");
}

static void somebody_else(void)
{
	struct qti_spin s = { 0 };
	struct wait first = wait_for(&s, UINT64_MAX, 4 * MS, false);
	struct wait second = wait_for(&s, UINT64_MAX, 4 * MS, false);

	ok(first.yields > 0 && first.before_yield > 10 * LOOK_NS, "it looks for a while before it gives way");
	ok(second.before_yield < first.before_yield, "after a wait in which others ran it gives way earlier");
	ok(second.over && second.own + LOOK_NS * second.yields <= ALL_NS && second.own + LOOK_NS * second.yields >= ALL_NS / 2,
	   "what others take does not count as its own time: %u times 4 ms", second.yields);
}

static void learns(void)
{
	struct qti_spin s = { 0 };
	uint64_t longest = wait_for(&s, UINT64_MAX, 4 * MS, false).before_yield, least = longest;
	unsigned tries = 0;

	for (unsigned i = 0; i < MANY; i++) {
		uint64_t looked = wait_for(&s, UINT64_MAX, 4 * MS, false).before_yield;
		least = looked < least ? looked : least;
		tries += looked == longest;
	}
	ok(least <= 3 * LOOK_NS, "where nothing ever comes while it looks, it comes down to a few looks");
	ok(tries >= 1 && tries <= MANY / 8, "but tries the whole time now and then: %u of %u times", tries, MANY);
	while (wait_for(&s, 2 * LOOK_NS, 4 * MS, false).yields > 0)
		continue;
	struct wait w = wait_for(&s, 20 * LOOK_NS, 4 * MS, false);
	for (unsigned i = 0; i < MANY && w.yields > 0; i++)
		w = wait_for(&s, 20 * LOOK_NS, 4 * MS, false);
	w = wait_for(&s, 20 * LOOK_NS, 4 * MS, false);
	ok(w.yields == 0, "and once something has come while it looked, it looks that long again");
}

static void hopeless(void)
{
	struct qti_spin s = { 0 };
	uint64_t longest = wait_for(&(struct qti_spin){ 0 }, UINT64_MAX, 4 * MS, false).before_yield;
	struct wait w = wait_for(&s, UINT64_MAX, 4 * MS, true);

	ok(w.before_yield <= LOOK_NS, "it gives way at once where what it waits for cannot run");
	w = wait_for(&s, UINT64_MAX, 4 * MS, false);
	ok(w.before_yield == longest, "and learns nothing from that");
}

static void woken(void)
{
	struct qti_spin s = { 0 };
	uint64_t longest = wait_for(&(struct qti_spin){ 0 }, UINT64_MAX, 4 * MS, false).before_yield;

	qti_spin_woke(&s);
	struct wait w = wait_for(&s, 2 * longest, 4 * MS, false);
	ok(w.yields == 0, "it gives who had to be woken the time to come");
	w = wait_for(&s, 2 * longest, 4 * MS, false);
	ok(w.yields > 0, "once");
}

static void little_time(void)
{
	struct qti_spell p = { 0 };
	struct qti_spin s = { 0 };

	yields = 0;
	others_take = 4 * MS;
	while (qti_spin_on(&s, &p, 10 * LOOK_NS, false) == QTI_SPIN_LOOK)
		now += LOOK_NS;
	ok(yields == 1 && p.gave_way == 1, "who may look for less than that gives way before it sleeps, too");
}

/* Waits for anything: each wait ends asleep, or after it has looked for a microsecond. */
static uint64_t most_after(struct qti_spin *s, unsigned sleeps)
{
	for (unsigned i = 0; i < sleeps; i++)
		qti_spin_slept(s);
	return qti_spin_most(s, ALL_NS);
}

static void asleep(void)
{
	struct qti_spin s = { 0 };
	unsigned tries = 0;
	bool less = true;

	is_int(qti_spin_most(&s, ALL_NS), ALL_NS, "who has not waited yet may look for the longest time");
	is_int(most_after(&s, 1), ALL_NS / 2, "half as long after a wait that ended asleep");
	for (unsigned i = 0; i < MANY; i++) {
		uint64_t most = most_after(&s, 1);
		tries += most == ALL_NS;
		less = less && (most == ALL_NS || most <= ALL_NS / 4);
	}
	ok(less && most_after(&s, 1) <= ALL_NS / 32, "ever less where all waits do");
	ok(tries >= 1 && tries <= MANY / 8, "but the whole time now and then: %u of %u times", tries, MANY);
	wait_for(&s, LOOK_NS, 0, false);
	is_int(qti_spin_most(&s, ALL_NS), ALL_NS, "and again once something has come while it looked");
}

int main(void)
{
	plan(18);
	nobody_else();
	somebody_else();
	learns();
	hopeless();
	woken();
	little_time();
	asleep();
	return done();
}
