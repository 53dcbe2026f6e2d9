/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "spawn/spawn.h"

unsigned long spawn_n;
uint64_t spawn_done;

static void setup(void)
{
	static const unsigned long sizes[BENCH_SIZES] = { 1000, 1 << 17, 1 << 19, 1 << 20 };

	spawn_n = bench_by_size(spawn_n, sizes);
}

static void before(void)
{
	spawn_done = 0;
}

static void serial(void)
{
	for (unsigned long i = 0; i < spawn_n; i++)
		__atomic_fetch_add(&spawn_done, 1, __ATOMIC_RELAXED);
}

static bool check(char *why, size_t size)
{
	if (spawn_done == spawn_n)
		return true;
	snprintf(why, size, "%lu of %lu tasks ran", (unsigned long)spawn_done, spawn_n);
	return false;
}

static double units(void)
{
	return (double)spawn_n;
}

static void describe(char *text, size_t size)
{
	snprintf(text, size, "%lu tasks", spawn_n);
}

static const struct bench_option options[] = {
	{ "n", "tasks; 1000, 2^17, 2^19, 2^20 by size", BENCH_NUMBER, &spawn_n, 1, 1ul << 28, NULL },
	{ .name = NULL },
};

/* One repetition: programs of this kind run but once, and meet memory that nobody has touched yet. */
const struct bench_program bench_program = {
	.about = { "spawn", "task", "one task forks very many tiny ones and waits for them" },
	.options = options,
	.takes = { .size = true },
	.default_reps = 1,
	.untimed = { setup, before },
	.timed = { serial },
	.report = { check, units, describe, units },
};
