/* test/check/lock.c -- base/lock.h: what one holder did the next one sees.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check/instead.h"

#include "base/lock.h"

static struct qti_lock lock;
static unsigned count;

static void begin(void)
{
	count = 0;
}

static void run(unsigned thread)
{
	(void)thread;
	for (unsigned i = 0; i < 2; i++) {
		qti_lock_take(&lock);
		count++;
		qti_lock_drop(&lock);
	}
}

static void end(void)
{
	check_that(count == 4, "each has counted twice");
}

static const struct check_unit by_two = {
	.name = "lock", .threads = 2, .begin = begin, .run = run, .end = end, .switches = 3, .stale = 2, .most = 20000,
};

int main(int argc, char **argv)
{
	static const struct check_unit *const units[] = { &by_two };
	static const struct check_program program = { .unit = units, .nunits = 1 };

	return check_run(&program, argc, argv);
}
