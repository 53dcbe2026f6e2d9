/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* main() of a program of the suite: options, timed and checked repetitions, a report. */
#include "common/counts.h"

#include <stdlib.h>
#include <string.h>

enum { PARALLEL, SERIAL };
static const char *const variants[] = { "parallel", "serial", NULL };
static const char *const sizes[] = { "test", "quick", "reference", "paper", NULL };
static const char *const cutoffs[] = { "none", "manual", NULL };
static const char *const clauses[] = { "none", "manual", "if", "final", NULL };

static unsigned long reps;
static unsigned variant;
static bool csv;
static char problem[200];

struct bench_setup bench_setup;
unsigned bench_cutoff, bench_size = BENCH_REFERENCE;

/* --- options --------------------------------------------------------------------------------------------- */

static const struct bench_option size_option[] = {
	{ "size", "of the problem, where no option says more", BENCH_CHOICE, &bench_size, 0, 0, sizes },
	{ .name = NULL },
};
static const struct bench_option cutoff_option[] = {
	{ "cutoff", "how the recursion ends its tasks", BENCH_CHOICE, &bench_cutoff, 0, 0, cutoffs },
	{ .name = NULL },
};
static const struct bench_option clauses_option[] = {
	{ "cutoff", "how the recursion ends its tasks", BENCH_CHOICE, &bench_cutoff, 0, 0, clauses },
	{ .name = NULL },
};
static const struct bench_option common_options[] = {
	{ "variant", "with tasks, or the serial twin", BENCH_CHOICE, &variant, 0, 0, variants },
	{ "workers", "how many threads work", BENCH_NUMBER, &bench_setup.workers, 1, 4096, NULL },
	{ "reps", "timed repetitions", BENCH_NUMBER, &reps, 1, 100000, NULL },
	{ "csv", "print a header and one line of comma-separated values", BENCH_SWITCH, &csv, 0, 0, NULL },
	{ .name = NULL },
};

static void parse(int argc, char **argv)
{
	const struct bench_program *p = &bench_program;
	const struct bench_option *const cut = bench_runtime.clauses ? clauses_option : cutoff_option;
	const struct bench_option *const tables[] = { p->options, bench_version.options, p->takes.cutoff ? cut : NULL,
		p->takes.size ? size_option : NULL, common_options, bench_runtime.options };

	reps = p->default_reps;
	bench_parse_tables(argc, argv, p->about.name, p->about.what, tables, sizeof(tables) / sizeof(tables[0]));
}

/* --- the repetitions ------------------------------------------------------------------------------------- */

static void measure(double *seconds)
{
	const struct bench_program *p = &bench_program;
	void (*const timed)(void) = variant == SERIAL ? p->timed.serial : bench_version.parallel;
	char why[200];

	for (unsigned long i = 0; i < reps; i++) {
		if (p->untimed.before)
			p->untimed.before();
		uint64_t start = bench_now_ns();
		timed();
		seconds[i] = (double)(bench_now_ns() - start) / 1e9;
		if (!p->report.check(why, sizeof(why)))
			bench_fail(p->about.name, "WRONG RESULT: %s", why);
	}
}

static double *samples;

static void measure_samples(void)
{
	measure(samples);
}

static bool counts_read(double into[BENCH_COUNTS])
{
	return bench_runtime.counts && bench_runtime.counts(into);
}

/* Runs them all where the runtime wants them; what it has counted meanwhile is the mean of a repetition.  False: it does
 * not count. */
static bool run_parallel(double counts[BENCH_COUNTS])
{
	double before[BENCH_COUNTS];
	bool counted = counts_read(before);

	if (bench_runtime.run)
		bench_runtime.run(measure_samples);
	else
		measure_samples();
	if (!counted || !counts_read(counts))
		return false;
	for (unsigned i = 0; i < BENCH_COUNTS; i++)
		counts[i] = (counts[i] - before[i]) / (double)reps;
	return true;
}

/* --- the report ------------------------------------------------------------------------------------------ */

struct report {
	struct bench_summary s;
	double counts[BENCH_COUNTS];
	bool counted;
	const double *in_order; /* the samples as they came */
	const char *runtime, *library, *scheduler;
	unsigned shepherds, workers;
};

