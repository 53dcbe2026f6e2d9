/* test/api/timer.c -- timers measure, clocks go forward, a cache line has a size.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * None of it needs a runtime.
 */
#include "tap.h"

#include <qthread/cacheline.h>
#include <qthread/qtimer.h>

#include <stddef.h>

static void pass(double seconds)
{
	const double until = qtimer_wtime() + seconds;

	while (qtimer_wtime() < until)
		;
}

static void measures(void)
{
	qtimer_t t = qtimer_create();

	ok(t != NULL, "a timer can be made");
	ok(qtimer_secs(t) == 0.0, "a new timer shows 0");
	qtimer_stop(t);
	ok(qtimer_secs(t) == 0.0, "and still does when stopped without a start");

	const double before = qtimer_wtime();
	qtimer_start(t);
	ok(qtimer_secs(t) == 0.0, "a started timer shows 0 until it is stopped");
	pass(0.02);
	qtimer_stop(t);
	const double most = qtimer_wtime() - before;
	const double first = qtimer_secs(t);
	ok(first >= 0.0199 && first <= most + 1e-6, "20 ms are measured as %.6f s, not more than %.6f s", first, most);
	ok(qtimer_secs(t) == first, "asking does not change the answer");

	pass(0.005);
	qtimer_stop(t);
	ok(qtimer_secs(t) >= first + 0.0049, "a second stop moves the end");
	qtimer_start(t);
	qtimer_stop(t);
	ok(qtimer_secs(t) < qtimer_wtime() - before - 0.02, "a second start forgets the first");
	qtimer_destroy(t);
}

static void clocks(void)
{
	enum { LOOKS = 1000 };
	double last = qtimer_wtime();
	unsigned long numbers[LOOKS];
	int backwards = 0, repeated = 0;

	for (int i = 0; i < LOOKS; i++) {
		const double now = qtimer_wtime();
		backwards += now < last;
		last = now;
		pass(1e-6);
		numbers[i] = qtimer_fastrand();
	}
	is_int(backwards, 0, "qtimer_wtime never goes backwards");
	ok(qtimer_res() > 0.0 && qtimer_res() <= 0.02, "the clock ticks every %g s", qtimer_res());
	for (int i = 1; i < LOOKS; i++)
		repeated += numbers[i] == numbers[i - 1];
	ok(repeated < LOOKS / 10, "qtimer_fastrand gives another number next time (%d of %d did not)", repeated, LOOKS);
}

static void null_is_ignored(void)
{
	qtimer_start(NULL);
	qtimer_stop(NULL);
	qtimer_destroy(NULL);
	ok(qtimer_secs(NULL) == 0.0, "NULL in place of a timer is ignored");
}

static void cacheline(void)
{
	const int bytes = qthread_cacheline();

	ok(bytes >= 16 && bytes <= 1024 && (bytes & (bytes - 1)) == 0, "a cache line of %d bytes", bytes);
	is_int(qthread_cacheline(), bytes, "and of as many the second time");
}

int main(void)
{
	plan(14);
	measures();
	clocks();
	null_is_ignored();
	cacheline();
	return done();
}
