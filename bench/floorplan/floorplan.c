/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* The program: which cells, and whether the area is right. */
#include "floorplan/floorplan.h"

#include "common/tally.h"
#include "floorplan/problem.h"

unsigned long floorplan_depth = 5;
bool floorplan_copies;
struct plan floorplan_empty;

static unsigned long ncells;
static const char *input;
static struct plan_problem problem;
static unsigned long tried;

/* The cells of this seed: how many, and the smallest area.  Those of the papers' 20 would take minutes. */
enum { SEED = 7 };
static const struct {
	unsigned ncells, area;
} made[BENCH_SIZES] = { { 6, 126 }, { 12, 288 }, { 15, 342 }, { 17, 420 } };

/* The search begins with a bound a little above the smallest area, as if some heuristic had been at work: else the
 * order in which a runtime tries the places, which is its own affair, changes the work several times over. */
static void make(unsigned n)
{
	plan_make(&problem, n, SEED);
	for (unsigned i = 0; i < BENCH_SIZES; i++) {
		if (made[i].ncells != n)
			continue;
		problem.known_area = made[i].area;
		problem.bound = made[i].area + made[i].area / 40 + 1;
	}
}

static void setup(void)
{
	char why[200];

	if (!input)
		make(ncells ? (unsigned)ncells : made[bench_size].ncells);
	else if (!plan_read(&problem, input, why, sizeof(why)))
		bench_usage("floorplan", "--input %s", why);
}

static void before(void)
{
	plan_begin(&problem, &floorplan_empty);
}

static void serial(void)
{
	plan_search(&floorplan_empty);
}

static bool check(char *why, size_t size)
{
	const unsigned found = plan_area();

	tried = tally_take();
	if (problem.known_area == 0) {
		before();
		serial();
		problem.known_area = plan_area();
		tally_take();
	}
	if (found == problem.known_area)
		return true;
	snprintf(why, size, "the smallest area came out as %u, is %u", found, problem.known_area);
	return false;
}

/* Those of the last repetition: how many it takes is a matter of luck. */
static double units(void)
{
	return (double)tried;
}

static void describe(char *text, size_t size)
{
	int used = snprintf(text, size, "%u cells", problem.ncells);

	if (input)
		used += snprintf(text + used, size - (size_t)used, " of %s", input);
	if (bench_cutoff != BENCH_NONE)
		snprintf(text + used, size - (size_t)used, ", tasks for the first %lu", floorplan_depth);
}

static const struct bench_option options[] = {
	{ "n", "cells; 6, 12, 15, 17 by size", BENCH_NUMBER, &ncells, 1, 20, NULL },
	{ "input", "a file of cells instead", BENCH_TEXT, &input, 0, 0, NULL },
	{ "cutoff-depth", "how many cells are placed by tasks", BENCH_NUMBER, &floorplan_depth, 1, PLAN_CELLS, NULL },
	{ .name = NULL },
};

const struct bench_program bench_program = {
	.about = { "floorplan", "placement", "the smallest rectangle for cells; every placement is a task" },
	.options = options,
	.takes = { .size = true, .cutoff = true },
	.default_reps = 5,
	.untimed = { setup, before },
	.timed = { serial },
	.report = { check, units, describe, NULL },
};
