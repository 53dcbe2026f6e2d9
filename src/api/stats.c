/* api/stats.c -- the counters, by call and as a table at the end (QT_STATS=1).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "api/stats.h"

#include "base/ascii.h"
#include "core/gate.h"
#include "core/worker.h"

#include <stdio.h>

/* Whether a column is printed where there has been nothing of the kind. */
enum shown { ALWAYS, OF_RINGS, OF_BUBBLES };

/* In the order of the table's columns. */
static const struct column {
	const char *name;
	size_t offset;
	enum shown when;
} columns[] = {
	{ "run", offsetof(qt_stats_t, tasks_run), ALWAYS },
	{ "forks", offsetof(qt_stats_t, forks), ALWAYS },
	{ "created", offsetof(qt_stats_t, tasks_created), ALWAYS },
	{ "queued", offsetof(qt_stats_t, tasks_queued), ALWAYS },
	{ "in-place", offsetof(qt_stats_t, tasks_in_place), ALWAYS },
	{ "inline", offsetof(qt_stats_t, inline_joins), ALWAYS },
	{ "steals", offsetof(qt_stats_t, steals), ALWAYS },
	{ "local", offsetof(qt_stats_t, steals_local), ALWAYS },
	{ "remote", offsetof(qt_stats_t, steals_remote), ALWAYS },
	{ "same-chip", offsetof(qt_stats_t, steals_same_chip), ALWAYS },
	{ "other-chip", offsetof(qt_stats_t, steals_other_chip), ALWAYS },
	{ "other-node", offsetof(qt_stats_t, steals_other_node), ALWAYS },
	{ "failed", offsetof(qt_stats_t, failed_steals), ALWAYS },
	{ "stolen", offsetof(qt_stats_t, tasks_stolen), ALWAYS },
	{ "parks", offsetof(qt_stats_t, parks), ALWAYS },
	{ "wakeups", offsetof(qt_stats_t, wakeups), ALWAYS },
	{ "switches", offsetof(qt_stats_t, switches), ALWAYS },
	{ "self", offsetof(qt_stats_t, tasks_self), OF_RINGS },
	{ "same-shep", offsetof(qt_stats_t, tasks_local), OF_RINGS },
	{ "other-shep", offsetof(qt_stats_t, tasks_remote), OF_RINGS },
	{ "static-push", offsetof(qt_stats_t, static_pushes), OF_RINGS },
	{ "at-once", offsetof(qt_stats_t, at_once), OF_RINGS },
	{ "given-same", offsetof(qt_stats_t, given_local), OF_RINGS },
	{ "given-other", offsetof(qt_stats_t, given_remote), OF_RINGS },
	{ "requests", offsetof(qt_stats_t, requests), OF_RINGS },
	{ "handled", offsetof(qt_stats_t, requests_handled), OF_RINGS },
	{ "served", offsetof(qt_stats_t, requests_served), OF_RINGS },
	{ "vain", offsetof(qt_stats_t, requests_vain), OF_RINGS },
	{ "full", offsetof(qt_stats_t, requests_full), OF_RINGS },
	{ "bursts", offsetof(qt_stats_t, bursts), OF_BUBBLES },
	{ "b-same-chip", offsetof(qt_stats_t, bursts_same_chip), OF_BUBBLES },
	{ "b-oth-chip", offsetof(qt_stats_t, bursts_other_chip), OF_BUBBLES },
	{ "b-oth-node", offsetof(qt_stats_t, bursts_other_node), OF_BUBBLES },
};
enum { NCOLUMNS = sizeof(columns) / sizeof(columns[0]) };

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
static bool column_shown(unsigned column, const qt_stats_t *total)
{
	switch (columns[column].when) {
	case OF_RINGS:
		return total->static_pushes + total->at_once + total->given_local + total->given_remote != 0;
	case OF_BUBBLES:
		return total->bursts != 0;
	default:
		return true;
	}
}

static void print_row(const char *kind, int index, qt_stats_scope_t scope, const qt_stats_t *total)
{
	char label[32], each[32];
	qt_stats_t s;

	if (qthread_stats(&s, scope, (unsigned)index) != QTHREAD_SUCCESS)
		return;
	snprintf(label, sizeof(label), index < 0 ? "%s" : "%s %d", kind, index);
	fprintf(stderr, "%-12s", label);
	for (unsigned c = 0; c < NCOLUMNS; c++)
		if (column_shown(c, total))
			fprintf(stderr, " %11llu", (unsigned long long)*stats_counter(&s, c));
	qti_ascii_decimal(each, sizeof(each), s.steals ? (double)s.tasks_stolen / (double)s.steals : 0.0, 2);
	fprintf(stderr, " %11s\n", each);
}

void qti_stats_print(void)
{
	qt_stats_t total = { 0 };

	qthread_stats(&total, QT_STATS_TOTAL, 0);
	fprintf(stderr, "libqthread statistics, scheduler %s\n%-12s", qti_rt.sched->name, "");
	for (unsigned c = 0; c < NCOLUMNS; c++)
		if (column_shown(c, &total))
			fprintf(stderr, " %11s", columns[c].name);
	fprintf(stderr, " %11s\n", "tasks/steal");
	for (unsigned i = 0; i < qti_rt.nworkers; i++)
		print_row("worker", (int)i, QT_STATS_WORKER, &total);
	for (unsigned i = 0; i < qti_rt.nshepherds; i++)
		print_row("shepherd", (int)i, QT_STATS_SHEPHERD, &total);
	print_row("total", -1, QT_STATS_TOTAL, &total);
}
