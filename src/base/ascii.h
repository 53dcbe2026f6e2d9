/* base/ascii.h -- characters and numbers as text, the same in every locale.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The C library classifies and compares characters, and prints %f, by the locale: a Turkish one has another letter
 * for a small I, a German one a comma for the point.  The library's settings and lines use these functions instead.
 */
#ifndef QTI_BASE_ASCII_H
#define QTI_BASE_ASCII_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static inline bool qti_ascii_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool qti_ascii_is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool qti_ascii_is_print(char c)
{
	return c >= ' ' && c <= '~';
}

static inline char qti_ascii_upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static inline bool qti_ascii_is_alnum(char c)
{
	char upper = qti_ascii_upper(c);

	return qti_ascii_is_digit(c) || (upper >= 'A' && upper <= 'Z');
}

/* Whether the text begins with so many characters of the word, in any case. */
static inline bool qti_ascii_begins(const char *text, const char *word, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (qti_ascii_upper(text[i]) != qti_ascii_upper(word[i]))
			return false;
		if (text[i] == '\0')
			return true;
	}
	return true;
}

/* Whether both are the same, in any case. */
static inline bool qti_ascii_same(const char *a, const char *b)
{
	return qti_ascii_begins(a, b, SIZE_MAX);
}

/* As "%.*f" writes it in the C locale.  The value is at least 0; value * 10^digits fits into 64 bits. */
static inline void qti_ascii_decimal(char *text, size_t size, double value, unsigned digits)
{
	uint64_t one = 1;

	for (unsigned i = 0; i < digits; i++)
		one *= 10;
	uint64_t n = (uint64_t)(value * (double)one + 0.5);
	snprintf(text, size, "%" PRIu64 ".%0*" PRIu64, n / one, (int)digits, n % one);
}

#endif
