/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "common/bench.h"
#include "uts/tree.h"

#include <inttypes.h>
#include <stdlib.h>

static unsigned tree_index, words;
static const char *input;

static struct uts_tree tree;
static struct uts_count count;
static bool walked;

static const struct bench_option options[] = {
	{ "tree", "which tree", BENCH_CHOICE, &tree_index, 0, 0, uts_tree_names },
	{ "input", "read the tree from a file: b0 q m seed 1 [nodes depth leaves]", BENCH_TEXT, &input, 0, 0, NULL },
	{ "words", "what a task returns through", BENCH_CHOICE, &words, 0, 0, uts_words_names },
	{ .name = NULL },
};

static void setup(void)
{
	const char *problem = NULL;

	if (input)
		problem = uts_tree_read(&tree, input);
	else
		tree = *uts_tree_named(tree_index);
	if (!problem)
		problem = uts_tree_problem(&tree);
	if (problem)
		bench_usage("uts", "--input %s: %s", input, problem);
}

static void serial(void)
{
	walked = uts_walk_serial(&tree, &count);
}

static void parallel(void)
{
	walked = uts_walk_tasks(&tree, (enum uts_words)words, &count);
}

/* A tree that nobody counted yet: the serial twin's answer becomes the known one. */
static bool learn_answer(void)
{
	struct uts_count twin;

	if (!uts_walk_serial(&tree, &twin))
		return false;
	tree.nodes = twin.nodes;
	tree.depth = twin.depth;
	tree.leaves = twin.leaves;
	return true;
}

static bool check(char *why, size_t size)
{
	if (!walked || (!tree.nodes && !learn_answer())) {
		snprintf(why, size, "out of memory");
		return false;
	}
	return uts_count_check(&tree, &count, why, size);
}

static double units(void)
{
	return (double)count.nodes;
}

static void describe(char *text, size_t size)
{
	if (input)
		snprintf(text, size, "tree of %s (b0 %u, q %.9g, m %u, seed %" PRIu32 "), %s words", input, tree.b0,
			tree.q, tree.m, tree.seed, uts_words_names[words]);
	else
		snprintf(text, size, "tree %s (b0 %u, q %.9g, m %u, seed %" PRIu32 "), %s words",
			uts_tree_names[tree_index], tree.b0, tree.q, tree.m, tree.seed, uts_words_names[words]);
}

const struct bench_program bench_program = {
	.about = { "uts", "node", "count an unbalanced tree; every node with children is a qthread" },
	.options = options,
	.default_reps = 3,
	.untimed = { setup, NULL },
	.timed = { serial },
	.report = { check, units, describe, NULL },
};

const struct bench_version bench_version = { .parallel = parallel };
