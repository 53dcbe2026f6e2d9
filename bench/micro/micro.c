/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "micro/micro.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT_MS = 60000 };

static struct bench_setup setup;
static const char *only;
static bool list, quick, csv, costs;
static const char *current = "micro"; /* the figure being measured */

void micro_fail(const char *fmt, ...)
{
	va_list args;

	fprintf(stderr, "micro: %s: ", current);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	_exit(1);
}

void micro_fork(qthread_f f, const void *arg, aligned_t *ret, qthread_shepherd_id_t shepherd)
{
	int rc = shepherd == NO_SHEPHERD ? qthread_fork(f, arg, ret) : qthread_fork_to(f, arg, ret, shepherd);

	if (rc != QTHREAD_SUCCESS)
		micro_fail("a fork failed (%d)", rc);
}

void micro_side_by_side(unsigned n, qthread_f f)
{
	static aligned_t ended[MICRO_ANY];

	for (unsigned i = 0; i < n; i++)
		micro_fork(f, NULL, &ended[i], (qthread_shepherd_id_t)(i % qthread_num_shepherds()));
	for (unsigned i = 0; i < n; i++)
		qthread_readFF(NULL, &ended[i]);
}

struct sampling {
	const struct micro_figure *figure;
	double median;
};

static aligned_t take_samples(void *arg)
{
	struct sampling *s = arg;
	const struct micro_figure *f = s->figure;
	unsigned n = quick ? 1 : f->samples;
	double samples[n];

	for (unsigned i = 0; i < n; i++)
		samples[i] = f->once(quick ? f->quick_count : f->count);
	s->median = bench_summarize(samples, n).median;
	return 0;
}

static double measure_here(const struct micro_figure *f, unsigned long workers)
{
	struct bench_setup here = { .workers = workers, .scheduler = setup.scheduler };
	struct sampling s = { .figure = f };
	aligned_t ended;

	current = f->name;
	if (f->place == MICRO_ALONE) {
		bench_configure(&here);
		take_samples(&s);
		return s.median;
	}
	bench_start("micro", &here);
	if (f->place == MICRO_TASK) {
		micro_fork(take_samples, &s, &ended, NO_SHEPHERD);
		qthread_readFF(NULL, &ended);
	} else {
		take_samples(&s);
	}
	qthread_finalize();
	return s.median;
}

