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

const char *bench_machine(void)
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

const char *bench_compiler(void)
{
#ifdef __clang__
	return "clang " __clang_version__;
#else
	return "gcc " __VERSION__;
#endif
}

void bench_print_machine(FILE *to, const char *prefix)
{
	fprintf(to, "%smachine    %s\n%scompiler   %s\n", prefix, bench_machine(), prefix, bench_compiler());
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
