/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Time, figures and the machine. */
#define _GNU_SOURCE
#include "common/bench.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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
	double mean = 0, squares = 0;

	qsort(samples, n, sizeof(samples[0]), by_value);
	for (size_t i = 0; i < n; i++)
		mean += samples[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (samples[i] - mean) * (samples[i] - mean);
	return (struct bench_summary){
		.median = (samples[(n - 1) / 2] + samples[n / 2]) / 2,
		.min = samples[0],
		.max = samples[n - 1],
		.deviation = n > 1 ? sqrt(squares / (double)(n - 1)) : 0,
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
