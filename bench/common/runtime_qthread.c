/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Native qthreads. */
#include "common/counts.h"
#include "common/native.h"
#include "common/must.h"

static aligned_t nothing(void *arg)
{
	(void)arg;
	return 0;
}

static void start(const struct bench_setup *setup)
{
	aligned_t done;

	bench_start(bench_program.about.name, setup);
	for (qthread_shepherd_id_t i = 0; i < qthread_num_shepherds(); i++) {
		must(qthread_fork_to(nothing, NULL, &done, i));
		must(qthread_readFF(NULL, &done));
	}
}

static void stop(void)
{
	qthread_finalize();
}

static unsigned workers(void)
{
	return qthread_num_workers();
}

static unsigned shepherds(void)
{
	return qthread_num_shepherds();
}

static const char *library(void)
{
	return bench_origin("qthread_fork");
}

static const char *scheduler(void)
{
	return bench_scheduler_name(&bench_setup);
}

static bool counts(double into[BENCH_COUNTS])
{
	qt_stats_t stats;

	if (qthread_stats(&stats, QT_STATS_TOTAL, 0) != QTHREAD_SUCCESS)
		return false;
	bench_counts_of(&stats, into);
	return true;
}

static const struct bench_option options[] = {
	{ "scheduler", "who runs when (QT_SCHEDULER)", BENCH_CHOICE, &bench_setup.scheduler, 0, 0, bench_schedulers },
	{ .name = NULL },
};

const struct bench_runtime bench_runtime = {
	.name = "qthread",
	.options = options,
	.start = start,
	.stop = stop,
	.workers = workers,
	.shepherds = shepherds,
	.library = library,
	.scheduler = scheduler,
	.counts = counts,
};
