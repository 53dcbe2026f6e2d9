/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "common/bench.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef QTI_DEFAULT_SCHEDULER
#define QTI_DEFAULT_SCHEDULER "default"
#endif

enum { VARIANT_QTHREAD, VARIANT_SERIAL };
static const char *const variants[] = { "qthread", "serial", NULL };

const char *const bench_schedulers[] = { "auto", "q", "l", "cq", "ws", "mts", NULL };

uint64_t bench_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct bench_summary bench_summarize(double *samples, size_t n)
{
	qsort(samples, n, sizeof(samples[0]), by_value);
	return (struct bench_summary){
		.median = (samples[(n - 1) / 2] + samples[n / 2]) / 2,
		.min = samples[0],
		.max = samples[n - 1],
	};
}

static void cpu_model(char *text, size_t size)
{
	char line[256];
	FILE *f = fopen("/proc/cpuinfo", "r");

	snprintf(text, size, "unknown CPU");
	while (f && fgets(line, sizeof(line), f)) {
		const char *colon = strchr(line, ':');
		if (!colon || strncmp(line, "model name", 10) != 0)
			continue;
		line[strcspn(line, "\n")] = '\0';
		snprintf(text, size, "%s", colon + 2);
		break;
	}
	if (f)
		fclose(f);
}

/* CPU model, CPUs and load, as they were at the first call: the library binds the calling thread later. */
static const char *machine(void)
{
	static char text[256];
	char model[160];
	double load = 0;
	cpu_set_t allowed;

	if (text[0])
		return text;
	int usable = sched_getaffinity(0, sizeof(allowed), &allowed) == 0 ? CPU_COUNT(&allowed) : 0;
	getloadavg(&load, 1);
	cpu_model(model, sizeof(model));
	snprintf(text, sizeof(text), "%s, %ld CPUs (%d allowed), load %.1f", model, sysconf(_SC_NPROCESSORS_ONLN),
		usable, load);
	return text;
}

static const char *compiler(void)
{
#ifdef __clang__
	return "clang " __clang_version__;
#else
	return "gcc " __VERSION__;
#endif
}

void bench_print_machine(FILE *to, const char *prefix)
{
	fprintf(to, "%smachine    %s\n%scompiler   %s\n", prefix, machine(), prefix, compiler());
}

const char *bench_scheduler_name(const struct bench_setup *setup)
{
	static const char *const settings[] = { "QT_SCHEDULER", "QTHREAD_SCHEDULER" };

	if (setup->scheduler)
		return bench_schedulers[setup->scheduler];
	for (unsigned i = 0; i < 2; i++) {
		const char *value = getenv(settings[i]);
		if (value && *value)
			return value;
	}
	return QTI_DEFAULT_SCHEDULER;
}

void bench_configure(const struct bench_setup *setup)
{
	char number[24];

	if (setup->workers) {
		snprintf(number, sizeof(number), "%lu", setup->workers);
		setenv("QT_HWPAR", number, 1);
	}
	if (setup->scheduler)
		setenv("QT_SCHEDULER", bench_schedulers[setup->scheduler], 1);
}

void bench_start(const char *name, const struct bench_setup *setup)
{
	bench_configure(setup);
	int rc = qthread_initialize();
	if (rc != QTHREAD_SUCCESS) {
		fprintf(stderr, "%s: qthread_initialize failed (%d)\n", name, rc);
		exit(1);
	}
	if (setup->workers && qthread_num_workers() != setup->workers)
		fprintf(stderr, "%s: note: %lu workers asked for, the library runs %u\n", name, setup->workers,
			(unsigned)qthread_num_workers());
}

const char *bench_shape(unsigned shepherds, unsigned workers)
{
	static char text[48];

	if (shepherds && workers % shepherds == 0)
		snprintf(text, sizeof(text), "%u x %u", shepherds, workers / shepherds);
	else
		snprintf(text, sizeof(text), "%u, %u in all", shepherds, workers);
	return text;
}

