/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "alignment/alignment.h"

static inline int greater(int a, int b)
{
	return a > b ? a : b;
}

/* Gotoh's recurrence, a row of the table at a time.  Of the row before, it needs at each column the best score of
 * alignments that end there and of those among them that end in a gap in y. */
int alignment_score(const struct alignment_sequence *x, const struct alignment_sequence *y, int32_t *room)
{
	int32_t *restrict best = room, *restrict gap = room + y->length;
	const uint8_t *restrict letters = y->letters;
	int most = 0;

	for (size_t j = 0; j < y->length; j++)
		best[j] = gap[j] = 0;
	for (size_t i = 0; i < x->length; i++) {
		const int8_t *restrict scores = alignment_scores[x->letters[i]];
		int corner = 0, left = 0, along = 0;

		for (size_t j = 0; j < y->length; j++) {
			along = greater(along, left - ALIGNMENT_OPEN) - ALIGNMENT_EXTEND;
			int down = greater(gap[j], best[j] - ALIGNMENT_OPEN) - ALIGNMENT_EXTEND;
			int here = greater(greater(corner + scores[letters[j]], 0), greater(along, down));
			corner = best[j];
			gap[j] = down;
			best[j] = left = here;
			most = greater(most, here);
		}
	}
	return most;
}

static int gap_cost(size_t letters)
{
	return letters ? ALIGNMENT_OPEN + (int)letters * ALIGNMENT_EXTEND : 0;
}

/* Of the alignments that end with letters i and j above each other, the best one begins with them, or goes on from the
 * best that ends with an earlier pair, after gaps of whatever lies between. */
static int best_ending(int (*ends)[ALIGNMENT_SHORT], size_t i, size_t j, int score)
{
	int before = 0;

	for (size_t k = 0; k < i; k++)
		for (size_t l = 0; l < j; l++)
			before = greater(before, ends[k][l] - gap_cost(i - 1 - k) - gap_cost(j - 1 - l));
	return before + score;
}

int alignment_score_by_definition(const struct alignment_sequence *x, const struct alignment_sequence *y)
{
	int ends[ALIGNMENT_SHORT][ALIGNMENT_SHORT], most = 0;

	for (size_t i = 0; i < x->length; i++)
		for (size_t j = 0; j < y->length; j++) {
			ends[i][j] = best_ending(ends, i, j, alignment_scores[x->letters[i]][y->letters[j]]);
			most = greater(most, ends[i][j]);
		}
	return most;
}
