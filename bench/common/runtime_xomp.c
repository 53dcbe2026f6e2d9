/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* XOMP on libqomp: programs as ROSE lowers them, compiled by any compiler. */
#include "common/counts.h"
#include "libxomp.h"

/* Of OpenMP's own routines, whose header only comes with a compiler that has OpenMP. */
void omp_set_num_threads(int n);
int omp_get_max_threads(void);

static void nothing(void *arg)
{
	(void)arg;
	XOMP_barrier();
}

static void start(const struct bench_setup *setup)
{
	XOMP_init(0, NULL);
	if (setup->workers)
		omp_set_num_threads((int)setup->workers);
	XOMP_parallel_start(nothing, NULL, 1, 0, NULL, 0);
	XOMP_parallel_end(NULL, 0);
}

static void stop(void)
{
	XOMP_terminate(0);
}

static unsigned workers(void)
{
	return (unsigned)omp_get_max_threads();
}

static const char *library(void)
{
	return bench_origin("XOMP_init");
}

static const char *scheduler(void)
{
	static const struct bench_setup environment;

	return bench_scheduler_name(&environment);
}

const struct bench_runtime bench_runtime = {
	.name = "xomp",
	.start = start,
	.stop = stop,
	.workers = workers,
	.library = library,
	.scheduler = scheduler,
	.counts = bench_counts_found,
};
