/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* How many ways n queens stand on a board without attacking each other.  Every legal placement is a qthread.
 *
 * A position fits one word - columns taken, and both diagonals as they cross the next row, 20 bits each - so a
 * task's argument is the position itself. */
#include "common/bench.h"

#include <qthread/qthread.h>

enum { FIELD = 20, MAX_N = 18 };

static unsigned long n = 13, cutoff = 0;
static uint64_t result, placements;

static uint64_t field(uint64_t position, unsigned i)
{
	return position >> (i * FIELD) & ((1u << FIELD) - 1);
}

static uint64_t full_row(void)
{
	return (UINT64_C(1) << n) - 1;
}

/* The squares of the next row that no queen attacks. */
static uint64_t open_squares(uint64_t position)
{
	return full_row() & ~(field(position, 0) | field(position, 1) | field(position, 2));
}

static uint64_t place(uint64_t position, uint64_t square)
{
	uint64_t columns = field(position, 0) | square;
	uint64_t left = (field(position, 1) | square) << 1 & full_row();
	uint64_t right = (field(position, 2) | square) >> 1;
	return columns | left << FIELD | right << 2 * FIELD;
}

static uint64_t count_serial(uint64_t position)
{
	uint64_t total = 0;

	if (field(position, 0) == full_row())
		return 1;
	for (uint64_t open = open_squares(position); open; open &= open - 1)
		total += count_serial(place(position, open & -open));
	return total;
}

/* For the figure per task: legal placements down to the cut-off. */
static uint64_t count_placements(uint64_t position, unsigned long row)
{
	uint64_t total = 0;

	if (row == n || (cutoff && row == cutoff))
		return 0;
	for (uint64_t open = open_squares(position); open; open &= open - 1)
		total += 1 + count_placements(place(position, open & -open), row + 1);
	return total;
}

static aligned_t count_tasks(void *arg)
{
	uint64_t position = (uint64_t)(uintptr_t)arg, total = 0;
	aligned_t found[MAX_N];
	unsigned forked = 0, row = (unsigned)__builtin_popcountll(field(position, 0));

	if (row == n)
		return 1;
	if (cutoff && row >= cutoff)
		return count_serial(position);
	for (uint64_t open = open_squares(position); open; open &= open - 1)
		qthread_fork(count_tasks, (void *)(uintptr_t)place(position, open & -open), &found[forked++]);
	while (forked > 0) {
		qthread_readFF(&found[forked - 1], &found[forked - 1]);
		total += found[--forked];
	}
	return total;
}

static void serial(void)
{
	result = count_serial(0);
}

static void parallel(void)
{
	result = count_tasks(NULL);
}

static bool check(char *why, size_t size)
{
	static const uint64_t known[MAX_N + 1] = { 1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596,
		2279184, 14772512, 95815104, 666090624 };

	if (result == known[n])
		return true;
	snprintf(why, size, "%lu queens: found %lu ways, there are %lu", n, (unsigned long)result,
		(unsigned long)known[n]);
	return false;
}

static double units(void)
{
	return (double)placements;
}

static void describe(char *text, size_t size)
{
	if (cutoff)
		snprintf(text, size, "%lu queens, tasks down to row %lu", n, cutoff);
	else
		snprintf(text, size, "%lu queens, every placement a task", n);
}

static void setup(void)
{
	placements = count_placements(0, 0);
}

static const struct bench_option options[] = {
	{ "n", "queens", BENCH_NUMBER, &n, 1, MAX_N, NULL },
	{ "cutoff", "rows below which tasks count serially (0: none)", BENCH_NUMBER, &cutoff, 0, MAX_N, NULL },
	{ .name = NULL },
};

const struct bench_program bench_program = {
	.about = { "nqueens", "placement",
		"count the solutions of the n queens puzzle; every legal placement is a qthread" },
	.options = options,
	.default_reps = 5,
	.untimed = { setup, NULL },
	.timed = { serial },
	.report = { check, units, describe, NULL },
};

const struct bench_version bench_version = { .parallel = parallel };