/* Each figure has a fresh process: none sees another's warm pools, and a hang costs one line. */
static bool measure_apart(const struct micro_figure *f, unsigned long workers, double *value)
{
	int fd[2], status;

	fflush(NULL);
	if (pipe(fd) != 0)
		return false;
	pid_t pid = fork();
	if (pid == 0) {
		close(fd[0]);
		*value = measure_here(f, workers);
		exit(write(fd[1], value, sizeof(*value)) == (ssize_t)sizeof(*value) ? 0 : 1);
	}
	close(fd[1]);
	struct pollfd p = { .fd = fd[0], .events = POLLIN };
	bool got =
		pid > 0 && poll(&p, 1, LIMIT_MS) == 1 && read(fd[0], value, sizeof(*value)) == (ssize_t)sizeof(*value);
	if (pid > 0 && !got)
		kill(pid, SIGKILL); /* hung, or gone already */
	close(fd[0]);
	return pid > 0 && waitpid(pid, &status, 0) == pid && got && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool run_figure(const struct micro_figure *f, unsigned long workers)
{
	double value = 0, target = workers <= 2 ? f->target[workers - 1] : 0;
	char bar[32] = "";

	bool good = measure_apart(f, workers, &value);
	if (target > 0)
		snprintf(bar, sizeof(bar), csv ? "%.1f" : "<= %.1f", target);
	if (csv && good)
		printf("%s,%s,%lu,%.2f,%s,%s\n", f->name, bench_scheduler_name(&setup), workers, value, f->unit, bar);
	else if (csv)
		printf("%s,%s,%lu,,%s,%s\n", f->name, bench_scheduler_name(&setup), workers, f->unit, bar);
	else if (good)
		printf("%-18s %7lu %10.1f %-12s %-10s %s\n", f->name, workers, value, f->unit, bar,
			target > 0 && value > target ? "missed" : "");
	else
		printf("%-18s %7lu %10s %-12s %-10s\n", f->name, workers, "FAILED", f->unit, bar);
	fflush(stdout);
	return good;
}

static bool run_table(const struct micro_figure *table)
{
	bool good = true;

	for (const struct micro_figure *f = table; f->name; f++) {
		if (only && strcmp(only, f->name) != 0)
			continue;
		if (list) {
			printf("%-18s %-12s %s\n", f->name, f->unit, f->what);
			continue;
		}
		unsigned long from = setup.workers ? setup.workers : 1, to = setup.workers ? setup.workers : 2;
		if (from < f->min_workers || from > f->max_workers)
			from = from < f->min_workers ? f->min_workers : f->max_workers;
		if (to > f->max_workers || to < from)
			to = from;
		for (unsigned long w = from; w <= to; w++)
			good = run_figure(f, w) && good;
	}
	return good;
}

static const struct micro_figure *const tables[] = { micro_tasks, micro_words, micro_io, micro_whole, micro_inside };
enum { NTABLES = sizeof(tables) / sizeof(tables[0]) };

static bool known(const char *name)
{
	for (unsigned i = 0; i < NTABLES; i++)
		for (const struct micro_figure *f = tables[i]; f->name; f++)
			if (strcmp(f->name, name) == 0)
				return true;
	return false;
}

/* Lines that bench/sim/sim --costs reads. */
static bool print_costs(void)
{
	bool good = true;
	double value = 0;

	bench_print_machine(stdout, "# ");
	for (const struct micro_figure *f = micro_costs; f->name; f++) {
		if (only && strcmp(only, f->name) != 0)
			continue;
		bool got = measure_apart(f, 1, &value);
		if (!got)
			fprintf(stderr, "micro: %s: FAILED\n", f->name);
		else if (isnan(value))
			printf("# %s: not to be seen here\n", f->name);
		else
			printf("%-12s %.5g\n", f->name, value);
		fflush(stdout);
		good = good && got;
	}
	return good;
}

int main(int argc, char **argv)
{
	const struct bench_option options[] = {
		{ "only", "measure this figure alone", BENCH_TEXT, &only, 0, 0, NULL },
		{ "list", "say what the figures mean and stop", BENCH_SWITCH, &list, 0, 0, NULL },
		{ "quick", "fewer operations, one sample each", BENCH_SWITCH, &quick, 0, 0, NULL },
		{ "workers", "workers to run, where a figure allows (default: 1, then 2)", BENCH_NUMBER, &setup.workers,
			1, MICRO_ANY, NULL },
		{ "scheduler", "who runs when (QT_SCHEDULER)", BENCH_CHOICE, &setup.scheduler, 0, 0, bench_schedulers },
		{ "csv", "print comma-separated values", BENCH_SWITCH, &csv, 0, 0, NULL },
		{ "costs", "print what bench/sim/sim --costs reads, of this machine, and nothing else", BENCH_SWITCH, &costs, 0, 0,
			NULL },
		{ .name = NULL },
	};
	bool good = true;

	bench_parse(argc, argv, "micro", "what single operations cost", options);
	if (costs)
		return print_costs() ? 0 : 1;
	if (only && !known(only))
		bench_usage("micro", "--only %s: no such figure; --list names them", only);
	if (csv && !list) {
		printf("figure,scheduler,workers,value,unit,target\n");
	} else if (!list) {
		bench_print_machine(stdout, "");
		printf("scheduler  %s%s\n\n", bench_scheduler_name(&setup), quick ? ", quick" : "");
		printf("%-18s %7s %10s %-12s %-10s\n", "figure", "workers", "value", "unit", "target");
	}
	for (unsigned i = 0; i < NTABLES; i++)
		good = run_table(tables[i]) && good;
	return good ? 0 : 1;
}
