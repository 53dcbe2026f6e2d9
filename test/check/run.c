/* test/check/run.c -- see test/check/run.h: a unit's executions, and those with an order left out.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check/run.h"

#include "check/sites.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	SPARE_SHARE = 8,                /* of the executions, where an order is known to be for others */
	FULL = 200,                     /* times as many in a full form */
};

struct findings {
	uint64_t executions;
	bool all;                       /* there are no more */
	const char *failed;             /* NULL: none has */
	unsigned more;                  /* bounds */
	double seconds;                 /* of this CPU */
};

/* How far to look: `most` executions; fewer, but not below `least`, when the program has used so many seconds. */
struct extent {
	uint64_t most, least;
	double until;
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

/* Of a full form: of each program's CPU, half for the units, half for the weaker orders.  0: however long it takes. */
static double seconds_for(void)
{
	const char *seconds = getenv("QTI_MODEL_SECONDS");

	return is_full() && seconds ? strtod(seconds, NULL) : 0;
}

/* When the first of `left` is to end that share what is left until `end`. */
static double time_until(unsigned left, double end)
{
	const double now = seconds_used();

	return end > now ? now + (end - now) / left : now;
}

static struct extent extent_of(const struct check_unit *u, unsigned share, unsigned left, double end)
{
	const uint64_t least = u->most / share;

	return (struct extent){ .most = is_full() ? least * FULL : least, .least = least,
		.until = seconds_for() > 0 ? time_until(left, end) : HUGE_VAL };
}

static struct extent extent_first(struct extent e)
{
	e.until = e.until < HUGE_VAL ? time_until(2, e.until) : e.until;
	return e;
}

static bool goes_on(const struct findings *f, uint64_t i, const struct extent *e)
{
	return !f->failed && !f->all && i < e->most && (i < e->least || i % 64 != 0 || seconds_used() < e->until);
}

static void explore_in_order(const struct check_unit *u, struct extent e, struct findings *f)
{
	explore_first();
	for (uint64_t i = 0; goes_on(f, i, &e); i++) {
		f->failed = explore_run(u, f->more, false);
		f->executions++;
		f->all = !f->failed && !explore_next();
	}
}

/* These get further from the first one. */
static void explore_at_random(const struct check_unit *u, struct extent e, struct findings *f)
{
	for (uint64_t i = 0; goes_on(f, i, &e); i++) {
		explore_random(seed_of_all() * 1000003 + i);
		f->failed = explore_run(u, f->more, false);
		f->executions++;
	}
}

static struct findings explore(const struct check_unit *u, struct extent e)
{
	struct findings f = { .more = is_full() };
	double begin = seconds_used();

	explore_in_order(u, extent_first(e), &f);
	explore_at_random(u, e, &f);
	f.seconds = seconds_used() - begin;
	return f;
}

/* For one that fails: it is found sooner at random. */
static struct findings explore_weaker(const struct check_unit *u, struct extent e)
{
	struct findings f = { .more = is_full() };

	explore_at_random(u, extent_first(e), &f);
	explore_in_order(u, e, &f);
	return f;
}

static void report(const struct check_unit *u, const struct findings *f, const char *program)
{
	ok(!f->failed, "%s: explored %llu, %s", u->name, (unsigned long long)f->executions,
	   f->failed ? f->failed : f->all ? "all there are" : "not complete: in order and at random");
	diag("unit %s: %u threads, %u switches, %u stale loads, %llu executions, %s, %.2f s", u->name, u->threads,
	     u->switches + f->more, u->stale + f->more, (unsigned long long)f->executions, f->all ? "all" : "not all", f->seconds);
	if (!f->failed)
		return;
	printf("# again: %s%s %s ", is_full() ? "QTI_MODEL=full " : "", program, u->name);
	explore_print(stdout);
	printf("\n");
}

/* A step is left out, which somebody must notice. */
static void report_without(const struct check_unit *u, double end)
{
	struct findings f = explore_weaker(u, extent_of(u, 1, 1, end));

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
static void weaken_line(const struct check_program *p, const struct site_line *line, double end, struct tally *t)
{
	const char *order;

	for (enum weaker how = WEAKER_FIRST; how < WEAKERS && (order = sites_weaken(line, how)) != NULL; how++) {
		const char *why = why_spare(p->spare, line);
		struct findings f = { 0 };
		unsigned i = 0;
		for (; i < p->nunits && !f.failed; i++)
			if (!p->unit[i]->without)
				f = explore_weaker(p->unit[i], extent_of(p->unit[i], why ? SPARE_SHARE : 1, p->nunits - i, end));
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
	const double end = seconds_used() + seconds_for() / 2;
	struct tally t = { 0 };

	if (n == 0 || !line[0].text[0]) {
		skip(1, "nobody knows the lines: build with -g, and run it by make check");
		return;
	}
	for (unsigned i = 0; i < n; i++)
		if (is_about(p, &line[i]))
			weaken_line(p, &line[i], time_until(n - i, end), &t);
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
	const char *tool = getenv("QTI_TEST_TOOL");
	const double end = seconds_used() + seconds_for() / 2;
	bool good = true;

	explore_catch();
	if (argc == 3)
		return again(p, argv[1], argv[2]);
	if (tool && *tool)
		plan_skip_all("%s watches memory, too", tool);
	plan(p->nunits + 1);
	for (unsigned i = 0; i < p->nunits; i++) {
		if (p->unit[i]->without) {
			report_without(p->unit[i], time_until(p->nunits - i, end));
			continue;
		}
		struct findings f = explore(p->unit[i], extent_of(p->unit[i], 1, p->nunits - i, end));
		report(p->unit[i], &f, argv[0]);
		good &= !f.failed;
	}
	if (good && !is_brief())
		weaken(p);
	else
		skip(1, good ? "QTI_TEST_BRIEF" : "with all orders in place a unit fails");
	return done();
}
