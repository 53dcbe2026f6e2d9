/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Scores of the best local alignments of all pairs of proteins.
 *
 * A letter above another counts what BLOSUM62 says of the two, a gap of g letters costs OPEN + g * EXTEND; the score
 * of two sequences is the most that any two stretches of them come to.  A pair is a task. */
#ifndef BENCH_ALIGNMENT_ALIGNMENT_H
#define BENCH_ALIGNMENT_ALIGNMENT_H

#include "common/bench.h"

enum { ALIGNMENT_LETTERS = 24, ALIGNMENT_OPEN = 11, ALIGNMENT_EXTEND = 1, ALIGNMENT_SHORT = 40 };

enum alignment_tasks { ALIGNMENT_SINGLE, ALIGNMENT_FOR };
extern const struct bench_option alignment_tasks_option[]; /* a table of one, for the versions with tasks */
extern unsigned alignment_tasks;                           /* an enum alignment_tasks */

struct alignment_sequence {
	uint8_t *letters; /* indices into alignment_letters */
	size_t length;
};

struct alignment_sequences {
	struct alignment_sequence *each;
	size_t count;
};
extern struct alignment_sequences alignment_input;

/* Scores the pair i < j of the input and keeps the score. */
void alignment_pair(size_t i, size_t j);

/* What may stand in a sequence, and what two letters count (matrix.c). */
extern const char alignment_letters[ALIGNMENT_LETTERS + 1];
extern const int8_t alignment_scores[ALIGNMENT_LETTERS][ALIGNMENT_LETTERS];

/* The score of two sequences (kernel.c); room has space for 2 * y->length numbers. */
int alignment_score(const struct alignment_sequence *x, const struct alignment_sequence *y, int32_t *room);
/* The same straight from the definition, for sequences of up to ALIGNMENT_SHORT letters. */
int alignment_score_by_definition(const struct alignment_sequence *x, const struct alignment_sequence *y);

/* Sequences of a file of the usual form, ended by the program if there is anything wrong with it (input.c). */
void alignment_read(struct alignment_sequences *to, const char *path);
/* As many made up ones, of lengths as real ones have them. */
void alignment_make(struct alignment_sequences *to, size_t count, uint64_t seed);

#endif
