/* test/unit/omp_text.c -- readers of small texts, and strings written piece by piece.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/env/text.h"
#include "tap.h"

#include <string.h>

enum { MAX = 1000 };

/* What is left of the text, or "no" if there was no number. */
static const char *after_number(const char *text, uint64_t *n)
{
	const char *rest = text;

	if (qomp_read_number(&rest, MAX, n))
		return rest;
	return rest == text ? "no" : "no, and it moved";
}

static void numbers(void)
{
	static const struct {
		const char *text, *left;
		unsigned value;
	} good[] = {
		{ "7", "", 7 }, { " 7 ", "", 7 }, { "+7", "", 7 }, { "007", "", 7 }, { "0", "", 0 },
		{ "1000", "", 1000 }, { "7,8", ",8", 7 }, { "\t7\n x", "x", 7 }, { "0x7", "x7", 0 },
		{ "7.5", ".5", 7 },
	};
	static const char *const bad[] = {
		"", " ", "x", "-7", "+", "+-7", "+ 7", "1001", "18446744073709551616", "99999999999999999999999",
	};
	uint64_t n = 0;

	for (unsigned i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		is_str(after_number(good[i].text, &n), good[i].left,
			"read_number: what is left of \"%s\"", good[i].text);
		is_int(n, good[i].value, "read_number: and its value");
	}
	n = 5;
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		is_str(after_number(bad[i], &n), "no", "read_number: not in \"%s\"", bad[i]);
	is_int(n, 5, "read_number: leaves the value alone then");
}

static void signed_numbers(void)
{
	const char *text = " -12:+3: 4 :x";
	int64_t n = 0;

	ok(qomp_read_signed(&text, MAX, &n) && n == -12, "read_signed: less than zero");
	ok(qomp_read_char(&text, ':') && qomp_read_signed(&text, MAX, &n) && n == 3, "read_signed: with a plus");
	ok(qomp_read_char(&text, ':') && qomp_read_signed(&text, MAX, &n) && n == 4, "read_signed: without");
	ok(qomp_read_char(&text, ':') && !qomp_read_signed(&text, MAX, &n) && n == 4, "read_signed: not there");
	text = "-1001";
	ok(!qomp_read_signed(&text, MAX, &n), "read_signed: too far from zero");
}

static void words(void)
{
	static const char *const list[] = { "cat", "catfish", "dog", NULL };
	const char *text = "  CatFish dog,cat_ cat";

	is_int(qomp_read_one_of(&text, list), 1, "read_one_of: in any case, and a word goes on to its end");
	is_int(qomp_read_one_of(&text, list), 2, "read_one_of: blanks are passed over");
	is_str(text, ",cat_ cat", "read_one_of: what is left");
	is_int(qomp_read_one_of(&text, list), -1, "read_one_of: not there");
	ok(qomp_read_char(&text, ',') && qomp_read_one_of(&text, list) == -1, "read_one_of: a longer word is another");
	is_str(text, "cat_ cat", "read_one_of: and that is left");
	text = "dog7";
	ok(!qomp_read_word(&text, "dog"), "read_word: a digit goes on, too");
	ok(qomp_read_end("") && qomp_read_end(" \t\n") && !qomp_read_end(" x"), "read_end: blanks are no more text");
}

static void appending(void)
{
	char room[8];
	struct qomp_text t = { room, sizeof(room), 0 };

	qomp_text_add(&t, "%s-%d", "ab", 12);
	is_str(room, "ab-12", "text_add: a piece");
	qomp_text_add(&t, "%s", "xyz");
	is_str(room, "ab-12xy", "text_add: what does not fit is cut off");
	is_int(t.used, 8, "text_add: and counted");
	qomp_text_add(&t, "%s", "more");
	is_str(room, "ab-12xy", "text_add: nothing is added to a full string");
	is_int(t.used, 12, "text_add: but counted");
	t = (struct qomp_text){ NULL, 0, 0 };
	qomp_text_add(&t, "%s", "only counted");
	is_int(t.used, 12, "text_add: without any room");
}

int main(void)
{
	plan(50);
	numbers();
	signed_numbers();
	words();
	appending();
	return done();
}
