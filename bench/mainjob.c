/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* The main job: one unbalanced tree, counted serially and under every scheduler, in one table.
 *
 * Every run is a process of its own, so that none inherits another's memory and a scheduler that fails costs
 * its own row only.  Serial and parallel runs take turns: noise from the machine hits all alike. */
#define _GNU_SOURCE
#include "common/native.h"
#include "uts/tasks.h"

#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <qthread/stats.h>

enum { MAX_REPS = 99, LIMIT_S = 60 };

/* What a run's process sends back. */
struct outcome {
	double seconds;
	unsigned shepherds, workers;
	qt_stats_t stats;
	char wrong[160]; /* empty when all is well */
};

struct row {
	unsigned scheduler; /* index into bench_schedulers; 0 is the serial twin here */
	unsigned long done;
	struct outcome runs[MAX_REPS];
	char failed[160]; /* empty while no run failed; afterwards the row is left alone */
};

static unsigned long workers, reps = 3;
static unsigned tree_index, words;
static const struct uts_tree *tree;

static const char *row_name(const struct row *row)
{
	return row->scheduler ? bench_schedulers[row->scheduler] : "serial";
}

static void run_here(unsigned scheduler, struct outcome *out)
{
	struct uts_count count;
	bool walked;

	if (scheduler)
		bench_start("mainjob", &(struct bench_setup){ .workers = workers, .scheduler = scheduler });
	uint64_t start = bench_now_ns();
	if (scheduler)
		walked = uts_walk_tasks(tree, (enum uts_words)words, ULONG_MAX, &count);
	else
		walked = uts_walk_serial(tree, &count);
	out->seconds = (double)(bench_now_ns() - start) / 1e9;
	if (!walked)
		snprintf(out->wrong, sizeof(out->wrong), "out of memory");
	else
		uts_count_check(tree, &count, out->wrong, sizeof(out->wrong));
	if (!scheduler)
		return;
	qthread_stats(&out->stats, QT_STATS_TOTAL, 0);
	out->shepherds = qthread_num_shepherds();
	out->workers = qthread_num_workers();
	qthread_finalize();
}

/* Reads one outcome and then the end of the stream; false when the time is up first. */
static bool receive(int fd, struct outcome *out, size_t *got)
{
	uint64_t deadline = bench_now_ns() + LIMIT_S * UINT64_C(1000000000);
	char *into = (char *)out, extra;

	for (*got = 0;;) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		uint64_t now = bench_now_ns();
		if (now >= deadline || poll(&p, 1, (int)((deadline - now) / 1000000) + 1) == 0)
			return false;
		bool all = *got == sizeof(*out);
		ssize_t n = read(fd, all ? &extra : into + *got, all ? 1 : sizeof(*out) - *got);
		if (n == 0)
			return true;
		if (n > 0)
			*got += (size_t)n;
	}
}

/* Runs the scheduler in a child; why is left empty when it gave a right answer. */
static void run_apart(unsigned scheduler, struct outcome *out, char *why, size_t size)
{
	int fd[2], status;
	size_t got;

	memset(out, 0, sizeof(*out));
	why[0] = '\0';
	fflush(NULL);
	if (pipe(fd) != 0) {
		snprintf(why, size, "no pipe");
		return;
	}
	pid_t pid = fork();
	if (pid == 0) {
		close(fd[0]);
		run_here(scheduler, out);
		exit(write(fd[1], out, sizeof(*out)) == (ssize_t)sizeof(*out) ? 0 : 1);
	}
	close(fd[1]);
	bool in_time = pid > 0 && receive(fd[0], out, &got);
	if (pid > 0 && !in_time)
		kill(pid, SIGKILL);
	close(fd[0]);
	if (pid < 0)
		snprintf(why, size, "no process");
	else if (waitpid(pid, &status, 0) < 0)
		snprintf(why, size, "process lost");
	else if (!in_time)
		snprintf(why, size, "not done after %d s", LIMIT_S);
	else if (WIFSIGNALED(status))
		snprintf(why, size, "killed: %s", strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) != 0 || got != sizeof(*out))
		snprintf(why, size, "exit status %d", WEXITSTATUS(status));
	else
		snprintf(why, size, "%s", out->wrong);
}

static void progress(unsigned long at, unsigned long all, const struct row *row, const struct outcome *last)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[Krun %lu of %lu: %s", at, all, row_name(row));
	else if (last && !row->failed[0])
		fprintf(stderr, "run %lu of %lu: %s, %.3f s\n", at, all, row_name(row), last->seconds);
	else if (last)
		fprintf(stderr, "run %lu of %lu: %s failed: %s\n", at, all, row_name(row), row->failed);
}

