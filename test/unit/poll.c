/* test/unit/poll.c -- a bounded look at a word takes its time, whatever a pause takes.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The clock is the test's own: it goes on by so much from one reading to the next.
 */
#include "base/poll.h"
#include "tap.h"

#include <time.h>

static uint64_t now, step, once;        /* ns; once: beside the step, the next time only */

int clock_gettime(clockid_t clock, struct timespec *t)
{
	(void)clock;
	now += step + once;
	once = 0;
	t->tv_sec = (time_t)(now / 1000000000u);
	t->tv_nsec = (long)(now % 1000000000u);
	return 0;
}

static unsigned looks_in(uint32_t ns)
{
	struct qti_poll poll = { .ns = ns };
	unsigned n = 0;

	do
		n++;
	while (qti_poll_again(&poll));
	return n;
}

/* Where 32 pauses take so long. */
static unsigned looks_where(uint64_t pauses_ns, uint32_t ns)
{
	step = pauses_ns;
	qti_poll_calibrate();
	return looks_in(ns);
}

int main(void)
{
	plan(7);
	ok(looks_in(1000) >= 10 && looks_in(1000) <= 100, "before anything was measured: %u looks in a microsecond", looks_in(1000));
	is_int(looks_where(320, 1024), 102, "a pause takes 10 ns: 102 looks in 1,024 ns");
	is_int(looks_where(32 * 64, 1024), 16, "and 16 where it takes 64 ns");
	once = 1000000;
	is_int(looks_where(320, 1024), 102, "something else that ran meanwhile does not count");
	is_int(looks_in(0), 1, "no time: one look");
	is_int(looks_where(1 << 20, 1024), 1, "where a pause takes longer than that: one look");
	ok(looks_where(0, 1024) <= 1024 * 32, "a clock that stands still bounds it, too");
	return done();
}
