/* bench/mpi/polling.c -- what it costs that tasks wait for messages, and how soon they go on.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: mpirun -n 2 polling [PENDING [ROUNDS [MESSAGES]]]
 *
 * Rank 0 has tasks that receive; rank 1 is a thread that sends when it is told to, each message with the time.  Times are of
 * one clock, so both ranks are on one machine.  What is printed:
 *
 *   plain       from the send until MPI's own blocking receive returns, with no tasks; many: beside as many other requests
 *   idle        until a task goes on that waits in MPI_Recv, when its worker has nothing else to do
 *   busy        when all workers have tasks that are short and yield
 *   share       of a busy worker's time that is lost while receives are pending that nothing comes for
 *   at rest     CPU time of the process while it is idle and nothing is pending
 *
 * idle and busy: with this receive alone, and beside PENDING others - the youngest of all, or any of them.
 */
#define _GNU_SOURCE
#include <qthread.h>

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ORDER_TAG = 30000, SHORT = 1000, MEASURE_MS = 150, BUSY_EACH = 2 };

static int pending = 10000, rounds = 5, messages = 300;

static int64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static int64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static int64_t cpu_ns(void)
{
	return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double part_of(double *list, int n, double part)
{
	qsort(list, (size_t)n, sizeof(*list), by_value);
	return list[(int)(part * (n - 1) + 0.5)];
}

/* --- rank 1 ---------------------------------------------------------------------------------------------- */

struct order {
	int tag, n, step;               /* n messages with the tags tag, tag + step, ...; n below 0: no more orders */
	int gap_us;                     /* before each */
};

static void send_as_ordered(void)
{
	struct order o;
	struct timespec gap = { 0, 0 };

	for (;;) {
		MPI_Recv(&o, sizeof(o), MPI_BYTE, 0, ORDER_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (o.n < 0)
			return;
		for (int i = 0; i < o.n; i++) {
			gap.tv_nsec = (o.gap_us + rand() % (o.gap_us + 1)) * 1000L;
			if (o.gap_us > 0)
				nanosleep(&gap, NULL);
			int64_t sent = now_ns();
			MPI_Send(&sent, 1, MPI_INT64_T, 0, o.tag + i * o.step, MPI_COMM_WORLD);
		}
	}
}

static void order(int tag, int n, int step, int gap_us)
{
	struct order o = { tag, n, step, gap_us };

	MPI_Send(&o, sizeof(o), MPI_BYTE, 1, ORDER_TAG, MPI_COMM_WORLD);
}

/* --- tasks that are busy ----------------------------------------------------------------------------------- */

static bool stop;
static aligned_t units, busy_left;

static aligned_t busy(void *unused)
{
	aligned_t mine = 0;

	(void)unused;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		for (volatile int k = 0; k < SHORT; k++)
			;
		mine++;
		qthread_yield();
	}
	qthread_incr(&units, mine);
	qthread_incr(&busy_left, (aligned_t)-1);
	return 0;
}

static void busy_begin(void)
{
	int n = (int)qthread_num_workers() * BUSY_EACH;

	stop = false;
	units = 0;
	busy_left = (aligned_t)n;
	for (int i = 0; i < n; i++)
		qthread_fork(busy, NULL, NULL);
}

static void busy_end(void)
{
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	while (__atomic_load_n(&busy_left, __ATOMIC_RELAXED) != 0)
		qthread_yield();
}

/* Units of work in a millisecond of CPU time. */
static double speed(void)
{
	int64_t end = now_ns() + MEASURE_MS * INT64_C(1000000), begin = cpu_ns();

	busy_begin();
	while (now_ns() < end)
		qthread_yield();
	busy_end();
	return (double)units * 1e6 / (double)(cpu_ns() - begin);
}

/* --- tasks that receive ------------------------------------------------------------------------------------ */

static aligned_t started;

struct receive {
	int tag;
	bool sent;                      /* measure_any has ordered it */
	double us;
	aligned_t done;
};

static aligned_t receive(void *arg)
{
	struct receive *r = arg;
	int64_t sent;

	qthread_incr(&started, 1);
	MPI_Recv(&sent, 1, MPI_INT64_T, 1, r->tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	r->us = (double)(now_ns() - sent) / 1000;
	return 0;
}

static struct receive *receive_begin(int tag, int n)
{
	struct receive *list = calloc((size_t)n + 1, sizeof(*list));

	if (!list)
		abort();
	started = 0;
	for (int i = 0; i < n; i++) {
		list[i].tag = tag + i;
		qthread_fork(receive, &list[i], &list[i].done);
	}
	while (__atomic_load_n(&started, __ATOMIC_RELAXED) != (aligned_t)n)
		qthread_yield();
	return list;
}

static void receive_end(struct receive *list, int n)
{
	for (int i = 0; i < n; i++)
		qthread_readFF(NULL, &list[i].done);
	free(list);
}

/* --- what is measured ---------------------------------------------------------------------------------------- */

static void print_times(const char *what, double *us, int n)
{
	double median = part_of(us, n, 0.5), most = part_of(us, n, 0.9);

	printf("%-34s median %8.1f us   9 of 10 within %8.1f us\n", what, median, most);
	fflush(stdout);
}

static void measure_plain(const char *what)
{
	double *us = calloc((size_t)messages, sizeof(*us));
	int64_t sent;

	order(0, messages, 0, 200);
	for (int i = 0; us && i < messages; i++) {
		MPI_Recv(&sent, 1, MPI_INT64_T, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		us[i] = (double)(now_ns() - sent) / 1000;
	}
	print_times(what, us, messages);
	free(us);
}

/* What MPI itself takes when it looks for the request that a message is for. */
static void measure_plain_many(void)
{
	MPI_Request *r = calloc((size_t)pending, sizeof(*r));

	if (!r)
		abort();
	for (int i = 0; i < pending; i++)
		MPI_Irecv(&r[i], 0, MPI_BYTE, 1, 1 + i, MPI_COMM_WORLD, &r[i]);
	measure_plain("plain, youngest of many");
	for (int i = 0; i < pending; i++) {
		MPI_Cancel(&r[i]);
		MPI_Wait(&r[i], MPI_STATUS_IGNORE);
	}
	free(r);
}

/* One task after the other, each the youngest, beside those that wait already. */
static void measure_one(const char *what, bool is_busy)
{
	double *us = calloc((size_t)messages, sizeof(*us));

	if (is_busy)
		busy_begin();
	for (int i = 0; us && i < messages; i++) {
		struct receive *one = receive_begin(0, 1);
		order(0, 1, 0, 200);
		qthread_readFF(NULL, &one->done);
		us[i] = one->us;
		receive_end(one, 1);
	}
	if (is_busy)
		busy_end();
	print_times(what, us, messages);
	free(us);
}

/* Some of those that wait, from all over. */
static void measure_any(const char *what, struct receive *list, int from, bool is_busy)
{
	int n = pending / 100 < messages / 2 ? pending / 100 : messages / 2;
	double *us = calloc((size_t)n, sizeof(*us));

	if (is_busy)
		busy_begin();
	order(1 + from, n, 100, is_busy ? 2000 : 500);
	for (int i = 0; us && i < n; i++) {
		qthread_readFF(NULL, &list[from + 100 * i].done);
		us[i] = list[from + 100 * i].us;
		list[from + 100 * i].sent = true;
	}
	if (is_busy)
		busy_end();
	print_times(what, us, n);
	free(us);
}

/* The share that is lost: each round compares two neighbours in time. */
static void measure_share(int n)
{
	double *lost = calloc((size_t)rounds, sizeof(*lost)), *all = calloc((size_t)rounds, sizeof(*all));
	char what[64];

	for (int i = 0; lost && all && i < rounds; i++) {
		double without = speed();
		struct receive *list = receive_begin(1, n);
		double with = speed();
		order(1, n, 1, 0);
		receive_end(list, n);
		without = (without + speed()) / 2;
		lost[i] = 100 * (1 - with / without);
	}
	snprintf(what, sizeof(what), "share, %d pending", n);
	printf("%-34s median %8.2f %%    from %.2f to %.2f\n", what, part_of(lost, rounds, 0.5), part_of(lost, rounds, 0),
		part_of(lost, rounds, 1));
	fflush(stdout);
	free(lost);
	free(all);
}

static void measure_rest(void)
{
	int64_t before = cpu_ns();

	usleep(500000);
	printf("%-34s %8.2f %% of a CPU\n", "at rest, nothing pending", (double)(cpu_ns() - before) / 5e6);
}

static void measure(void)
{
	measure_rest();
	measure_one("idle", false);
	measure_one("busy", true);
	measure_share(1);
	measure_share(100);
	measure_share(pending);
	struct receive *list = receive_begin(1, pending);
	measure_one("idle, youngest of many", false);
	measure_one("busy, youngest of many", true);
	measure_any("idle, any of many", list, 0, false);
	measure_any("busy, any of many", list, 50, true);
	for (int i = 0; i < pending; i++)
		if (!list[i].sent)
			order(1 + i, 1, 0, 0);
	receive_end(list, pending);
}

int main(int argc, char **argv)
{
	int level, rank;

	pending = argc > 1 ? atoi(argv[1]) : pending;
	rounds = argc > 2 ? atoi(argv[2]) : rounds;
	messages = argc > 3 ? atoi(argv[3]) : messages;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		measure_plain("plain");
		measure_plain_many();
		qthread_initialize();
		measure();
		qthread_finalize();
		order(0, -1, 0, 0);
	} else {
		send_as_ordered();
	}
	MPI_Finalize();
	return 0;
}
