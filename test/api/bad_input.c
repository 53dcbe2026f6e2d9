/* test/api/bad_input.c -- a setting that makes no sense: one clear line on stderr, and the program runs.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks inside for the table of settings, so that a new one is tested the day it comes.
 */
#include "base/env.h"
#include "child.h"
#include "every.h"
#include "fault.h"

enum { MOST_VALUES = 8 };

/* A setting with a value, in a process of its own. */
struct given {
	const char *variable, *value;
	const char *other_variable, *other_value;
	const char *scheduler;
};

static aligned_t seven(void *arg)
{
	(void)arg;
	return 7;
}

static void live(void *arg)
{
	const struct given *g = arg;
	aligned_t ret = 0;

	alarm(60);
	unsetenv("QT_SCHEDULER");
	unsetenv("QT_NUM_SHEPHERDS");
	unsetenv("QT_NUM_WORKERS_PER_SHEPHERD");
	unsetenv("QT_HWPAR");
	setenv(g->variable, g->value, 1);
	if (g->other_variable)
		setenv(g->other_variable, g->other_value, 1);
	if (g->scheduler)
		setenv("QT_SCHEDULER", g->scheduler, 1);
	if (qthread_initialize() != QTHREAD_SUCCESS || qthread_fork(seven, NULL, &ret) != QTHREAD_SUCCESS ||
		qthread_readFF(NULL, &ret) != QTHREAD_SUCCESS || ret != 7)
		exit(1);
	qthread_finalize();
}

static struct child child;

static void try(const char *variable, const char *value)
{
	struct given g = { variable, value, NULL, NULL, NULL };

	child_run(&child, live, &g);
}

/* "libqthread: VARIABLE=VALUE: what is wrong; allowed: these; using that" */
static bool is_one_clear_line(const char *variable, const char *value)
{
	char begin[256];

	snprintf(begin, sizeof(begin), "libqthread: %s=%s: ", variable, value);
	const char *allowed = strstr(child.said, "; allowed: "), *instead = strstr(child.said, "; using ");
	const bool right = child_ended_well(&child) && child_lines(&child) == 1 && strncmp(child.said, begin, strlen(begin)) == 0 &&
		allowed && instead && allowed > child.said + strlen(begin) && instead > allowed + strlen("; allowed: ") &&
		instead[strlen("; using ")] != '\n';
	if (!right) {
		diag("%s=%s", variable, value);
		child_tell(&child);
	}
	return right;
}

/* ---- Each setting --------------------------------------------------------------------------------------------- */

static char beyond[2][32];

/* What no setting of that kind may be; how many. */
static int bad_values(const struct qti_setting_desc *d, const char *values[MOST_VALUES])
{
	int n = 0;

	switch (d->kind) {
	case QTI_KIND_TEXT:
		if (strcmp(d->name, "TRACE") == 0) {    /* a file's name */
			values[n++] = "/no/such/directory/trace";
			break;
		}
		values[n++] = "nosuch";
		values[n++] = "mt";
		values[n++] = "mts ws";
		break;
	case QTI_KIND_COUNT:
	case QTI_KIND_SIZE:
		values[n++] = "abc";
		values[n++] = "-1";
		values[n++] = "5x";
		values[n++] = "0x";
		values[n++] = "99999999999999999999999999";
		if (d->max < UINT64_MAX) {
			snprintf(beyond[0], sizeof(beyond[0]), "%llu", (unsigned long long)d->max + 1);
			values[n++] = beyond[0];
		}
		if (d->min > 1) {
			snprintf(beyond[1], sizeof(beyond[1]), "%llu", (unsigned long long)d->min - 1);
			values[n++] = beyond[1];
		}
		if (d->min > 0)
			values[n++] = "0";
		break;
	case QTI_KIND_SHARE:
		values[n++] = "abc";
		values[n++] = "-1";
		values[n++] = "0.5x";
		values[n++] = ".";
		values[n++] = "1.000001";
		values[n++] = "99999999999999999999999999";
		break;
	case QTI_KIND_BOOL:
		values[n++] = "maybe";
		values[n++] = "yess";
		values[n++] = "-1";
		break;
	case QTI_KIND_CHOICE:
		values[n++] = "foo";
		values[n++] = "1";
		values[n++] = ",";
		break;
	case QTI_KIND_LEVEL:
		values[n++] = "planet";
		values[n++] = "l";
		values[n++] = "3";
		break;
	}
	return n;
}

