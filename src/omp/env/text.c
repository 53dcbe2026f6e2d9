/* omp/env/text.c -- see omp/env/text.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/env/text.h"

#include "base/ascii.h"
#include "base/atomic.h"
#include "base/diag.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Locale-independent, unlike isspace. */
static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t\n\v\f\r");
}

bool qomp_read_end(const char *text)
{
	return *skip_blanks(text) == '\0';
}

bool qomp_read_char(const char **text, char c)
{
	const char *p = skip_blanks(*text);

	if (*p != c)
		return false;
	*text = skip_blanks(p + 1);
	return true;
}

bool qomp_read_word(const char **text, const char *word)
{
	const char *p = skip_blanks(*text);
	size_t len = strlen(word);

	if (!qti_ascii_begins(p, word, len) || qti_ascii_is_alnum(p[len]) || p[len] == '_')
		return false;
	*text = skip_blanks(p + len);
	return true;
}

int qomp_read_one_of(const char **text, const char *const *words)
{
	for (int i = 0; words[i]; i++)
		if (qomp_read_word(text, words[i]))
			return i;
	return -1;
}

static bool read_digits(const char *p, const char **text, uint64_t max, uint64_t *value)
{
	uint64_t n = 0;

	if (*p < '0' || *p > '9')
		return false;
	for (; *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, (uint64_t)(*p - '0'), &n))
			return false;
	if (n > max)
		return false;
	*value = n;
	*text = skip_blanks(p);
	return true;
}

bool qomp_read_number(const char **text, uint64_t max, uint64_t *value)
{
	const char *p = skip_blanks(*text);

	return read_digits(p + (*p == '+'), text, max, value);
}

bool qomp_read_signed(const char **text, int64_t max, int64_t *value)
{
	const char *p = skip_blanks(*text);
	uint64_t n;

	if (!read_digits(p + (*p == '+' || *p == '-'), text, (uint64_t)max, &n))
		return false;
	*value = *p == '-' ? -(int64_t)n : (int64_t)n;
	return true;
}

void qomp_text_add(struct qomp_text *t, const char *fmt, ...)
{
	bool fits = t->used < t->size;
	va_list args;

	va_start(args, fmt);
	int n = vsnprintf(fits ? t->at + t->used : NULL, fits ? t->size - t->used : 0, fmt, args);
	va_end(args);
	t->used += n > 0 ? (size_t)n : 0;
}

void qomp_text_write(const struct qomp_text *t)
{
	size_t size = t->used < t->size ? t->used : t->size - 1;
	ssize_t n = 0;

	for (size_t done = 0; done < size && (n >= 0 || errno == EINTR); done += n > 0 ? (size_t)n : 0)
		n = write(STDERR_FILENO, t->at + done, size - done);
}

static uint32_t warns_not;

void qomp_warn_set(bool on)
{
	store_rlx(&warns_not, !on);
}

void qomp_warn(const char *fmt, ...)
{
	va_list args;

	if (load_rlx(&warns_not))
		return;
	va_start(args, fmt);
	qti_say("libqomp: ", fmt, args);
	va_end(args);
}

void qomp_fatal(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	qti_say("libqomp: ", fmt, args);
	va_end(args);
	abort();
}

void qomp_refuse(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	qti_say("libqomp: ", fmt, args);
	va_end(args);
	exit(EXIT_FAILURE);
}
