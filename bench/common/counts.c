/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "common/counts.h"

#include <dlfcn.h>
#include <qthread/qthread.h>
#include <stddef.h>

static const struct {
	const char *name;
	size_t at;
} counts[BENCH_COUNTS] = {
	{ "steals", offsetof(qt_stats_t, steals) },
	{ "failed_steals", offsetof(qt_stats_t, failed_steals) },
	{ "stolen", offsetof(qt_stats_t, tasks_stolen) },
	{ "in_place", offsetof(qt_stats_t, tasks_in_place) },
	{ "self", offsetof(qt_stats_t, tasks_self) },
	{ "local", offsetof(qt_stats_t, tasks_local) },
	{ "remote", offsetof(qt_stats_t, tasks_remote) },
	{ "static_pushes", offsetof(qt_stats_t, static_pushes) },
	{ "at_once", offsetof(qt_stats_t, at_once) },
	{ "requests", offsetof(qt_stats_t, requests) },
	{ "handled", offsetof(qt_stats_t, requests_handled) },
	{ "served", offsetof(qt_stats_t, requests_served) },
	{ "vain", offsetof(qt_stats_t, requests_vain) },
	{ "full", offsetof(qt_stats_t, requests_full) },
	{ "given_local", offsetof(qt_stats_t, given_local) },
	{ "given_remote", offsetof(qt_stats_t, given_remote) },
};

const char *bench_count_name(unsigned i)
{
	return counts[i].name;
}

void bench_counts_of(const qt_stats_t *stats, double into[BENCH_COUNTS])
{
	for (unsigned i = 0; i < BENCH_COUNTS; i++)
		into[i] = (double)*(const uint64_t *)(const void *)((const char *)stats + counts[i].at);
}

bool bench_counts_found(double into[BENCH_COUNTS])
{
	int (*ask)(qt_stats_t *, qt_stats_scope_t, unsigned);
	qt_stats_t stats;

	*(void **)&ask = dlsym(RTLD_DEFAULT, "qthread_stats");
	if (!ask || ask(&stats, QT_STATS_TOTAL, 0) != QTHREAD_SUCCESS)
		return false;
	bench_counts_of(&stats, into);
	return true;
}
