/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Takes one figure in this process, with the runtime and the settings that it was started with. */
#define _GNU_SOURCE
#include "omp/omp.h"

#include <omp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SAMPLES = 1000, MIN_SAMPLES = 3 };

static const struct figure *const tables[] = { figures_sync, figures_loop, figures_task, figures_data };
enum { NTABLES = sizeof(tables) / sizeof(tables[0]) };

static const char *const groups[NTABLES] = { "sync", "loop", "task", "data" };

void bodies_serial(unsigned long n, unsigned arg)
{
	(void)arg;
	for (unsigned long i = 0; i < n; i++)
		body();
}

static _Noreturn void fail(const char *figure, const char *fmt, ...)
{
	va_list args;

	fprintf(stderr, "omp: %s: ", figure);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	/* The runtime may be in a state in which it cannot be left in an orderly way. */
	_Exit(1);
}

static double timed(const struct figure *f, unsigned long n)
{
	uint64_t start = bench_now_ns();
	f->with(n, f->arg);
	double ns = (double)(bench_now_ns() - start);
	unsigned long expected = n * f->count.bodies, found = tally_take();

	if (f->count.every_thread)
		expected *= (unsigned long)omp_get_max_threads();
	if (found != expected)
		fail(f->name, "WRONG RESULT: %lu bodies ran, not %lu", found, expected);
	return ns;
}

static double timed_without(const struct figure *f, unsigned long n)
{
	if (!f->without)
		return 0;
	uint64_t start = bench_now_ns();
	f->without(n, f->arg);
	double ns = (double)(bench_now_ns() - start);
	tally_take();
	return ns;
}

/* How often the construct must be repeated to last so long.  The least of three counts: one run alone may have waited
 * for threads to start, or for others on the machine. */
static unsigned long repetitions(const struct figure *f, double at_least_ns)
{
	unsigned long n = 1;

	for (;;) {
		double ns = timed(f, n);
		for (unsigned again = 0; again < 2 && ns >= at_least_ns; again++) {
			double other = timed(f, n);
			ns = other < ns ? other : ns;
		}
		if (ns >= at_least_ns || n >= 1ul << 26)
			return n;
		double factor = 1.2 * at_least_ns / (ns + 1);
		n = (unsigned long)((double)n * (factor < 2 ? 2 : factor > 10 ? 10 : factor));
	}
}

/* The team must be as large as it was asked to be: a smaller one measures something else. */
static void check_team(const char *figure)
{
	int size = 0;

#pragma omp parallel
#pragma omp single
	size = omp_get_num_threads();
	if (size != omp_get_max_threads())
		fail(figure, "a team of %d threads, not %d", size, omp_get_max_threads());
}

struct sampling {
	unsigned long samples, sample_us, budget_ms;
};

/* Prints median, least and largest, the time of the same work without the construct, and how much was done. */
static void take_figure(const struct figure *f, const struct sampling *how)
{
	check_team(f->name);
	double samples[MAX_SAMPLES], without[MAX_SAMPLES];
	unsigned long n = repetitions(f, 1e3 * (double)how->sample_us), taken = 0;
	double ops = (double)n * (f->count.in_one ? f->count.in_one : 1);
	uint64_t start = bench_now_ns();

	while (taken < how->samples) {
		without[taken] = timed_without(f, n) / ops;
		samples[taken] = timed(f, n) / ops - without[taken];
		if (++taken >= MIN_SAMPLES && bench_now_ns() - start > 1000000 * (uint64_t)how->budget_ms)
			break;
	}
	struct bench_summary s = bench_summarize(samples, taken);
	printf("%.3f %.3f %.3f %.3f %lu %lu\n", s.median, s.min, s.max, bench_summarize(without, taken).median, taken,
		n);
}

static const struct figure *find(const char *name)
{
	for (unsigned i = 0; i < NTABLES; i++)
		for (const struct figure *f = tables[i]; f->name; f++)
			if (strcmp(f->name, name) == 0)
				return f;
	bench_usage("omp", "--figure %s: no such figure; --list names them", name);
}

/* For `run`: a line for each figure, fields between tabs. */
static void list_figures(void)
{
	for (unsigned i = 0; i < NTABLES; i++)
		for (const struct figure *f = tables[i]; f->name; f++)
			printf("%s\t%s\t%s\t%u\t%g\t%g\t%s\t%s\n", f->name, groups[i], f->unit,
				f->min_threads ? f->min_threads : 1, f->target.ns[0], f->target.ns[1],
				f->target.rival ? f->target.rival : "-", f->what);
}

static void print_about(void)
{
	bench_print_machine(stdout, "");
	printf("GOMP       %s\n", bench_origin("GOMP_parallel"));
	printf("omp        %s\n", bench_origin("omp_get_max_threads"));
}

int main(int argc, char **argv)
{
	const char *name = NULL;
	bool list = false, about = false;
	struct sampling how = { .samples = 11, .sample_us = 1000, .budget_ms = 300 };
	const struct bench_option options[] = {
		{ "figure", "which one to take", BENCH_TEXT, &name, 0, 0, NULL },
		{ "samples", "how often", BENCH_NUMBER, &how.samples, 1, MAX_SAMPLES, NULL },
		{ "sample-us", "least time that a sample takes, in us", BENCH_NUMBER, &how.sample_us, 1, 1000000,
			NULL },
		{ "budget-ms", "time after which three samples are enough, in ms", BENCH_NUMBER, &how.budget_ms, 1,
			100000, NULL },
		{ "list", "name the figures and stop", BENCH_SWITCH, &list, 0, 0, NULL },
		{ "about", "tell the machine and where the runtime comes from, and stop", BENCH_SWITCH, &about, 0, 0,
			NULL },
		{ .name = NULL },
	};

	bench_parse(argc, argv, "omp", "what one construct of OpenMP costs, under the runtime at hand", options);
	if (list)
		list_figures();
	else if (about)
		print_about();
	else if (!name)
		bench_usage("omp", "--figure is missing");
	else
		take_figure(find(name), &how);
	return 0;
}
