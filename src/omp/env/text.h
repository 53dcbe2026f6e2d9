/* omp/env/text.h -- reading the values of environment variables, and writing lines.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A reader takes something from the front of *text, and the blanks around it; if it is not there, it returns false
 * and leaves *text alone.
 */
#ifndef QOMP_TEXT_H
#define QOMP_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool qomp_read_char(const char **text, char c);
bool qomp_read_word(const char **text, const char *word);       /* in any case, and the word does not go on */
bool qomp_read_number(const char **text, uint64_t max, uint64_t *value);        /* decimal, a + before it is fine */
bool qomp_read_signed(const char **text, int64_t max, int64_t *value);          /* its absolute value is at most max */
bool qomp_read_end(const char *text);                           /* nothing but blanks is left */

/* The index of the first word that is there; -1: none.  words ends with NULL. */
int qomp_read_one_of(const char **text, const char *const *words);

/* A string that is written piece by piece. */
struct qomp_text {
	char *at;                       /* always ends with a null character if size > 0 */
	size_t size;                    /* bytes at `at` */
	size_t used;                    /* characters that were written; those that did not fit are counted, too */
};

void qomp_text_add(struct qomp_text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* To stderr, as much of it as there is. */
void qomp_text_write(const struct qomp_text *t);

/* Whether the next says anything. */
void qomp_warn_set(bool on);

/* A line on stderr that begins with "libqomp: ".  The second ends the program: nothing else can be done.  The third
 * ends it by exit(3), with status 1: its user has asked for what cannot be had. */
void qomp_warn(const char *fmt, ...) __attribute__((cold, format(printf, 1, 2)));
void qomp_fatal(const char *fmt, ...) __attribute__((noreturn, cold, format(printf, 1, 2)));
void qomp_refuse(const char *fmt, ...) __attribute__((noreturn, cold, format(printf, 1, 2)));

#endif
