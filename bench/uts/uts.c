/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "uts/uts.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

static const char *tree_name, *input;

struct uts_tree uts_tree;
unsigned long uts_depth = 16;
bool uts_leaves;
struct uts_count uts_count;
bool uts_walked;

unsigned long uts_manual_depth(void)
{
	return bench_cutoff == BENCH_MANUAL ? uts_depth : ULONG_MAX;
}

static const struct uts_tree *tree_named(const char *name)
{
	for (unsigned i = 0; uts_tree_names[i]; i++)
		if (strcmp(uts_tree_names[i], name) == 0)
			return uts_tree_named(i);
	bench_usage("uts", "--tree %s: there are tiny, small, a, b and t3l", name);
}

static void setup(void)
{
	static const char *const by_size[BENCH_SIZES] = { "tiny", "small", "a", "b" };
	const char *problem = NULL;

	if (!tree_name)
		tree_name = by_size[bench_size];
	if (input)
		problem = uts_tree_read(&uts_tree, input);
	else
		uts_tree = *tree_named(tree_name);
	if (!problem)
		problem = uts_tree_problem(&uts_tree);
	if (problem)
		bench_usage("uts", "--input %s: %s", input, problem);
}

static void serial(void)
{
	uts_walked = uts_walk_serial(&uts_tree, &uts_count);
}

/* A tree that nobody counted yet: the serial twin's answer becomes the known one. */
static bool learn_answer(void)
{
	struct uts_count twin;

	if (!uts_walk_serial(&uts_tree, &twin))
		return false;
	uts_tree.nodes = twin.nodes;
	uts_tree.depth = twin.depth;
	uts_tree.leaves = twin.leaves;
	return true;
}

static bool check(char *why, size_t size)
{
	if (!uts_walked || (!uts_tree.nodes && !learn_answer())) {
		snprintf(why, size, "out of memory");
		return false;
	}
	return uts_count_check(&uts_tree, &uts_count, why, size);
}

static double units(void)
{
	return (double)uts_count.nodes;
}

static double tasks(void)
{
	/* All, or inner nodes, but the root.  Nobody counts those above a cut-off. */
	return bench_cutoff == BENCH_NONE ? (double)(uts_count.nodes - 1 - (uts_leaves ? 0 : uts_count.leaves)) : -1;
}

static void describe(char *text, size_t size)
{
	int used = snprintf(text, size, "tree %s (b0 %u, q %.9g, m %u, seed %" PRIu32 ")", input ? input : tree_name,
		uts_tree.b0, uts_tree.q, uts_tree.m, uts_tree.seed);

	if (uts_leaves && (size_t)used < size)
		used += snprintf(text + used, size - (size_t)used, ", leaves are tasks, too");
	if (bench_cutoff != BENCH_NONE && (size_t)used < size)
		snprintf(text + used, size - (size_t)used, ", tasks down to depth %lu", uts_depth);
}

static const struct bench_option options[] = {
	{ "tree", "tiny, small, a, b or t3l; the first four by size", BENCH_TEXT, &tree_name, 0, 0, NULL },
	{ "input", "read the tree from a file: b0 q m seed 1 [nodes depth leaves]", BENCH_TEXT, &input, 0, 0, NULL },
	{ "cutoff-depth", "how deep the cut-off lies", BENCH_NUMBER, &uts_depth, 1, 1000000, NULL },
	{ .name = NULL },
};

const struct bench_program bench_program = {
	.about = { "uts", "node", "count an unbalanced tree; every node with children is a task" },
	.options = options,
	.takes = { .size = true, .cutoff = true },
	.default_reps = 3,
	.untimed = { setup, NULL },
	.timed = { serial },
	.report = { check, units, describe, tasks },
};
