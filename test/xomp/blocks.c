/* test/xomp/blocks.c -- sections, single, master, exclusion and barriers as ROSE lowers them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "xomp/constructs.h"

#include "tap.h"

enum { ROUNDS = 500 };

static void sections(void)
{
	int ran[5] = { 0 };
	bool good = true;

	for (int i = 1; i <= 20; i++)
		good = sections_last(ran) == 30 && ran[0] == i && ran[1] == i && ran[2] == i && good;
	ok(good, "sections: each runs once; lastprivate: what the last one left");
	for (int i = 0; i < 5; i++)
		ran[i] = 0;
	sections_many(ROUNDS, ran);
	for (int i = 0; i < 5; i++)
		good = good && ran[i] == ROUNDS;
	ok(good, "sections without barriers: each runs once every time");
}

static void one_thread(void)
{
	int number = 0;

	ok(single_barrier(ROUNDS) == ROUNDS, "single: by one thread, and all see it behind the barrier");
	ok(single_nowait(ROUNDS) == ROUNDS, "single without barriers: by one thread each time");
	ok(master_only(ROUNDS, &number) == ROUNDS && number == 0, "master: by thread 0");
}

static void exclusion(void)
{
	long threads = omp_get_max_threads(), other;

	ok(critical_unnamed(ROUNDS) == ROUNDS * threads, "critical: one at a time");
	bool good = critical_named(ROUNDS, &other) == ROUNDS * threads;
	ok(good && other == 3 * ROUNDS * threads, "critical with names: one at a time in each; one within another");
	ok(atomic_added(ROUNDS) == 3 * ROUNDS * threads, "atomic");
}

int main(void)
{
	plan(10);
	sections();
	one_thread();
	exclusion();
	ok(barrier_phases(ROUNDS) == 0, "barrier: what all did before it is visible after it");
	ok(flush_published() == 42, "flush");
	return done();
}
