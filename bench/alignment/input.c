/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Where the sequences come from.
 *
 * A file has a header line that begins with > before each sequence, whose letters may go over several lines.  Before
 * the first header there may be a line "Number of sequences is N", which then must be so. */
#define _GNU_SOURCE
#include "alignment/alignment.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SEQUENCES = 10000, MOST_LETTERS = 1000000 };

struct reader {
	const char *path;
	unsigned long line, announced;
	struct alignment_sequences *to;
};

static void start_sequence(struct reader *r)
{
	struct alignment_sequences *to = r->to;

	if (to->count == MOST_SEQUENCES)
		bench_usage("alignment", "%s:%lu: more than %d sequences", r->path, r->line, MOST_SEQUENCES);
	to->each[to->count++] = (struct alignment_sequence){ .letters = NULL };
}

static void add_letters(struct reader *r, const char *text, size_t count)
{
	struct alignment_sequence *s = &r->to->each[r->to->count - 1];
	uint8_t *more = s->length + count <= MOST_LETTERS ? realloc(s->letters, s->length + count + 1) : NULL;

	if (!more)
		bench_usage("alignment", "%s:%lu: no room for a sequence of more than %zu letters", r->path, r->line,
			s->length);
	s->letters = more;
	for (size_t i = 0; i < count; i++) {
		const char *at = strchr(alignment_letters, toupper((unsigned char)text[i]));
		if (!at || !*at)
			bench_usage("alignment", "%s:%lu: a letter of a sequence must be one of %s", r->path, r->line,
				alignment_letters);
		s->letters[s->length++] = (uint8_t)(at - alignment_letters);
	}
}

static void read_line(struct reader *r, const char *text, size_t length)
{
	static const char title[] = "Number of sequences is";

	if (length == 0)
		return;
	if (text[0] == '>')
		start_sequence(r);
	else if (r->to->count)
		add_letters(r, text, length);
	else if (strncmp(text, title, sizeof(title) - 1) == 0)
		r->announced = strtoul(text + sizeof(title) - 1, NULL, 10);
	else
		bench_usage("alignment", "%s:%lu: must begin with > or be \"%s N\"", r->path, r->line, title);
}

static void check_file(const struct reader *r)
{
	if (r->announced && r->announced != r->to->count)
		bench_usage("alignment", "%s:%lu: ends after %zu sequences, must have %lu", r->path, r->line,
			r->to->count, r->announced);
	if (r->to->count < 2)
		bench_usage("alignment", "%s:%lu: ends after %zu sequences, must have 2 at least", r->path, r->line,
			r->to->count);
	for (size_t i = 0; i < r->to->count; i++)
		if (!r->to->each[i].length)
			bench_usage("alignment", "%s:%lu: sequence %zu of the file must have letters", r->path, r->line,
				i + 1);
}

void alignment_read(struct alignment_sequences *to, const char *path)
{
	struct reader r = { .path = path, .to = to };
	char *text = NULL;
	size_t size = 0;
	ssize_t length;
	FILE *f = fopen(path, "r");

	if (!f)
		bench_usage("alignment", "--input %s: cannot be read", path);
	*to = (struct alignment_sequences){ .each = bench_room("alignment", MOST_SEQUENCES, sizeof(*to->each)) };
	while ((length = getline(&text, &size, f)) >= 0) {
		r.line++;
		while (length > 0 && isspace((unsigned char)text[length - 1]))
			length--;
		read_line(&r, text, (size_t)length);
	}
	if (ferror(f))
		bench_usage("alignment", "--input %s: cannot be read", path);
	free(text);
	fclose(f);
	check_file(&r);
}

/* One of the twenty that proteins are made of, which come first. */
static uint8_t any_letter(uint64_t *random)
{
	return (uint8_t)(bench_scramble(++*random) % 20);
}

/* A relative of an earlier sequence: of its letters some are lost, some have others after them, some are others. */
static void mutate(struct alignment_sequence *s, const struct alignment_sequence *from, uint64_t *random)
{
	size_t at = 0;

	for (size_t i = 0; i < s->length; i++) {
		const unsigned long chance = bench_scramble(++*random) % 100;
		const bool own = at >= from->length || chance < 40;

		s->letters[i] = own ? any_letter(random) : from->letters[at];
		at += chance < 2 ? 0 : chance < 4 ? 5 : 1;
	}
}

/* Lengths between 90 and 1840, the short ones more frequent, in an order that looks random: the longest sequences of a
 * real set are not the last ones. */
static void set_lengths(struct alignment_sequences *to, uint64_t *random)
{
	for (size_t i = 0; i < to->count; i++) {
		const double rank = ((double)i + 0.5) / (double)to->count;
		to->each[i].length = (size_t)(90 + 1750 * rank * rank);
	}
	for (size_t i = to->count; i > 1; i--) {
		const size_t j = bench_scramble(++*random) % i, length = to->each[j].length;
		to->each[j].length = to->each[i - 1].length;
		to->each[i - 1].length = length;
	}
}

void alignment_make(struct alignment_sequences *to, size_t count, uint64_t seed)
{
	uint64_t random = seed << 40;

	*to = (struct alignment_sequences){ bench_room("alignment", count, sizeof(*to->each)), count };
	set_lengths(to, &random);
	for (size_t i = 0; i < count; i++) {
		struct alignment_sequence *s = &to->each[i];

		s->letters = bench_room("alignment", s->length, 1);
		if (i % 4 == 3) {
			mutate(s, s - 1, &random);
			continue;
		}
		for (size_t k = 0; k < s->length; k++)
			s->letters[k] = any_letter(&random);
	}
}
