/* base/setting_text.c -- see base/setting_text.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/setting_text.h"

#include "base/ascii.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reading: NULL if it is fine, else what is wrong with it ---------------------------------------------------- */

/* Digits in C's notation.  *rest is what follows them. */
static bool parse_digits(const char *text, uint64_t *value, const char **rest, bool *overflow)
{
	char *end;

	if (!qti_ascii_is_digit(*text))             /* strtoull would take spaces and a sign */
		return false;
	errno = 0;
	*value = strtoull(text, &end, 0);
	*overflow = errno == ERANGE;
	*rest = end;
	return true;
}

static bool only_spaces(const char *text)
{
	while (qti_ascii_is_space(*text))
		text++;
	return *text == '\0';
}

static const char *parse_number(const struct qti_setting_desc *d, const char *text, uint64_t *value)
{
	const char *rest, *suffix, *units = "KMG";
	bool overflow;

	while (qti_ascii_is_space(*text))
		text++;
	bool minus = *text == '-' && qti_ascii_is_digit(text[1]);
	if (!parse_digits(text + minus, value, &rest, &overflow))
		return d->kind == QTI_KIND_SIZE ? "not a size" : "not a number";
	if (d->kind == QTI_KIND_SIZE && *rest && (suffix = strchr(units, qti_ascii_upper(*rest))) != NULL) {
		overflow |= __builtin_mul_overflow(*value, (uint64_t)1 << (10 * (suffix - units + 1)), value);
		rest++;
	}
	if (!only_spaces(rest))
		return d->kind == QTI_KIND_SIZE ? "not a size" : "not a number";
	return minus || overflow || *value > d->max || *value < d->min ? "out of range" : NULL;
}

static const char word_ends[] = ", ";

unsigned qti_setting_parse_choice(const struct qti_setting_desc *d, const char *text)
{
	unsigned n = 1;

	for (const char *word = d->words; *word; word += strspn(word, word_ends), n++) {
		size_t len = strcspn(word, word_ends);
		if (qti_ascii_begins(text, word, len) && only_spaces(text + len))
			return n;
		word += len;
	}
	return 0;
}

/* What follows e or E.  False if it is no number. */
static bool parse_exponent(const char *text, long *value, const char **rest)
{
	char *end;

	if (!qti_ascii_is_digit(text[*text == '-' || *text == '+']))        /* strtol would take spaces */
		return false;
	*value = strtol(text, &end, 10);
	*rest = end;
	/* Beyond any text's length either way, and as far from the ends of a long. */
	if (*value > LONG_MAX / 2 || *value < -LONG_MAX / 2)
		*value /= 2;
	return true;
}

/* The digits of a share, the first of which stands at this place: 0 is that of ones.  Beyond 1 it is any number. */
static uint64_t share_of(const char *digits, const char *end, long place)
{
	uint64_t share = 0;
	bool finer = false;             /* what a share has no place for, but 1 and that is more than 1 */

	for (; digits < end; digits++) {
		unsigned digit = *digits == '.' ? 0 : (unsigned)(*digits - '0');
		uint64_t unit = QTI_SHARE_ONE;
		for (long p = place; p < 0 && unit > 0; p++)
			unit /= 10;
		if (digit != 0 && place > 0)
			return UINT64_MAX;
		share += unit * digit;
		finer = finer || (unit == 0 && digit != 0);
		place -= *digits != '.';
	}
	return share + (share >= QTI_SHARE_ONE && finer);
}

/* As strtod reads decimal numbers, whatever the locale. */
static const char *parse_share(const char *text, uint64_t *value)
{
	static const char decimal[] = "0123456789";

	while (qti_ascii_is_space(*text))
		text++;
	bool minus = *text == '-';
	text += minus || *text == '+';
	size_t whole = strspn(text, decimal), point = text[whole] == '.';
	size_t part = point ? strspn(text + whole + 1, decimal) : 0;
	const char *end = text + whole + point + part, *rest = end;
	long exponent = 0;
	if (whole + part == 0 || (qti_ascii_upper(*end) == 'E' && !parse_exponent(end + 1, &exponent, &rest)) ||
		!only_spaces(rest))
		return "not a number";
	*value = share_of(text, end, (long)whole - 1 + exponent);
	return *value > QTI_SHARE_ONE || (minus && text + strspn(text, "0.") < end) ? "out of range" : NULL;
}

const char *qti_setting_parse_bool(const char *text, bool *value)
{
	static const char *const words[] = { "no", "yes", "false", "true", "off", "on", "0", "1" };

	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (qti_ascii_same(text, words[i])) {
			*value = i % 2;
			return NULL;
		}
	return "neither yes nor no";
}

/* ---- The struct's fields by the table --------------------------------------------------------------------------- */

void qti_setting_store(struct qti_env *env, const struct qti_setting_desc *d, uint64_t value)
{
	char *field = (char *)env + d->offset;

	switch (d->kind) {
	case QTI_KIND_TEXT:
		*(const char **)(void *)field = NULL;
		break;
	case QTI_KIND_COUNT:
	case QTI_KIND_CHOICE:
	case QTI_KIND_SHARE:
		*(unsigned *)(void *)field = (unsigned)value;
		break;
	case QTI_KIND_SIZE:
		*(size_t *)(void *)field = (size_t)value;
		break;
	case QTI_KIND_BOOL:
		*(bool *)field = value != 0;
		break;
	case QTI_KIND_LEVEL:
		*(enum qti_level *)(void *)field = (enum qti_level)value;
		break;
	}
}