/* A few values where a tool makes starting a process long. */
static void bad_values_are_named(const struct qti_setting_desc *d)
{
	static const char *const prefixes[] = { "QT_", "QTHREAD_" };
	const char *values[MOST_VALUES];
	const int n = bad_values(d, values), tried = every_is_slow() ? 1 : n;

	for (int p = 0; p < 2; p++) {
		char variable[64];
		bool right = true;

		snprintf(variable, sizeof(variable), "%s%s", prefixes[p], d->name);
		for (int i = 0; i < tried; i++) {
			try(variable, values[i]);
			right = is_one_clear_line(variable, values[i]) && right;
		}
		ok(right, "%s with a value that makes no sense: one line, and the program runs", variable);
	}
}

/* ---- All of them ---------------------------------------------------------------------------------------------- */

static void known_schedulers_are_listed(void)
{
	try("QT_SCHEDULER", "fastest");
	const char *allowed = strstr(child.said, "allowed: ");
	ok(is_one_clear_line("QT_SCHEDULER", "fastest") && allowed &&
		strncmp(allowed, "allowed: q l cq ws mts xq bq na-rp na-ws;", strlen("allowed: q l cq ws mts xq bq na-rp na-ws;")) == 0,
		"an unknown scheduler is told which ones there are");
}

static void silent(const char *variable, const char *value, const char *why)
{
	try(variable, value);
	if (!ok(child_ended_well(&child) && child.said[0] == '\0', "%s", why))
		child_tell(&child);
}

static void both_prefixes(void)
{
	struct given g = { "QT_STACK_SIZE", "65536", "QTHREAD_STACK_SIZE", "nonsense", NULL };

	child_run(&child, live, &g);
	ok(child_ended_well(&child) && child.said[0] == '\0', "QT_ comes before QTHREAD_, which is not even looked at then");
	g = (struct given){ "QT_STACK_SIZE", "nonsense", "QTHREAD_STACK_SIZE", "65536", NULL };
	child_run(&child, live, &g);
	ok(is_one_clear_line("QT_STACK_SIZE", "nonsense"), "a bad QT_ value is told even if the QTHREAD_ one is good");
	g = (struct given){ "QT_STACK_SIZE", "nonsense", "QT_STATS", "perhaps", NULL };
	child_run(&child, live, &g);
	is_int(child_lines(&child), 2, "two bad settings are two lines");
}

