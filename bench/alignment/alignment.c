/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "alignment/alignment.h"

#include <stdlib.h>
#include <string.h>

struct alignment_sequences alignment_input;
unsigned alignment_tasks;

static unsigned long n, seed = 1;
static const char *input;

static const char *const tasks_names[] = { "single", "for", NULL };

static int *scores, *twin; /* of pair (i, j) at i * count + j */

static void setup(void)
{
	static const unsigned long counts[BENCH_SIZES] = { 4, 20, 20, 100 };

	n = bench_by_size(n, counts);
	if (input)
		alignment_read(&alignment_input, input);
	else
		alignment_make(&alignment_input, n, seed);
	n = alignment_input.count;
	scores = bench_room("alignment", n * n, sizeof(*scores));
}

static void before(void)
{
	memset(scores, 0, n * n * sizeof(*scores));
}

void alignment_pair(size_t i, size_t j)
{
	const struct alignment_sequence *x = &alignment_input.each[i], *y = &alignment_input.each[j];
	int32_t *room = bench_room("alignment", 2 * y->length, sizeof(*room));

	scores[i * n + j] = alignment_score(x, y, room);
	free(room);
}

static void serial(void)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			alignment_pair(i, j);
}

/* Is the way in which scores are found right?  For the beginnings of the first sequences, the definition tells. */
static bool check_kernel(char *why, size_t size)
{
	int32_t room[2 * ALIGNMENT_SHORT];
	struct alignment_sequence first[2];

	for (size_t i = 1; i < n && i < 8; i++) {
		for (size_t k = 0; k < 2; k++) {
			first[k] = alignment_input.each[i - 1 + k];
			if (first[k].length > ALIGNMENT_SHORT)
				first[k].length = ALIGNMENT_SHORT;
		}
		const int got = alignment_score(&first[0], &first[1], room);
		const int right = alignment_score_by_definition(&first[0], &first[1]);
		if (got == right)
			continue;
		snprintf(why, size, "the beginnings of sequences %zu and %zu score %d, right is %d", i - 1, i, got,
			right);
		return false;
	}
	return true;
}

static void learn_answer(void)
{
	int *keep = scores;

	twin = bench_room("alignment", n * n, sizeof(*twin));
	scores = twin;
	serial();
	scores = keep;
}

static bool check(char *why, size_t size)
{
	if (!twin) {
		learn_answer();
		if (!check_kernel(why, size))
			return false;
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++) {
			const size_t at = i * n + j;
			if (scores[at] == twin[at])
				continue;
			snprintf(why, size, "sequences %zu and %zu score %d, the serial twin has %d", i, j, scores[at],
				twin[at]);
			return false;
		}
	return true;
}

static double units(void)
{
	double cells = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			cells += (double)alignment_input.each[i].length * (double)alignment_input.each[j].length;
	return cells;
}

static double tasks(void)
{
	return (double)n * (double)(n - 1) / 2;
}

static void describe(char *text, size_t size)
{
	const char *slash = input ? strrchr(input, '/') : NULL;

	snprintf(text, size, "%lu sequences%s%.80s, tasks by %s", n, input ? " of " : "",
		slash           ? slash + 1
			: input ? input
				: "",
		tasks_names[alignment_tasks]);
}

const struct bench_option alignment_tasks_option[] = {
	{ "tasks", "made by one producer, or by a loop of them", BENCH_CHOICE, &alignment_tasks, 0, 0, tasks_names },
	{ .name = NULL },
};

static const struct bench_option options[] = {
	{ "n", "sequences to make up; 4, 20, 20, 100 by size", BENCH_NUMBER, &n, 2, 10000, NULL },
	{ "seed", "of the sequences", BENCH_NUMBER, &seed, 0, 1 << 20, NULL },
	{ "input", "read the sequences from a file: a line > before each one", BENCH_TEXT, &input, 0, 0, NULL },
	{ .name = NULL },
};

const struct bench_program bench_program = {
	.about = { "alignment", "cell", "scores of the best local alignments of all pairs of proteins" },
	.options = options,
	.takes = { .size = true },
	.default_reps = 5,
	.untimed = { setup, before },
	.timed = { serial },
	.report = { check, units, describe, tasks },
};
