/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* OpenMP, of whatever library the dynamic linker has found. */
#define _GNU_SOURCE
#include "common/counts.h"

#include <dlfcn.h>
#include <omp.h>

static void start(const struct bench_setup *setup)
{
	int threads = 0;

	if (setup->workers)
		omp_set_num_threads((int)setup->workers);
#pragma omp parallel default(none) shared(threads)
	{
#pragma omp single
		threads = omp_get_num_threads();
	}
	if (setup->workers && (unsigned long)threads != setup->workers)
		fprintf(stderr, "%s: note: %lu threads asked for, a region has %d\n", bench_program.about.name,
			setup->workers, threads);
}

static unsigned workers(void)
{
	return (unsigned)omp_get_max_threads();
}

static const char *library(void)
{
	return bench_origin("GOMP_parallel");
}

/* Only libqomp has one to choose; it alone speaks XOMP, too. */
static const char *scheduler(void)
{
	static const struct bench_setup environment;

	return dlsym(RTLD_DEFAULT, "XOMP_init") ? bench_scheduler_name(&environment) : "none";
}

const struct bench_runtime bench_runtime = {
	.name = "openmp",
	.clauses = true,
	.start = start,
	.workers = workers,
	.library = library,
	.scheduler = scheduler,
	.counts = bench_counts_found,
};