static void odd_characters(void)
{
	static const char *const variables[] = { "QT_STACK_SIZE", "QT_SCHEDULER" };
	char longest[5000];

	memset(longest, 'z', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	for (int i = 0; i < 2; i++) {
		try(variables[i], "\x1b[31m\nred");
		if (!ok(child_ended_well(&child) && child_lines(&child) == 1 && strchr(child.said, '\x1b') == NULL,
			"%s: what is not printable is not printed", variables[i]))
			child_tell(&child);
		try(variables[i], longest);
		if (!ok(child_ended_well(&child) && child_lines(&child) == 1 && strstr(child.said, "=zzz") &&
			strstr(child.said, "allowed: ") && strstr(child.said, "using "),
			"%s: a very long value does not push the rest out", variables[i]))
			child_tell(&child);
	}
}

/* Each worker has a ring from each. */
static void rings_beyond_memory(void)
{
	struct given g = { "QT_RING", "65536", "QT_HWPAR", "32", "xq" };

	child_run(&child, live, &g);
	ok(is_one_clear_line("QT_RING", "65536"), "rings that take too much memory: one line, and the program runs");
	g = (struct given){ "QT_HWPAR", "2000", NULL, NULL, "xq" };
	child_run(&child, live, &g);
	if (!ok(child_lines(&child) == 1 && strstr(child.said, " for 2000 workers; allowed: at most "),
		"more workers than the smallest rings allow: one line says how many may be"))
		child_tell(&child);
}

static uint64_t failing;

static void live_with_a_failure(void *arg)
{
	qti_mem_fault = fault;
	fault_at(failing);
	live(arg);
}

/* One allocation after the other fails, until it is the rings';
 * each of the others that the runtime begins with ends it. */
static void rings_without_memory(void)
{
	enum { MANY = 100 };
	struct given g = { "QT_RING", "1024", "QT_HWPAR", "2", "na-ws" };
	const char *begin = "libqthread: QT_RING=1024: no memory for ";

	do {
		failing++;
		child_run(&child, live_with_a_failure, &g);
	} while (failing < MANY && strncmp(child.said, begin, strlen(begin)) != 0);
	ok(is_one_clear_line("QT_RING", "1024"), "rings for which there is no memory: so, too");
}

/* They tell thieves what to take, where thieves can be told. */
static void settings_without_meaning(void)
{
	static const char *const deaf[] = { "q", "l", "xq", "bq", "na-rp", "na-ws" };
	struct given g = { "QT_VICTIM", "random", NULL, NULL, "ws" };
	bool all = true;

	for (unsigned i = 0; i < sizeof(deaf) / sizeof(deaf[0]); i++) {
		g.scheduler = deaf[i];
		child_run(&child, live, &g);
		all = all && is_one_clear_line("QT_VICTIM", "random") && strstr(child.said, "under cq, ws and mts");
	}
	ok(all, "QT_VICTIM under a policy whose thieves have their own way: one line says under which it counts");
	g = (struct given){ "QT_STEAL", "half", NULL, NULL, "bq" };
	child_run(&child, live, &g);
	ok(is_one_clear_line("QT_STEAL", "half"), "so with QT_STEAL");
	g.scheduler = "cq";
	child_run(&child, live, &g);
	is_int(child_lines(&child), 0, "where it counts, nothing is said");
	g = (struct given){ "QT_STEAL", "foo", NULL, NULL, "na-rp" };
	child_run(&child, live, &g);
	ok(is_one_clear_line("QT_STEAL", "foo"), "and of a value that makes no sense anywhere, only that");
}

static void misspelled(void)
{
	try("QT_STACKSIZE", "65536");
	if (!ok(child_ended_well(&child) && child_lines(&child) == 1 && strstr(child.said, "QT_STACKSIZE") &&
		strstr(child.said, "QT_STACK_SIZE"), "a misspelled setting is asked about"))
		child_tell(&child);
}

int main(void)
{
	const struct qti_setting_desc *table = qti_settings;
	const unsigned n = QTI_NSETTINGS;

	unsetenv("QT_DEADLOCK");        /* test/run-test's, which would count for more than the other prefix */
	plan(2 * n + 23);
	for (unsigned i = 0; i < n; i++)
		bad_values_are_named(&table[i]);
	known_schedulers_are_listed();
	silent("QT_SCHEDULER", "ws", "a scheduler that exists: not a word");
	silent("QT_STACK_SIZE", "64K", "a good size: not a word");
	silent("QT_STACK_SIZE", "", "the empty string stands for unset");
	silent("QTHREAD_STACK_SIZE", "0x10000", "the other prefix: not a word");
	silent("QT_SHEPHERD_BOUNDARY", "Node", "levels in upper or lower case: not a word");
	silent("QT_GUARD_PAGES", "FALSE", "truth in upper or lower case: not a word");
	silent("QT_QPA_PLATFORM", "xcb", "other software's QT_ variables are not ours to judge");
	both_prefixes();
	odd_characters();
	rings_beyond_memory();
	rings_without_memory();
	settings_without_meaning();
	misspelled();
	return done();
}
