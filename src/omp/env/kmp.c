/* omp/env/kmp.c -- see omp/env/kmp.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Most of them say what a variable of OpenMP's says, and are read as that one.  Those that tune what is not here are
 * accepted; with KMP_WARNINGS=true one line names them.
 */
#include "omp/env/kmp.h"

#include "base/environ.h"
#include "omp/env/icv.h"
#include "omp/env/places.h"
#include "omp/env/text.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static qomp_take *take_other;

/* --- values ---------------------------------------------------------------------------------------------- */

static bool read_truth(const char *text, bool *value)
{
	static const char *const words[] = {
		"0", "false", ".F.", "off", "no", "disabled", "1", "true", ".T.", "on", "yes", "enabled", NULL,
	};
	int which = qomp_read_one_of(&text, words);

	if (which < 0 || !qomp_read_end(text))
		return false;
	*value = which >= 6;
	return true;
}

/* 200, 200ms, 200us, infinite. */
static bool take_blocktime(const char *text)
{
	static const char *const units[] = { "ms", "us", "s", NULL };
	static const char *const forever[] = { "infinite", "infinity", NULL };
	static const uint64_t factors[] = { 1000, 1, 1000000 };
	uint64_t n, us = qomp_blocktime_us(INT_MAX);

	if (qomp_read_one_of(&text, forever) < 0) {
		if (!qomp_read_number(&text, INT_MAX, &n))
			return false;
		int unit = qomp_read_one_of(&text, units);
		us = unit <= 0 ? qomp_blocktime_us(n) : n * factors[unit];
	}
	if (!qomp_read_end(text))
		return false;
	qomp_settings.blocktime_us = us;
	return true;
}

static bool take_library(const char *text)
{
	static const char *const words[] = { "serial", "turnaround", "throughput", NULL };
	int which = qomp_read_one_of(&text, words);

	if (which < 0 || !qomp_read_end(text))
		return false;
	if (which == 0)
		take_other(QOMP_VAR_NUM_THREADS, "1");
	else if (which == 1)
		qomp_settings.blocktime_us = qomp_blocktime_us(INT_MAX);
	return true;
}

static bool take_stack_size(const char *text)
{
	return take_other(QOMP_VAR_STACKSIZE, text);
}

static bool take_thread_limit(const char *text)
{
	return take_other(QOMP_VAR_THREAD_LIMIT, text);
}

static bool take_teams_thread_limit(const char *text)
{
	return take_other(QOMP_VAR_TEAMS_THREAD_LIMIT, text);
}

static bool take_settings(const char *text)
{
	bool on;

	return read_truth(text, &on) && (!on || take_other(QOMP_VAR_DISPLAY_ENV, "verbose"));
}

static bool take_version(const char *text)
{
	bool on, good = read_truth(text, &on);

	if (good && on)
		fprintf(stderr, "libqomp %s: OpenMP of gcc's, clang's and Intel's programs on libqthread\n",
			PACKAGE_VERSION);
	return good;
}

static bool take_duplicate(const char *text)
{
	return read_truth(text, &qomp_settings.duplicate_ok);
}

static bool tells;                      /* of what has no effect */

static bool take_warnings(const char *text)
{
	bool good = read_truth(text, &tells);

	if (good)
		qomp_warn_set(tells);
	return good;
}

/* The machine's part has been taken before anything was read (omp/env/subset.h), and complained of. */
static bool take_subset(const char *text)
{
	(void)text;
	return true;
}

static bool take_inherit(const char *text)
{
	bool on, good = read_truth(text, &on);

	if (good)
		qomp_settings.own_fp_control = !on;
	return good;
}

/* --- KMP_AFFINITY: [modifier,...]type[,permute[,offset]] -------------------------------------------------- */

struct binding {
	const char *places, *bind;      /* as OpenMP says it */
	char list[512];                 /* CPUs of an explicit list */
	uint64_t number[2];             /* permute, offset */
	unsigned numbers;
};

static bool read_granularity(const char **text, struct binding *b)
{
	static const char *const words[] = {
		"fine", "thread", "core", "tile", "module", "die", "socket", "package", "node", "numa_domain",
		"ll_cache", NULL,
	};
	static const char *const places[] = {
		"threads", "threads", "cores", "ll_caches", "ll_caches", "sockets", "sockets", "sockets",
		"numa_domains", "numa_domains", "ll_caches",
	};
	int which = qomp_read_char(text, '=') ? qomp_read_one_of(text, words) : -1;

	if (which >= 0)
		b->places = places[which];
	return which >= 0;
}

/* What GOMP_CPU_AFFINITY has: numbers and ranges. */
static bool read_list(const char **text, struct binding *b)
{
	if (!qomp_read_char(text, '=') || !qomp_read_char(text, '['))
		return false;
	size_t n = strcspn(*text, "]{");
	if ((*text)[n] != ']' || n == 0 || n >= sizeof(b->list))
		return false;
	memcpy(b->list, *text, n);
	*text += n + 1;
	return true;
}

enum { GRANULARITY, PROCLIST, FIRST_TYPE };

