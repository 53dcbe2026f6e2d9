/* api/stats.c -- the counters, by call and as a table at the end (QT_STATS=1).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "api/stats.h"

#include "core/gate.h"
#include "core/worker.h"

#include <stdio.h>

/* In the order of the table's columns. */
static const struct column {
	const char *name;
	size_t offset;
} columns[] = {
	{ "run", offsetof(qt_stats_t, tasks_run) },
	{ "forks", offsetof(qt_stats_t, forks) },
	{ "created", offsetof(qt_stats_t, tasks_created) },
	{ "queued", offsetof(qt_stats_t, tasks_queued) },
	{ "in-place", offsetof(qt_stats_t, tasks_in_place) },
	{ "inline", offsetof(qt_stats_t, inline_joins) },
	{ "steals", offsetof(qt_stats_t, steals) },
	{ "local", offsetof(qt_stats_t, steals_local) },
	{ "remote", offsetof(qt_stats_t, steals_remote) },
	{ "same-chip", offsetof(qt_stats_t, steals_same_chip) },
	{ "other-chip", offsetof(qt_stats_t, steals_other_chip) },
	{ "other-node", offsetof(qt_stats_t, steals_other_node) },
	{ "failed", offsetof(qt_stats_t, failed_steals) },
	{ "stolen", offsetof(qt_stats_t, tasks_stolen) },
	{ "parks", offsetof(qt_stats_t, parks) },
	{ "wakeups", offsetof(qt_stats_t, wakeups) },
	{ "switches", offsetof(qt_stats_t, switches) },
	/* Of policies with rings. */
	{ "self", offsetof(qt_stats_t, tasks_self) },
	{ "same-shep", offsetof(qt_stats_t, tasks_local) },
	{ "other-shep", offsetof(qt_stats_t, tasks_remote) },
	{ "static-push", offsetof(qt_stats_t, static_pushes) },
	{ "at-once", offsetof(qt_stats_t, at_once) },
	{ "given-same", offsetof(qt_stats_t, given_local) },
	{ "given-other", offsetof(qt_stats_t, given_remote) },
	{ "requests", offsetof(qt_stats_t, requests) },
	{ "handled", offsetof(qt_stats_t, requests_handled) },
	{ "served", offsetof(qt_stats_t, requests_served) },
	{ "vain", offsetof(qt_stats_t, requests_vain) },
	{ "full", offsetof(qt_stats_t, requests_full) },
};
enum { NCOLUMNS = sizeof(columns) / sizeof(columns[0]), NRING_COLUMNS = 12 };

static uint64_t *stats_counter(qt_stats_t *s, unsigned column)
{
	return (uint64_t *)((char *)s + columns[column].offset);
}

static void add_worker(qt_stats_t *sum, struct qti_worker *w)
{
	for (unsigned c = 0; c < NCOLUMNS; c++)
		*stats_counter(sum, c) += load_rlx(stats_counter(&w->stats, c));
}

static void add_workers(qt_stats_t *sum, struct qti_worker *first, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		add_worker(sum, &first[i]);
}

static int read_stats(qt_stats_t *out, qt_stats_scope_t scope, unsigned index)
{
	if (!out)
		return QTHREAD_BADARGS;
	qt_stats_t sum = { 0 };
	switch (scope) {
	case QT_STATS_TOTAL:
		add_workers(&sum, qti_rt.workers, qti_rt.nworkers);
		sum.forks += load_rlx(&qti_rt.external_forks);
		break;
	case QT_STATS_SHEPHERD:
		if (index >= qti_rt.nshepherds)
			return QTHREAD_BADARGS;
		add_workers(&sum, qti_rt.shepherds[index].workers, qti_rt.shepherds[index].nworkers);
		break;
	case QT_STATS_WORKER:
		if (index >= qti_rt.nworkers)
			return QTHREAD_BADARGS;
		add_worker(&sum, &qti_rt.workers[index]);
		break;
	default:
		return QTHREAD_BADARGS;
	}
	sum.tasks_queued += sum.forks;
	sum.tasks_created = sum.tasks_queued + sum.tasks_in_place;
	*out = sum;
	return QTHREAD_SUCCESS;
}

int qthread_stats(qt_stats_t *out, qt_stats_scope_t scope, unsigned index)
{
	if (!qti_call_in())
		return QTHREAD_NOT_ALLOWED;
	int rc = read_stats(out, scope, index);
	qti_call_out();
	return rc;
}

/* Rings count each task that is created, one way or the other. */
static unsigned columns_shown(void)
{
	qt_stats_t s = { 0 };

	qthread_stats(&s, QT_STATS_TOTAL, 0);
	return s.static_pushes + s.at_once + s.given_local + s.given_remote != 0 ? NCOLUMNS : NCOLUMNS - NRING_COLUMNS;
}

static void print_row(const char *kind, int index, qt_stats_scope_t scope, unsigned ncolumns)
{
	char label[32];
	qt_stats_t s;

	if (qthread_stats(&s, scope, (unsigned)index) != QTHREAD_SUCCESS)
		return;
	snprintf(label, sizeof(label), index < 0 ? "%s" : "%s %d", kind, index);
	fprintf(stderr, "%-12s", label);
	for (unsigned c = 0; c < ncolumns; c++)
		fprintf(stderr, " %11llu", (unsigned long long)*stats_counter(&s, c));
	fprintf(stderr, " %11.2f\n", s.steals ? (double)s.tasks_stolen / (double)s.steals : 0.0);
}

void qti_stats_print(void)
{
	const unsigned ncolumns = columns_shown();

	fprintf(stderr, "libqthread statistics, scheduler %s\n%-12s", qti_rt.sched->name, "");
	for (unsigned c = 0; c < ncolumns; c++)
		fprintf(stderr, " %11s", columns[c].name);
	fprintf(stderr, " %11s\n", "tasks/steal");
	for (unsigned i = 0; i < qti_rt.nworkers; i++)
		print_row("worker", (int)i, QT_STATS_WORKER, ncolumns);
	for (unsigned i = 0; i < qti_rt.nshepherds; i++)
		print_row("shepherd", (int)i, QT_STATS_SHEPHERD, ncolumns);
	print_row("total", -1, QT_STATS_TOTAL, ncolumns);
}
