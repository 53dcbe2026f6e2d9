/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "prodcons/prodcons.h"

#include "common/tally.h"

unsigned long prodcons_tasks, prodcons_producers = 1;
static unsigned long maxload = 128, expected;

unsigned long prodcons_first(unsigned long producer)
{
	return prodcons_tasks / prodcons_producers * producer +
	       prodcons_tasks % prodcons_producers * producer / prodcons_producers;
}

enum { LARGE = 256 };   /* from there on: as many turns by fewer tasks */

static unsigned long turns(unsigned long task)
{
	return maxload ? bench_scramble(task) % maxload : 0;
}

/* A turn is a multiplication that waits for the one before.  (The paper's is a counter in memory: what that takes depends
 * on the processor's mood and on where the stack is.)  Turns are tallied, and one for the task, so that one that is lost
 * or run twice is found out. */
void prodcons_spin(unsigned long task)
{
	const unsigned long n = turns(task);
	uint64_t x = 1;

	for (unsigned long i = 0; i < n; i++) {
		x *= 0x9e3779b97f4a7c15u;
		bench_keep(x);
	}
	tally_count(n + 1);
}

static void setup(void)
{
	static const unsigned long sizes[BENCH_SIZES] = { 2000, 1000000, 4000000, 16000000 };
	const unsigned long few = bench_by_size(prodcons_tasks, sizes) / (1 + maxload / LARGE);

	if (prodcons_tasks == 0)
		prodcons_tasks = few ? few : 1;
	for (unsigned long i = 0; i < prodcons_tasks; i++)
		expected += turns(i) + 1;
}

static void serial(void)
{
	for (unsigned long i = 0; i < prodcons_tasks; i++)
		prodcons_spin(i);
}

static bool check(char *why, size_t size)
{
	const unsigned long found = tally_take();

	if (found == expected)
		return true;
	snprintf(why, size, "%lu turns and tasks altogether, not %lu", found, expected);
	return false;
}

static double units(void)
{
	return (double)prodcons_tasks;
}

static void describe(char *text, size_t size)
{
	snprintf(text, size, "%lu tasks of less than %lu turns, %lu producers", prodcons_tasks, maxload ? maxload : 1,
		prodcons_producers);
}

static const struct bench_option options[] = {
	{ "n", "tasks; 2000, 1000000, 4000000, 16000000 by size, or fewer that are large", BENCH_NUMBER, &prodcons_tasks, 1, 2000000000, NULL },
	{ "producers", "who makes them, each the same number", BENCH_NUMBER, &prodcons_producers, 1, 4096, NULL },
	{ "maxload", "what the turns of a task's loop stay below", BENCH_NUMBER, &maxload, 0, 1000000000, NULL },
	{ .name = NULL },
};

const struct bench_program bench_program = {
	.about = { "prodcons", "task", "some threads make tasks, all of them run them" },
	.options = options,
	.takes = { .size = true },
	.default_reps = 5,
	.untimed = { setup, NULL },
	.timed = { serial },
	.report = { check, units, describe, units },
};
