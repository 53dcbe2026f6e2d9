/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Native qthreads. */
#include "common/native.h"

#include <qthread/stats.h>

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
		qthread_fork_to(nothing, NULL, &done, i);
		qthread_readFF(NULL, &done);
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

static void steals(struct bench_steals *out)
{
	qt_stats_t stats;

	qthread_stats(&stats, QT_STATS_TOTAL, 0);
	out->steals = (double)stats.steals;
	out->failed = (double)stats.failed_steals;
	out->stolen = (double)stats.tasks_stolen;
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
	.steals = steals,
};
