/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "nqueens/nqueens.h"

unsigned long nqueens_n, nqueens_depth = 3;
uint64_t nqueens_result;
static double all_tries, task_tries;

uint64_t nqueens_serial(uint64_t position)
{
	uint64_t total = 0, next;

	if (nqueens_done(position))
		return 1;
	for (unsigned column = 0; column < nqueens_n; column++)
		if (nqueens_place(nqueens_try(position, column), &next))
			total += nqueens_serial(next);
	return total;
}

/* How many squares are tried, by rows. */
static void count_tries(uint64_t position, unsigned row, double *tries)
{
	uint64_t next;

	if (row == nqueens_n)
		return;
	tries[row] += (double)nqueens_n;
	for (unsigned column = 0; column < nqueens_n; column++)
		if (nqueens_place(nqueens_try(position, column), &next))
			count_tries(next, row + 1, tries);
}

static void setup(void)
{
	static const unsigned long sizes[BENCH_SIZES] = { 6, 10, 12, 14 };
	double tries[NQUEENS_MAX] = { 0 };

	nqueens_n = bench_by_size(nqueens_n, sizes);
	count_tries(0, 0, tries);
	for (unsigned row = 0; row < nqueens_n; row++) {
		all_tries += tries[row];
		if (bench_cutoff == BENCH_NONE || row < nqueens_depth)
			task_tries += tries[row];
	}
}

static void serial(void)
{
	nqueens_result = nqueens_serial(0);
}

static bool check(char *why, size_t size)
{
	static const uint64_t known[NQUEENS_MAX + 1] = { 1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712,
		365596, 2279184, 14772512, 95815104, 666090624 };

	if (nqueens_result == known[nqueens_n])
		return true;
	snprintf(why, size, "%lu queens: found %lu ways, there are %lu", nqueens_n, (unsigned long)nqueens_result,
		(unsigned long)known[nqueens_n]);
	return false;
}

static double units(void)
{
	return all_tries;
}

static double tasks(void)
{
	return task_tries;
}

static void describe(char *text, size_t size)
{
	if (bench_cutoff == BENCH_NONE)
		snprintf(text, size, "%lu queens", nqueens_n);
	else
		snprintf(text, size, "%lu queens, tasks in %lu rows", nqueens_n, nqueens_depth);
}

static const struct bench_option options[] = {
	{ "n", "queens; 6, 10, 12, 14 by size", BENCH_NUMBER, &nqueens_n, 1, NQUEENS_MAX, NULL },
	{ "cutoff-depth", "rows that have tasks before the cut-off", BENCH_NUMBER, &nqueens_depth, 1, NQUEENS_MAX,
		NULL },
	{ .name = NULL },
};

const struct bench_program bench_program = {
	.about = { "nqueens", "square", "count the solutions of the n queens puzzle; every square tried is a task" },
	.options = options,
	.takes = { .size = true, .cutoff = true },
	.default_reps = 5,
	.untimed = { setup, NULL },
	.timed = { serial },
	.report = { check, units, describe, tasks },
};
