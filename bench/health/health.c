/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* The program: which country, and whether its totals are right. */
#include "health/country.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static unsigned long depth = 2;
static const char *input;

static struct health_country country;
static struct health_totals known, found; /* known.population is 0 where nobody knows */
unsigned long health_days;

/* Three are published with their totals, by the files of the suite that this is from; quick is ours. */
static const char *const lines[BENCH_SIZES] = {
	"3 18 10 365 2 12 23 0.002 0.100 0.150 7280 343 728 5531 7160 80 26 14 5.259341",
	"4 14 10 365 2 12 23 0.002 0.100 0.150",
	"4 18 10 365 2 12 23 0.002 0.100 0.150 131200 6175 13120 96718 128997 1406 525 272 5.167470",
	"5 24 10 365 2 12 23 0.002 0.100 0.150 7238720 346201 723872 5267413 7121156 73923 28969 14672 5.230891",
};

bool health_splits(const struct village *v)
{
	return (unsigned long)(country.levels - v->level) < depth;
}

/* ---- The country */

enum { PARAMETERS = 10, TOTALS = 9, MOST_LEVELS = 12 };
#define MOST_PEOPLE 2e9

static bool parse(const char *text)
{
	struct health_country *c = &country;
	struct health_totals *t = &known;
	int got = sscanf(text, "%d %d %d %d %d %d %ld %f %f %f %lf %lf %lf %lf %lf %lf %lf %lf %lf", &c->levels, &c->cities,
		&c->population, &c->days, &c->assess_days, &c->convalescence_days, &c->seed, &c->sickness,
		&c->convalescence, &c->referral, &t->population, &t->hospitals, &t->personnel, &t->checkins, &t->home,
		&t->waiting, &t->assessed, &t->inside, &t->stay);

	if (got == PARAMETERS)
		t->population = 0;
	return got == PARAMETERS || got == PARAMETERS + TOTALS;
}

static bool is_chance(float p)
{
	return p >= 0 && p <= 1;
}

/* NULL, or what is allowed. */
static const char *objection(const struct health_country *c)
{
	if (c->levels < 1 || c->levels > MOST_LEVELS)
		return "levels must be between 1 and 12";
	if (c->cities < 1 || c->cities > 1000 || c->population < 1 || c->population > 1000000)
		return "cities must be between 1 and 1000, the population between 1 and 1000000";
	if (c->days < 1 || c->assess_days < 1 || c->convalescence_days < 1)
		return "days must be 1 or more";
	if (!is_chance(c->sickness) || !is_chance(c->convalescence) || !is_chance(c->referral))
		return "chances must be between 0 and 1";
	if (health_size(c).population > MOST_PEOPLE)
		return "there must be no more than 2000000000 people";
	return NULL;
}

static void read_input(void)
{
	char line[400];
	FILE *f = fopen(input, "r");

	if (!f || !fgets(line, sizeof(line), f))
		bench_usage("health", "--input %s: cannot be read, or is empty", input);
	fclose(f);
	if (!parse(line))
		bench_usage("health", "--input %s, line 1: must be levels cities population days assess-days "
			"convalescence-days seed, three chances, and nine totals or none", input);
}

static void setup(void)
{
	if (input)
		read_input();
	else
		parse(lines[bench_size]);
	const char *wrong = objection(&country);
	if (wrong)
		bench_usage("health", "--input %s, line 1: %s", input, wrong);
	health_days = (unsigned long)country.days;
}

static void before(void)
{
	if (!health_begin(&country))
		bench_fail("health", "out of memory for %.0f people", health_size(&country).population);
}

/* ---- A repetition */

static void serial(void)
{
	for (unsigned long day = 0; day < health_days; day++)
		health_day(health_top);
}

/* The stay is known to six digits or so. */
static bool agree(const struct health_totals *a, const struct health_totals *b)
{
	return a->population == b->population && a->hospitals == b->hospitals && a->personnel == b->personnel &&
	       a->checkins == b->checkins && a->home == b->home && a->waiting == b->waiting &&
	       a->assessed == b->assessed && a->inside == b->inside && fabs(a->stay - b->stay) < 1e-5;
}

static bool check(char *why, size_t size)
{
	found = health_end();
	if (known.population == 0) {
		before();
		serial();
		known = health_end();
	}
	if (agree(&found, &known))
		return true;
	snprintf(why, size, "check-ins %.0f, home %.0f, waiting %.0f, assessed %.0f, inside %.0f, mean stay %f; right is "
		"%.0f, %.0f, %.0f, %.0f, %.0f, %f", found.checkins, found.home, found.waiting, found.assessed,
		found.inside, found.stay, known.checkins, known.home, known.waiting, known.assessed, known.inside,
		known.stay);
	return false;
}

/* Villages down to a level, the topmost counted as one level. */
static double villages(unsigned long levels)
{
	double n = 0, at_level = 1;

	for (unsigned long i = 0; i < levels && i < (unsigned long)country.levels; i++, at_level *= country.cities)
		n += at_level;
	return n;
}

static double units(void)
{
	return (double)health_days * villages((unsigned long)country.levels);
}

static double tasks(void)
{
	const unsigned long levels = bench_cutoff == BENCH_NONE ? (unsigned long)country.levels : depth + 1;

	return (double)health_days * (villages(levels) - 1);
}

static void describe(char *text, size_t size)
{
	int used = snprintf(text, size, "%d levels of %d cities, %d days", country.levels, country.cities, country.days);

	if (bench_cutoff != BENCH_NONE)
		snprintf(text + used, size - (size_t)used, ", tasks down to depth %lu", depth);
}

static const struct bench_option options[] = {
	{ "input", "a file with a line: levels, cities, population, days, ...", BENCH_TEXT, &input, 0, 0, NULL },
	{ "cutoff-depth", "how many levels of villages have tasks below them", BENCH_NUMBER, &depth, 1, 100, NULL },
	{ .name = NULL },
};

const struct bench_program bench_program = {
	.about = { "health", "village-day", "a country's health care, day by day; every village's day is a task" },
	.options = options,
	.takes = { .size = true, .cutoff = true },
	.default_reps = 5,
	.untimed = { setup, before },
	.timed = { serial },
	.report = { check, units, describe, tasks },
};
