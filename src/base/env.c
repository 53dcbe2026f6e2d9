/* base/env.c -- see base/env.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/env.h"

#include "base/ascii.h"
#include "base/diag.h"
#include "base/environ.h"
#include "base/setting_text.h"

#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

enum { NAME_MAX_LEN = 32 };

/* ---- Looking up ------------------------------------------------------------------------------------------------- */

bool qti_env_trusted(void)
{
	return getauxval(AT_SECURE) == 0;
}

/* The value, NULL if unset; *prefix is what the variable's name begins with. */
static const char *look_up(const struct qti_setting_desc *d, const char **prefix)
{
	static const char *const prefixes[] = { "QT_", "QTHREAD_" };

	for (unsigned i = 0; i < 2 && !(d->delicate && !qti_env_trusted()); i++) {
		char variable[sizeof("QTHREAD_") + NAME_MAX_LEN];

		snprintf(variable, sizeof(variable), "%s%s", prefixes[i], d->name);
		const char *value = qti_environ_value(variable);
		if (value && *value) {
			*prefix = prefixes[i];
			return value;
		}
	}
	return NULL;
}

bool qti_env_given(enum qti_setting which)
{
	const char *prefix;

	return look_up(&qti_settings[which], &prefix) != NULL;
}

bool qti_env_good(enum qti_setting which)
{
	struct qti_env unused;
	const char *prefix, *text = look_up(&qti_settings[which], &prefix);

	return text && !qti_setting_read(&unused, &qti_settings[which], text);
}

/* ---- Complaining ------------------------------------------------------------------------------------------------ */

void qti_env_complain(enum qti_setting which, const char *wrong, const char *allowed, const char *instead)
{
	char shown[64];
	const char *prefix = "QT_", *value = look_up(&qti_settings[which], &prefix);

	if (!qti_env_trusted())
		return;
	qti_setting_printable(value ? value : "", shown, sizeof(shown));
	qti_warn("%s%s=%s: %s; allowed: %s; using %s",
		prefix, qti_settings[which].name, shown, wrong, allowed, instead);
}

static void setting_complain(enum qti_setting which, const char *wrong)
{
	char allowed[96], instead[96];

	qti_setting_allowed(which, allowed, sizeof(allowed));
	qti_setting_default(which, instead, sizeof(instead));
	qti_env_complain(which, wrong, allowed, instead);
}

/* ---- Misspellings ----------------------------------------------------------------------------------------------- */

/* Insertions, deletions, changes and swaps of neighbours that turn a into b, whatever their case. */
static unsigned edit_distance(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b);
	unsigned row[3][NAME_MAX_LEN + 1];      /* of the matrix: this one and the two before */

	for (size_t j = 0; j <= nb; j++)
		row[0][j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++) {
		unsigned *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= nb; j++) {
			bool same = qti_ascii_upper(a[i - 1]) == qti_ascii_upper(b[j - 1]);
			unsigned best = last[j - 1] + !same;

			if (last[j] + 1 < best)
				best = last[j] + 1;
			if (now[j - 1] + 1 < best)
				best = now[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
				best = before[j - 2] + 1;
			now[j] = best;
		}
	}
	return row[na % 3][nb];
}

/* What some Qthreads from 1.10 to 1.23 reads and this library does not. */
static bool setting_of_qthreads(const char *name)
{
	static const char *const names[] = {
		"BIAS_PENALTY", "CONDWAIT_BACKOFF", "DEBUG_LEVEL", "LAYOUT", "MULTINODE", "PORTALS_MAX_MSG_SIZE",
		"PORTALS_RECV_BLOCKS", "PORTALS_RECV_BLOCK_SIZE", "RCRTOOL_LEVEL", "RCRTOOL_LOG_LEVEL",
		"STEAL_CHUNKSIZE", "STEAL_RATIO", "TOPO_OUTPUT_LEVEL",
	};

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* The setting that `name` was probably meant to be: NULL if it is one, or if it is like none. */
static const char *setting_meant(const char *name)
{
	const char *like = NULL;
	unsigned least = 3;

	for (unsigned i = 0; i < QTI_NSETTINGS; i++) {
		unsigned n = edit_distance(name, qti_settings[i].name);
		unsigned limit = strlen(qti_settings[i].name) < 6 ? 1 : 2;     /* few letters are soon like others */

		if (strcmp(name, qti_settings[i].name) == 0)
			return NULL;
		if (n <= limit && n < least) {
			least = n;
			like = qti_settings[i].name;
		}
	}
	return like;
}

/* The Qt toolkit and others use QT_ too, so only what looks like one of ours is worth a line. */
static void look_for_others(bool info)
{
	for (char **e = qti_environ(); *e; e++) {
		const char *prefix = strncmp(*e, "QTHREAD_", 8) == 0 ? "QTHREAD_" : "QT_";
		size_t skip = strlen(prefix);
		const char *equals = strchr(*e, '=');
		char name[NAME_MAX_LEN];

		if (strncmp(*e, prefix, skip) != 0 || !equals || (size_t)(equals - *e) - skip >= sizeof(name))
			continue;
		memcpy(name, *e + skip, (size_t)(equals - *e) - skip);
		name[(size_t)(equals - *e) - skip] = '\0';

		if (setting_of_qthreads(name)) {
			if (info)
				qti_warn("%s%s is a setting of Qthreads and has no effect", prefix, name);
			continue;
		}
		const char *like = setting_meant(name);
		if (like) {
			qti_setting_printable(name, name, sizeof(name));
			qti_warn("%s%s is not a setting and has no effect; %s%s is one", prefix, name, prefix, like);
		}
	}
}

/* ---- All of it -------------------------------------------------------------------------------------------------- */

static void print_all(const struct qti_env *env)
{
	for (unsigned i = 0; i < QTI_NSETTINGS; i++) {
		const char *prefix = "QT_";
		char text[128];

		bool set = look_up(&qti_settings[i], &prefix) != NULL;
		qti_setting_show(env, (enum qti_setting)i, text, sizeof(text));
		qti_warn("%s%s = %s (%s)", prefix, qti_settings[i].name, text, set ? "environment" : "default");
	}
}

bool qti_env_read_bool(enum qti_setting which)
{
	const struct qti_setting_desc *d = &qti_settings[which];
	const char *prefix, *text = look_up(d, &prefix);
	bool value = d->initial != 0;

	if (text)
		qti_setting_parse_bool(text, &value);
	return value;
}

unsigned qti_env_read_choice(enum qti_setting which)
{
	const struct qti_setting_desc *d = &qti_settings[which];
	const char *prefix, *text = look_up(d, &prefix);
	unsigned value = text ? qti_setting_parse_choice(d, text) : 0;

	return value ? value : (unsigned)d->initial;
}

void qti_env_read(struct qti_env *out)
{
	out->cpu_limit = QTI_LOOK_UP;
	out->stack_setting = "QT_STACK_SIZE";

	for (unsigned i = 0; i < QTI_NSETTINGS; i++) {
		const struct qti_setting_desc *d = &qti_settings[i];
		const char *prefix, *value = look_up(d, &prefix), *wrong;

		qti_setting_store(out, d, d->initial);
		if (value && (wrong = qti_setting_read(out, d, value)) != NULL)
			setting_complain((enum qti_setting)i, wrong);
	}
	if (qti_env_trusted())
		look_for_others(out->info >= 1);
	if (out->info >= 2)
		print_all(out);
}
