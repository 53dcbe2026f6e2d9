/* test/check/run.c -- see test/check/run.h: a unit's executions, and those with an order left out.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check/run.h"

#include "check/sites.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SPARE_SHARE = 8 };       /* of the executions, where an order is known to be for others */

struct findings {
	uint64_t executions;
	bool all;                       /* there are no more */
	const char *failed;             /* NULL: none has */
	unsigned more;                  /* bounds */
	double seconds;                 /* of this CPU */
};

static double seconds_used(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

static bool is_full(void)
{
	const char *model = getenv("QTI_MODEL");

	return model && strcmp(model, "full") == 0;
}

/* What make distcheck asks for. */
static bool is_brief(void)
{
	const char *brief = getenv("QTI_TEST_BRIEF");

	return brief && *brief;
}

static uint64_t seed_of_all(void)
{
	const char *seed = getenv("QTI_SEED");

	return seed ? strtoull(seed, NULL, 10) : 1;
}

static uint64_t most_of(const struct check_unit *u, unsigned share)
{
	return is_full() ? (uint64_t)u->most * 200 : u->most / share;
}

/* As far as `most` goes. */
static void explore_in_order(const struct check_unit *u, uint64_t most, struct findings *f)
{
	explore_first();
	for (uint64_t i = 0; !f->failed && !f->all && i < most; i++) {
		f->failed = explore_run(u, f->more, false);
		f->executions++;
		f->all = !f->failed && !explore_next();
	}
}

/* These get further from the first one. */
static void explore_at_random(const struct check_unit *u, uint64_t most, struct findings *f)
{
	for (uint64_t i = 0; !f->failed && !f->all && i < most; i++) {
		explore_random(seed_of_all() * 1000003 + i);
		f->failed = explore_run(u, f->more, false);
		f->executions++;
	}
}

static struct findings explore(const struct check_unit *u)
{
	struct findings f = { .more = is_full() };
	double begin = seconds_used();

	explore_in_order(u, most_of(u, 1), &f);
	explore_at_random(u, most_of(u, 1), &f);
	f.seconds = seconds_used() - begin;
	return f;
}

/* For one that fails: it is found sooner at random. */
static struct findings explore_weaker(const struct check_unit *u, unsigned share)
{
	struct findings f = { .more = is_full() };

	explore_at_random(u, most_of(u, share), &f);
	explore_in_order(u, most_of(u, share), &f);
	return f;
}

static void report(const struct check_unit *u, const struct findings *f, const char *program)
{
	ok(!f->failed, "%s: %llu executions, %s", u->name, (unsigned long long)f->executions,
	   f->failed ? f->failed : f->all ? "all there are" : "in order and at random");
	diag("unit %s: %u threads, %u switches, %u stale loads, %llu executions, %.2f s", u->name, u->threads,
	     u->switches + f->more, u->stale + f->more, (unsigned long long)f->executions, f->seconds);
	if (!f->failed)
		return;
	printf("# again: %s%s %s ", is_full() ? "QTI_MODEL=full " : "", program, u->name);
	explore_print(stdout);
	printf("\n");
}

/* A step is left out, which somebody must notice. */
static void report_without(const struct check_unit *u)
{
	struct findings f = explore_weaker(u, 1);

	ok(f.failed, "%s, without %s: %s (%llu)", u->name, u->without, f.failed ? f.failed : "NOTHING FAILS",
	   (unsigned long long)f.executions);
}

static const char *why_spare(const struct check_spare *spare, const struct site_line *line)
{
	for (const struct check_spare *s = spare; s && s->line; s++)
		if (strstr(line->where, s->file) && strncmp(line->text, s->line, strlen(s->line)) == 0)
			return s->why;
	return NULL;
}

static bool is_about(const struct check_program *p, const struct site_line *line)
{
	for (const char *const *file = p->of; file && *file; file++)
		if (strstr(line->where, *file))
			return true;
	return !p->of;
}

struct tally {
	unsigned all, found, spare;
};

/* In the units one after the other, until an execution of one fails. */
static void weaken_line(const struct check_program *p, const struct site_line *line, struct tally *t)
{
	const char *order;

	for (enum weaker how = WEAKER_FIRST; how < WEAKERS && (order = sites_weaken(line, how)) != NULL; how++) {
		const char *why = why_spare(p->spare, line);
		struct findings f = { 0 };
		unsigned i = 0;
		for (; i < p->nunits && !f.failed; i++)
			if (!p->unit[i]->without)
				f = explore_weaker(p->unit[i], why ? SPARE_SHARE : 1);
		t->all++;
		t->found += f.failed != NULL;
		t->spare += !f.failed && why;
		if (f.failed)
			diag("%s %s: %s: %s (%llu)", line->where, order, p->unit[i - 1]->name, f.failed,
			     (unsigned long long)f.executions);
		else
			diag("%s %s: %s: %s", line->where, order, why ? why : "NOTHING FAILS", line->text);
	}
	(void)sites_weaken(NULL, WEAKER_FIRST);
}

/* Each order by itself. */
static void weaken(const struct check_program *p)
{
	static struct site_line line[SITES_MAX];
	const unsigned n = sites_lines(line, SITES_MAX);
	struct tally t = { 0 };

	if (n == 0 || !line[0].text[0]) {
		skip(1, "nobody knows the lines: build with -g, and run it by make check");
		return;
	}
	for (unsigned i = 0; i < n; i++)
		if (is_about(p, &line[i]))
			weaken_line(p, &line[i], &t);
	ok(t.found > 0 && t.found + t.spare == t.all, "%u of %u orders are needed, %u are for others", t.found, t.all, t.spare);
}

static int again(const struct check_program *p, const char *name, const char *choices)
{
	const struct check_unit *u = NULL;

	for (unsigned i = 0; i < p->nunits; i++)
		if (strcmp(p->unit[i]->name, name) == 0)
			u = p->unit[i];
	if (!u || !explore_given(choices)) {
		fprintf(stderr, "a unit's name, and numbers with dots between them, are expected\n");
		return 2;
	}
	const char *failed = explore_run(u, is_full(), true);
	printf("# %s\n", failed ? failed : "nothing fails");
	return failed != NULL;
}

int check_run(const struct check_program *p, int argc, char **argv)
{
	bool good = true;

	const char *tool = getenv("QTI_TEST_TOOL");

	explore_catch();
	if (argc == 3)
		return again(p, argv[1], argv[2]);
	if (tool && *tool)
		plan_skip_all("%s watches memory, too", tool);
	plan(p->nunits + 1);
	for (unsigned i = 0; i < p->nunits; i++) {
		if (p->unit[i]->without) {
			report_without(p->unit[i]);
			continue;
		}
		struct findings f = explore(p->unit[i]);
		report(p->unit[i], &f, argv[0]);
		good &= !f.failed;
	}
	if (good && !is_brief())
		weaken(p);
	else
		skip(1, good ? "QTI_TEST_BRIEF" : "with all orders in place a unit fails");
	return done();
}
