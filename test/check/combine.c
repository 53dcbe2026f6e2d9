/* test/check/combine.c -- base/combine.h: requests one after the other, each with its answer (CB1 to CB3).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check/instead.h"

#include "base/combine.h"

enum { THREADS = 3, EACH = 2 };

static struct qti_combine object;
static struct qti_combine_node node[THREADS + 1];
static unsigned sum, asked[THREADS], got[THREADS];

/* It looks at what the asking thread has written, and changes what all share. */
static void *add(void *shared, void *arg)
{
	unsigned *s = shared;

	*s += *(const unsigned *)arg;
	return (void *)(uintptr_t)*s;
}

static void begin(void)
{
	qti_combine_init(&object, &node[THREADS]);
}

static void run(unsigned thread)
{
	struct qti_combine_node *spare = &node[thread];
	unsigned before = 0;

	for (unsigned i = 0; i < (thread == 0 ? EACH : 1); i++) {
		asked[thread] = 1 + thread;
		got[thread] = (unsigned)(uintptr_t)qti_combine(&object, &spare, add, &sum, &asked[thread], 2);
		check_that(got[thread] > before, "an answer is later than the one before");
		before = got[thread];
	}
}

static void end(void)
{
	check_that(sum == 1 * EACH + 2 + 3, "every request was served once");
	check_that(got[0] != got[1] && got[1] != got[2] && got[0] != got[2], "one after the other");
}

static const struct check_unit three = {
	.name = "combine", .threads = THREADS, .begin = begin, .run = run, .end = end, .switches = 2, .stale = 2, .most = 12000,
};

int main(int argc, char **argv)
{
	static const struct check_unit *const units[] = { &three };
	static const struct check_program program = { .unit = units, .nunits = 1 };

	return check_run(&program, argc, argv);
}