/* A figure that is not known is negative. */
static void field(double value)
{
	if (value >= 0)
		printf("%.0f,", value);
	else
		printf(",");
}

static void report_csv(const struct report *r)
{
	const struct bench_program *p = &bench_program;
	const double units = p->report.units();

	printf("program,problem,runtime,library,cutoff,variant,scheduler,shepherds,workers,reps,median_s,min_s,max_s,"
	       "stddev_s,spread_percent,units,unit,ns_per_unit,tasks,");
	for (unsigned i = 0; i < BENCH_COUNTS; i++)
		printf("%s,", bench_count_name(i));
	printf("samples,machine,compiler\n");
	printf("%s,\"%s\",%s,\"%s\",%s,%s,%s,%u,%u,%lu,", p->about.name, problem, r->runtime, r->library,
		p->takes.cutoff ? clauses[bench_cutoff] : "", variants[variant], r->scheduler, r->shepherds, r->workers,
		reps);
	printf("%.6f,%.6f,%.6f,%.6f,%.1f,%.0f,%s,%.2f,", r->s.median, r->s.min, r->s.max, r->s.deviation,
		100 * (r->s.max - r->s.min) / r->s.median, units, p->about.unit, r->s.median * 1e9 / units);
	field(variant == PARALLEL && p->report.tasks ? p->report.tasks() : -1);
	for (unsigned i = 0; i < BENCH_COUNTS; i++)
		field(r->counted ? r->counts[i] : -1);
	for (unsigned long i = 0; i < reps; i++)
		printf("%s%.6f", i ? ";" : "", r->in_order[i]);
	printf(",\"%s\",\"%s\"\n", bench_machine(), bench_compiler());
}

static void report_text(const struct report *r)
{
	const struct bench_program *p = &bench_program;
	const double units = p->report.units();

	printf("%s: %s\n", p->about.name, problem);
	bench_print_machine(stdout, "  ");
	if (variant == SERIAL) {
		printf("  run        serial twin, %lu repetitions\n", reps);
	} else {
		printf("  runtime    %s, %s%s%s\n", r->runtime, r->library, bench_version.name ? ": " : "",
			bench_version.name ? bench_version.name : "");
		printf("  run        ");
		if (r->shepherds)
			printf("shepherds x workers %s", bench_shape(r->shepherds, r->workers));
		else
			printf("%u threads", r->workers);
		printf(", scheduler %s, %lu repetitions\n", r->scheduler, reps);
	}
	printf("  seconds    median %.4f, min %.4f, max %.4f, spread %.1f %%\n", r->s.median, r->s.min, r->s.max,
		100 * (r->s.max - r->s.min) / r->s.median);
	printf("  rate       %.2f M %ss/s, %.1f ns a %s (median)\n", units / r->s.median / 1e6, p->about.unit,
		r->s.median * 1e9 / units, p->about.unit);
}

int main(int argc, char **argv)
{
	const struct bench_program *p = &bench_program;
	const struct bench_runtime *rt = &bench_runtime;
	struct report r = { .runtime = "serial", .library = "none", .scheduler = "none" };

	parse(argc, argv);
	bench_machine();
	if (p->untimed.setup)
		p->untimed.setup();
	p->report.describe(problem, sizeof(problem));
	samples = bench_room(p->about.name, reps, sizeof(*samples));
	double *sorted = bench_room(p->about.name, reps, sizeof(*sorted));
	if (variant == PARALLEL) {
		rt->start(&bench_setup);
		r.runtime = rt->name;
		r.library = rt->library();
		r.scheduler = rt->scheduler ? rt->scheduler() : "none";
		r.shepherds = rt->shepherds ? rt->shepherds() : 0;
		r.workers = rt->workers();
		r.counted = run_parallel(r.counts);
	} else {
		measure_samples();
	}
	memcpy(sorted, samples, reps * sizeof(*sorted));
	r.in_order = samples;
	r.s = bench_summarize(sorted, reps);
	(csv ? report_csv : report_text)(&r);
	if (variant == PARALLEL && rt->stop)
		rt->stop();
	free(sorted);
	free(samples);
	return 0;
}