struct run {
	const struct bench_program *program;
	struct bench_setup setup;
	unsigned long reps;
	unsigned variant;
	bool csv;
	unsigned shepherds, workers;
	char problem[160];
};

static void measure(const struct run *run, double *seconds)
{
	const struct bench_program *p = run->program;
	char why[200];

	for (unsigned long i = 0; i < run->reps; i++) {
		if (p->before)
			p->before();
		uint64_t start = bench_now_ns();
		if (run->variant == VARIANT_SERIAL)
			p->serial();
		else
			p->parallel();
		seconds[i] = (double)(bench_now_ns() - start) / 1e9;
		if (!p->check(why, sizeof(why))) {
			fprintf(stderr, "%s: WRONG RESULT: %s\n", p->name, why);
			exit(1);
		}
	}
}

static void report_csv(const struct run *run, const struct bench_summary *s)
{
	const struct bench_program *p = run->program;

	printf("program,problem,variant,scheduler,shepherds,workers,reps,median_s,min_s,max_s,spread_percent,"
	       "units,unit,ns_per_unit,machine,compiler\n");
	printf("%s,\"%s\",%s,%s,%u,%u,%lu,%.6f,%.6f,%.6f,%.1f,%.0f,%s,%.2f,\"%s\",\"%s\"\n", p->name, run->problem,
		variants[run->variant], run->variant == VARIANT_SERIAL ? "none" : bench_scheduler_name(&run->setup),
		run->shepherds, run->workers, run->reps, s->median, s->min, s->max, 100 * (s->max - s->min) / s->median,
		p->units(), p->unit, s->median * 1e9 / p->units(), machine(), compiler());
}

static void report_text(const struct run *run, const struct bench_summary *s)
{
	const struct bench_program *p = run->program;

	printf("%s: %s\n", p->name, run->problem);
	bench_print_machine(stdout, "  ");
	if (run->variant == VARIANT_SERIAL)
		printf("  run        serial twin, %lu repetitions\n", run->reps);
	else
		printf("  run        scheduler %s, shepherds x workers %s, %lu repetitions\n",
			bench_scheduler_name(&run->setup), bench_shape(run->shepherds, run->workers), run->reps);
	printf("  seconds    median %.4f, min %.4f, max %.4f, spread %.1f %%\n", s->median, s->min, s->max,
		100 * (s->max - s->min) / s->median);
	printf("  rate       %.2f M %ss/s, %.1f ns a %s (median)\n", p->units() / s->median / 1e6, p->unit,
		s->median * 1e9 / p->units(), p->unit);
}

int bench_main(int argc, char **argv, const struct bench_program *program)
{
	struct run run = { .program = program, .reps = program->default_reps };
	const struct bench_option common[] = {
		{ "variant", "with tasks, or the serial twin", BENCH_CHOICE, &run.variant, 0, 0, variants },
		{ "workers", "workers to run (QT_HWPAR)", BENCH_NUMBER, &run.setup.workers, 1, 4096, NULL },
		{ "scheduler", "who runs when (QT_SCHEDULER)", BENCH_CHOICE, &run.setup.scheduler, 0, 0,
			bench_schedulers },
		{ "reps", "timed repetitions", BENCH_NUMBER, &run.reps, 1, 100000, NULL },
		{ "csv", "print a header and one line of comma-separated values", BENCH_SWITCH, &run.csv, 0, 0, NULL },
		{ .name = NULL },
	};

	bench_parse(argc, argv, program->name, program->what, program->options, common);
	machine();
	program->setup();
	program->describe(run.problem, sizeof(run.problem));
	double *seconds = calloc(run.reps, sizeof(*seconds));
	if (!seconds) {
		fprintf(stderr, "%s: out of memory\n", program->name);
		return 1;
	}
	if (run.variant == VARIANT_QTHREAD) {
		bench_start(program->name, &run.setup);
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