static void run_all(struct row *rows, unsigned nrows)
{
	unsigned long at = 0, all = reps * nrows;

	for (unsigned long i = 0; i < reps; i++) {
		for (struct row *row = rows; row < rows + nrows; row++) {
			at++;
			if (row->failed[0])
				continue;
			struct outcome *run = &row->runs[row->done];
			progress(at, all, row, NULL);
			run_apart(row->scheduler, run, row->failed, sizeof(row->failed));
			progress(at, all, row, run);
			row->done += !row->failed[0];
		}
	}
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[K");
}

static int by_seconds(const void *a, const void *b)
{
	double x = ((const struct outcome *)a)->seconds, y = ((const struct outcome *)b)->seconds;

	return (x > y) - (x < y);
}

static void print_row(const struct row *row, double serial_seconds)
{
	char steals[32] = "-", per_steal[32] = "-", speed_up[32] = "-";

	if (row->failed[0]) {
		printf("  %-11s FAILED: %s\n", row_name(row), row->failed);
		return;
	}
	const struct outcome *median = &row->runs[(row->done - 1) / 2];
	if (row->scheduler && median->stats.steals) {
		snprintf(steals, sizeof(steals), "%" PRIu64, median->stats.steals);
		snprintf(per_steal, sizeof(per_steal), "%.2f",
			(double)median->stats.tasks_stolen / (double)median->stats.steals);
	} else if (row->scheduler) {
		snprintf(steals, sizeof(steals), "0");
	}
	if (serial_seconds > 0)
		snprintf(speed_up, sizeof(speed_up), "%.2f", serial_seconds / median->seconds);
	printf("  %-11s %-20s %9.4f %11.2f %10s %9s %15s\n", row_name(row),
		row->scheduler ? bench_shape(median->shepherds, median->workers) : "-", median->seconds,
		(double)tree->nodes / median->seconds / 1e6, speed_up, steals, per_steal);
}

static bool print_table(struct row *rows, unsigned nrows)
{
	double serial_seconds = 0;
	bool good = true;

	for (unsigned i = 0; i < nrows; i++) {
		qsort(rows[i].runs, rows[i].done, sizeof(rows[i].runs[0]), by_seconds);
		good = good && !rows[i].failed[0];
	}
	if (!rows[0].failed[0])
		serial_seconds = rows[0].runs[(rows[0].done - 1) / 2].seconds;
	printf("Unbalanced tree %s: %" PRIu64 " nodes, depth %" PRIu64 ", %" PRIu64 " leaves; "
	       "each node with children is a qthread\n",
		uts_tree_names[tree_index], tree->nodes, tree->depth, tree->leaves);
	bench_print_machine(stdout, "");
	printf("runs       %lu of each, taking turns; the median is shown\n\n", reps);
	printf("  %-11s %-20s %9s %11s %10s %9s %15s\n", "scheduler", "shepherds x workers", "seconds", "M nodes/s",
		"speed-up", "steals", "tasks a steal");
	for (unsigned i = 0; i < nrows; i++)
		print_row(&rows[i], serial_seconds);
	return good;
}

int main(int argc, char **argv)
{
	struct row *rows;
	unsigned nrows = 1;
	const struct bench_option options[] = {
		{ "tree", "which tree", BENCH_CHOICE, &tree_index, 0, 0, uts_tree_names },
		{ "words", "what a task returns through", BENCH_CHOICE, &words, 0, 0, uts_words_names },
		{ "workers", "workers to run (QT_HWPAR)", BENCH_NUMBER, &workers, 1, 4096, NULL },
		{ "reps", "runs of each scheduler", BENCH_NUMBER, &reps, 1, MAX_REPS, NULL },
		{ .name = NULL },
	};

	bench_parse(argc, argv, "mainjob", "count one unbalanced tree under every scheduler", options);
	tree = uts_tree_named(tree_index);
	while (bench_schedulers[nrows])
		nrows++;
	rows = calloc(nrows, sizeof(*rows));
	if (!rows) {
		fprintf(stderr, "mainjob: no memory for the results of %u schedulers\n", nrows);
		return 1;
	}
	for (unsigned i = 1; i < nrows; i++)
		rows[i].scheduler = i;
	run_all(rows, nrows);
	bool good = print_table(rows, nrows);
	free(rows);
	return good ? 0 : 1;
}
