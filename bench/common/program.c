/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* main() of a program that describes itself in bench_program: options, timed and checked repetitions, a report. */
#include "common/bench.h"

#include <stdlib.h>

enum { VARIANT_QTHREAD, VARIANT_SERIAL, VARIANT_PEER };
static const char *const variants[] = { "qthread", "serial", "peer", NULL };

struct run {
	struct bench_setup setup;
	unsigned long reps;
	unsigned variant;
	bool csv;
	unsigned shepherds, workers;
	char problem[160];
};

static void measure(const struct run *run, double *seconds)
{
	const struct bench_program *p = &bench_program;
	void (*const timed[])(void) = { p->timed.parallel, p->timed.serial, p->peer.run };
	char why[200];

	for (unsigned long i = 0; i < run->reps; i++) {
		if (p->untimed.before)
			p->untimed.before();
		uint64_t start = bench_now_ns();
		timed[run->variant]();
		seconds[i] = (double)(bench_now_ns() - start) / 1e9;
		if (!p->report.check(why, sizeof(why))) {
			fprintf(stderr, "%s: WRONG RESULT: %s\n", p->about.name, why);
			exit(1);
		}
	}
}

static void report_csv(const struct run *run, const struct bench_summary *s)
{
	const struct bench_program *p = &bench_program;

	printf("program,problem,variant,scheduler,shepherds,workers,reps,median_s,min_s,max_s,spread_percent,"
	       "units,unit,ns_per_unit,machine,compiler\n");
	printf("%s,\"%s\",%s,%s,%u,%u,%lu,%.6f,%.6f,%.6f,%.1f,%.0f,%s,%.2f,\"%s\",\"%s\"\n", p->about.name,
		run->problem, variants[run->variant],
		run->variant == VARIANT_QTHREAD ? bench_scheduler_name(&run->setup) : "none", run->shepherds,
		run->workers, run->reps, s->median, s->min, s->max, 100 * (s->max - s->min) / s->median,
		p->report.units(), p->about.unit, s->median * 1e9 / p->report.units(), bench_machine(),
		bench_compiler());
}

static void report_text(const struct run *run, const struct bench_summary *s)
{
	const struct bench_program *p = &bench_program;

	printf("%s: %s\n", p->about.name, run->problem);
	bench_print_machine(stdout, "  ");
	if (run->variant == VARIANT_SERIAL)
		printf("  run        serial twin, %lu repetitions\n", run->reps);
	else if (run->variant == VARIANT_PEER)
		printf("  run        %s, %lu repetitions\n", p->peer.name(), run->reps);
	else
		printf("  run        scheduler %s, shepherds x workers %s, %lu repetitions\n",
			bench_scheduler_name(&run->setup), bench_shape(run->shepherds, run->workers), run->reps);
	printf("  seconds    median %.4f, min %.4f, max %.4f, spread %.1f %%\n", s->median, s->min, s->max,
		100 * (s->max - s->min) / s->median);
	printf("  rate       %.2f M %ss/s, %.1f ns a %s (median)\n", p->report.units() / s->median / 1e6, p->about.unit,
		s->median * 1e9 / p->report.units(), p->about.unit);
}

int main(int argc, char **argv)
{
	const struct bench_program *p = &bench_program;
	struct run run = { .reps = p->default_reps };
	const struct bench_option common[] = {
		{ "variant", "with tasks, the serial twin, or another library", BENCH_CHOICE, &run.variant, 0, 0, variants },
		{ "workers", "workers to run (QT_HWPAR)", BENCH_NUMBER, &run.setup.workers, 1, 4096, NULL },
		{ "scheduler", "who runs when (QT_SCHEDULER)", BENCH_CHOICE, &run.setup.scheduler, 0, 0,
			bench_schedulers },
		{ "reps", "timed repetitions", BENCH_NUMBER, &run.reps, 1, 100000, NULL },
		{ "csv", "print a header and one line of comma-separated values", BENCH_SWITCH, &run.csv, 0, 0, NULL },
		{ .name = NULL },
	};

	bench_parse(argc, argv, p->about.name, p->about.what, p->options, common);
	if (run.variant == VARIANT_PEER && !p->peer.run)
		bench_usage(p->about.name, "--variant peer: there is none to compare with in this build");
	bench_machine();
	if (p->untimed.setup)
		p->untimed.setup();
	p->report.describe(run.problem, sizeof(run.problem));
	double *seconds = calloc(run.reps, sizeof(*seconds));
	if (!seconds) {
		fprintf(stderr, "%s: out of memory\n", p->about.name);
		return 1;
	}
	if (run.variant == VARIANT_QTHREAD) {
		bench_start(p->about.name, &run.setup);
		run.shepherds = qthread_num_shepherds();
		run.workers = qthread_num_workers();
	}
	measure(&run, seconds);
	struct bench_summary s = bench_summarize(seconds, run.reps);
	if (run.csv)
		report_csv(&run, &s);
	else
		report_text(&run, &s);
	free(seconds);
	if (run.variant == VARIANT_QTHREAD)
		qthread_finalize();
	return 0;
}
