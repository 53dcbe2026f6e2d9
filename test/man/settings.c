/* test/man/settings.c -- qthreads(7) lists the settings as the table in base/settings.c has them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/env.h"
#include "base/setting_text.h"
#include "tap.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *source;              /* the source tree */

static char *read_file(const char *name)
{
	static char text[1 << 18];
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", source, name);
	FILE *f = fopen(path, "r");
	if (!f)
		bail_out("cannot read %s", path);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	return text;
}

/* In place: every run of white space becomes one blank. */
static void squeeze(char *text)
{
	char *to = text;

	for (const char *c = text; *c; c++)
		if (!isspace((unsigned char)*c))
			*to++ = *c;
		else if (to > text && to[-1] != ' ')
			*to++ = ' ';
	*to = '\0';
}

/* Whether the built library has another default than the manual, as configure was told. */
static bool default_is_built_in(enum qti_setting which)
{
	return (which == QTI_SET_GUARD_PAGES && QTI_GUARD_PAGES == 0) ||
		(which == QTI_SET_STACK_SIZE && QTI_STACK_SIZE != 32768);
}

/* The text that the manual has for a setting says the same as the table. */
static bool agrees(const char *text, enum qti_setting which)
{
	const struct qti_setting_desc *d = &qti_settings[which];
	char value[128], want[192];
	bool all = strstr(text, d->help) != NULL;

	qti_setting_default(which, value, sizeof(value));
	snprintf(want, sizeof(want), "Default: %s.", value);
	all = all && (strstr(text, want) || default_is_built_in(which));
	if (d->kind != QTI_KIND_TEXT) {
		qti_setting_allowed(which, value, sizeof(value));
		snprintf(want, sizeof(want), "Allowed: %s.", value);
		all = all && strstr(text, want);
	}
	if (!all)
		diag("QT_%s: the manual says: %.300s", d->name, text);
	return all;
}

/* Compares one entry after the other: each begins with `mark` and the setting's name and ends where the next begins
 * or at `end`.  Returns how many are as they should be, 0 if there is one too many or out of order. */
static unsigned entries_right(char *text, const char *mark, const char *end)
{
	unsigned right = 0;
	const unsigned n = QTI_NSETTINGS;
	const struct qti_setting_desc *table = qti_settings;
	char *entry = strstr(text, mark);

	for (unsigned i = 0; entry && i <= n; i++) {
		char *next = strstr(entry + 1, mark), *stop = strstr(entry + 1, end);
		char name[64];

		if (!next || (stop && stop < next))
			next = NULL;
		if (next)
			next[-1] = '\0';
		else if (stop)
			*stop = '\0';
		squeeze(entry);
		snprintf(name, sizeof(name), "%s%s", mark, i < n ? table[i].name : "");
		size_t len = strlen(name);
		if (i == n || strncmp(entry, name, len) != 0 || isupper((unsigned char)entry[len]) || entry[len] == '_') {
			diag("not in this place of the table: %.100s", entry);
			return 0;
		}
		right += agrees(entry, (enum qti_setting)i);
		entry = next;
	}
	return right;
}

/* Words that look like settings are settings; QT_NAME and QT_NAM stand for any. */
static unsigned strangers(const char *text)
{
	unsigned found = 0;
	const unsigned n = QTI_NSETTINGS;
	const struct qti_setting_desc *table = qti_settings;

	for (const char *c = text; (c = strstr(c, "QT_")) != NULL; c += 3) {
		size_t len = strspn(c + 3, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
		bool known = (len == 4 && strncmp(c + 3, "NAME", 4) == 0) || (len == 3 && strncmp(c + 3, "NAM", 3) == 0);

		for (unsigned i = 0; i < n && !known; i++)
			known = strlen(table[i].name) == len && strncmp(c + 3, table[i].name, len) == 0;
		if (!known && len > 0)
			diag("not a setting: %.*s", (int)len + 3, c);
		found += !known && len > 0;
	}
	return found;
}

static void manual(void)
{
	char *text = read_file("man/qthreads.7");

	is_int(strangers(text), 0, "qthreads.7 names no setting that does not exist");
	char *list = strstr(text, "\n.Sh ENVIRONMENT");
	is_int(list ? entries_right(list, ".It Ev QT_", "\n.El") : 0, QTI_NSETTINGS,
		"qthreads.7 has the whole table in its order: help, default and what is allowed");
}

static void readme(void)
{
	is_int(strangers(read_file("README.md")), 0, "README.md names no setting that does not exist");
	is_int(strangers(read_file("HACKING.md")), 0, "nor does HACKING.md");
}

int main(void)
{
	source = getenv("abs_top_srcdir");
	if (!source)
		plan_skip_all("abs_top_srcdir does not say where the documents are");
	plan(4);
	manual();
	readme();
	return done();
}