const char *qti_setting_read(struct qti_env *env, const struct qti_setting_desc *d, const char *text)
{
	const char *wrong = NULL;
	uint64_t value = 0;
	bool yes = false;

	switch (d->kind) {
	case QTI_KIND_TEXT:
		*(const char **)(void *)((char *)env + d->offset) = text;
		return NULL;
	case QTI_KIND_COUNT:
	case QTI_KIND_SIZE:
		wrong = parse_number(d, text, &value);
		break;
	case QTI_KIND_SHARE:
		wrong = parse_share(text, &value);
		break;
	case QTI_KIND_BOOL:
		wrong = qti_setting_parse_bool(text, &yes);
		value = yes;
		break;
	case QTI_KIND_CHOICE:
		value = qti_setting_parse_choice(d, text);
		wrong = value == 0 ? "no such choice" : NULL;
		break;
	case QTI_KIND_LEVEL:
		value = qti_level_parse(text);
		wrong = value == QTI_LEVEL_UNSET ? "not a level of the hardware, or short for several" : NULL;
		break;
	}
	if (!wrong)
		qti_setting_store(env, d, value);
	return wrong;
}

/* ---- Showing ---------------------------------------------------------------------------------------------------- */

void qti_setting_printable(const char *value, char *text, size_t size)
{
	size_t n = 0;

	for (; value[n] && n + 1 < size; n++)
		text[n] = qti_ascii_is_print(value[n]) ? value[n] : '?';
	text[n] = '\0';
}

static void show_choice(const struct qti_setting_desc *d, unsigned n, char *text, size_t size)
{
	const char *word = n ? d->words : d->unset;

	while (n > 1) {
		word += strcspn(word, word_ends);
		word += strspn(word, word_ends);
		n--;
	}
	snprintf(text, size, "%.*s", word == d->unset ? (int)size : (int)strcspn(word, word_ends), word);
}

/* Without trailing zeroes. */
static void show_share(unsigned share, char *text, size_t size)
{
	unsigned digits = 6;

	for (; digits > 0 && share % 10 == 0; digits--)
		share /= 10;
	if (digits == 0)
		snprintf(text, size, "%u", share);
	else
		snprintf(text, size, "0.%0*u", (int)digits, share);
}

void qti_setting_show(const struct qti_env *env, enum qti_setting which, char *text, size_t size)
{
	const struct qti_setting_desc *d = &qti_settings[which];
	const char *field = (const char *)env + d->offset;
	const char *value = NULL;
	unsigned long long number = 0;

	switch (d->kind) {
	case QTI_KIND_TEXT:
		value = *(const char *const *)(const void *)field;
		break;
	case QTI_KIND_COUNT:
		number = *(const unsigned *)(const void *)field;
		break;
	case QTI_KIND_SIZE:
		number = *(const size_t *)(const void *)field;
		break;
	case QTI_KIND_CHOICE:
		show_choice(d, *(const unsigned *)(const void *)field, text, size);
		return;
	case QTI_KIND_SHARE:
		show_share(*(const unsigned *)(const void *)field, text, size);
		return;
	case QTI_KIND_BOOL:
		value = *(const bool *)field ? "yes" : "no";
		break;
	case QTI_KIND_LEVEL: {
		enum qti_level level = *(const enum qti_level *)(const void *)field;
		value = level == QTI_LEVEL_UNSET ? NULL : qti_level_name(level);
		break;
	}
	}
	if (value)
		qti_setting_printable(value, text, size);
	else if (d->unset && (number == d->initial || d->kind == QTI_KIND_TEXT))
		snprintf(text, size, "%s", d->unset);
	else
		snprintf(text, size, "%llu", number);
}

void qti_setting_default(enum qti_setting which, char *text, size_t size)
{
	struct qti_env env;

	qti_setting_store(&env, &qti_settings[which], qti_settings[which].initial);
	qti_setting_show(&env, which, text, size);
}

void qti_setting_allowed(enum qti_setting which, char *text, size_t size)
{
	const struct qti_setting_desc *d = &qti_settings[which];
	unsigned long long min = d->min, max = d->max;

	switch (d->kind) {
	case QTI_KIND_TEXT:
		snprintf(text, size, "a name");
		break;
	case QTI_KIND_COUNT:
		snprintf(text, size, "%llu to %llu", min, max);
		break;
	case QTI_KIND_SIZE:
		snprintf(text, size, "%llu to %llu bytes (K, M, G suffixes)", min, max);
		break;
	case QTI_KIND_SHARE:
		snprintf(text, size, "0 to 1");
		break;
	case QTI_KIND_BOOL:
		snprintf(text, size, "yes, no, true, false, on, off, 1 or 0");
		break;
	case QTI_KIND_CHOICE:
		snprintf(text, size, "%s", d->words);
		break;
	case QTI_KIND_LEVEL:
		snprintf(text, size, "%s", QTI_LEVELS_ALLOWED);
		break;
	}
}