static bool read_item(const char **text, struct binding *b)
{
	static const char *const words[] = {
		"granularity", "proclist", "none", "disabled", "explicit", "compact", "logical", "scatter", "balanced",
		"physical", "verbose", "noverbose", "warnings", "nowarnings", "respect", "norespect", "reset",
		"noreset", NULL,
	};
	static const char *const bind[] = { "false", "false", "true", "close", "close", "spread", "spread", "spread" };
	int which = qomp_read_one_of(text, words);

	if (which < 0)
		return b->bind && b->numbers < 2 && qomp_read_number(text, INT_MAX, &b->number[b->numbers++]);
	if (which == GRANULARITY)
		return read_granularity(text, b);
	if (which == PROCLIST)
		return read_list(text, b);
	if ((unsigned)which - FIRST_TYPE < sizeof(bind) / sizeof(bind[0]))
		b->bind = bind[which - FIRST_TYPE];
	return true;
}

/* Logical and physical have one number, which is the offset. */
static bool affinity_use(const struct binding *b)
{
	if (!b->bind || b->number[0] || b->number[1] || (strcmp(b->bind, "true") == 0) != (b->list[0] != '\0'))
		return !b->bind;
	if (strcmp(b->bind, "false") == 0)
		return take_other(QOMP_VAR_PROC_BIND, "false");

	const struct qomp_levels bind = qomp_settings.bind;
	const struct qomp_places before = qomp_places;
	qomp_places = (struct qomp_places){ 0 };
	bool good = take_other(QOMP_VAR_PROC_BIND, b->bind) &&
		(b->list[0] ? take_other(QOMP_VAR_GOMP_CPU_AFFINITY, b->list) : take_other(QOMP_VAR_PLACES, b->places));
	const struct qomp_places now = qomp_places;
	qomp_places = before;
	if (good) {
		qomp_places_free();
		qomp_places = now;
	} else {
		qomp_settings.bind = bind;
	}
	return good;
}

static bool take_affinity(const char *text)
{
	struct binding b = { .places = "cores" };

	do {
		if (!read_item(&text, &b))
			return false;
	} while (qomp_read_char(&text, ','));
	return qomp_read_end(text) && affinity_use(&b);
}

/* --- the table ------------------------------------------------------------------------------------------- */

#define TRUTH "true or false"

static const struct {
	const char *name;
	bool (*take)(const char *text);
	const char *allowed;
	bool delicate;                  /* counts only in a trusted environment */
} table[] = {
	{ "KMP_WARNINGS", take_warnings, TRUTH, true },         /* first: of the others */
	{ "KMP_AFFINITY", take_affinity, "none, compact, scatter, balanced or explicit with a proclist of numbers and "
		"ranges, perhaps after granularity=; without permute and offset", false },
	{ "KMP_ALL_THREADS", take_thread_limit, "a number from 1 on", false },
	{ "KMP_BLOCKTIME", take_blocktime, "infinite, or a number that ms, us or s may follow", false },
	{ "KMP_DEVICE_THREAD_LIMIT", take_thread_limit, "a number from 1 on", false },
	{ "KMP_DUPLICATE_LIB_OK", take_duplicate, TRUTH, false },
	{ "KMP_HW_SUBSET", take_subset, "", true },
	{ "KMP_INHERIT_FP_CONTROL", take_inherit, TRUTH, false },
	{ "KMP_LIBRARY", take_library, "serial, turnaround or throughput", false },
	{ "KMP_SETTINGS", take_settings, TRUTH, true },
	{ "KMP_STACKSIZE", take_stack_size,
		"a number from 16k on; B, K, M or G may follow, and K is meant if none does", true },
	{ "KMP_TEAMS_THREAD_LIMIT", take_teams_thread_limit, "a number from 1 on", false },
	{ "KMP_VERSION", take_version, TRUTH, true },
};

enum { VARIABLES = sizeof(table) / sizeof(table[0]) };

static int index_of(const char *name, size_t length)
{
	for (int i = 0; i < VARIABLES; i++)
		if (strlen(table[i].name) == length && memcmp(table[i].name, name, length) == 0)
			return i;
	return -1;
}

static void take(unsigned which, const char *value, bool trusted)
{
	if ((trusted || !table[which].delicate) && !table[which].take(value) && trusted)
		qomp_warn("%s=%.64s is not understood; allowed: %s; it has no effect", table[which].name, value,
			table[which].allowed);
}

bool qomp_kmp_take(const char *name, const char *value, qomp_take *other)
{
	int which = index_of(name, strlen(name));

	take_other = other;
	if (which >= 0)
		take((unsigned)which, value, true);
	return which >= 0;
}

/* One line for all. */
static void tell_of_others(void)
{
	char names[512] = "";
	struct qomp_text t = { names, sizeof(names), 0 };

	for (char **e = qti_environ(); *e; e++) {
		size_t length = strcspn(*e, "=");
		if (strncmp(*e, "KMP_", 4) == 0 && index_of(*e, length) < 0)
			qomp_text_add(&t, " %.*s", (int)length, *e);
	}
	if (names[0])
		qomp_warn("these have no effect:%s", names);
}

void qomp_kmp_read(bool trusted, qomp_take *other)
{
	take_other = other;
	tells = false;
	qomp_warn_set(true);
	for (unsigned i = 0; i < VARIABLES; i++) {
		const char *value = qti_environ_value(table[i].name);
		if (value)
			take(i, value, trusted);
	}
	if (tells && trusted)
		tell_of_others();
}
