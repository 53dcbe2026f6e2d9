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
 *   yield       what a yield takes more meanwhile
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

enum { ORDER_TAG = 30000, SHORT = 1000, BUSY_EACH = 2, SLICES = 10, SLICE_NS = 10000000, SLICE_UNITS = 100000, YIELDS = 10000 };

static int pending = 10000, rounds = 20, messages = 300;

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
static aligned_t busy_left;

static void unit(void)
{
	for (volatile int k = 0; k < SHORT; k++)
		;
	qthread_yield();
}

static aligned_t busy(void *unused)
{
	(void)unused;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
		unit();
	qthread_incr(&busy_left, (aligned_t)-1);
	return 0;
}

static void busy_begin(void)
{
	int n = (int)qthread_num_workers() * BUSY_EACH;

	stop = false;
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

/* --- what busy tasks lose ----------------------------------------------------------------------------------- */

/* For each worker one of them takes the time of its units.  What is more than a usual one, the median of the same slice, is
 * lost, be it to MPI or to interrupts: so the CPU's speed does not count, nor, as the clock is the thread's own, who else has
 * the CPU. */
struct slice {
	double *ns;
	int n;
	aligned_t done;
};

static int64_t thread_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static aligned_t take_times(void *arg)
{
	struct slice *s = arg;
	qthread_worker_id_t at = qthread_worker(NULL);
	int64_t now, last = thread_ns(), end = last + SLICE_NS;

	for (s->n = 0; last < end && s->n < SLICE_UNITS; last = now) {
		unit();
		now = thread_ns();
		if (qthread_worker(NULL) != at) {       /* another clock */
			at = qthread_worker(NULL);
			end = now + SLICE_NS;
			s->n = 0;
		} else {
			s->ns[s->n++] = (double)(now - last);
		}
	}
	return 0;
}

static double slice_lost(struct slice *s)
{
	double sum = 0;

	for (int i = 0; i < s->n; i++)
		sum += s->ns[i];
	return 100 * (1 - part_of(s->ns, s->n, 0.5) * s->n / sum);
}

/* Per cent, the median of SLICES. */
static double lost(void)
{
	int n = (int)qthread_num_workers();
	struct slice *s = calloc((size_t)n, sizeof(*s));
	double of_slice[SLICES] = { 0 };

	for (int i = 0; i < n; i++)
		if (!s || !(s[i].ns = calloc(SLICE_UNITS, sizeof(*s[i].ns))))
			abort();
	busy_begin();
	for (int k = 0; k < SLICES; k++) {
		for (int i = 0; i < n; i++)
			qthread_fork(take_times, &s[i], &s[i].done);
		for (int i = 0; i < n; i++) {
			qthread_readFF(NULL, &s[i].done);
			of_slice[k] += slice_lost(&s[i]) / n;
		}
	}
	busy_end();
	for (int i = 0; i < n; i++)
		free(s[i].ns);
	free(s);
	return part_of(of_slice, SLICES, 0.5);
}

static aligned_t yield_often(void *unused)
{
	(void)unused;
	for (int i = 0; i < YIELDS; i++)
		qthread_yield();
	return 0;
}

/* CPU time of one, in ns: the median of SLICES. */
static double yield_ns(void)
{
	enum { EACH = 2 };
	int n = (int)qthread_num_workers() * EACH;
	aligned_t *done = calloc((size_t)n, sizeof(*done));
	double of_slice[SLICES];

	for (int k = 0; done && k < SLICES; k++) {
		int64_t begin = cpu_ns();
		for (int i = 0; i < n; i++)
			qthread_fork(yield_often, NULL, &done[i]);
		for (int i = 0; i < n; i++)
			qthread_readFF(NULL, &done[i]);
		of_slice[k] = (double)(cpu_ns() - begin) / YIELDS / n;
	}
	free(done);
	return part_of(of_slice, SLICES, 0.5);
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

static void print_half(const char *what, double *list, const char *unit_name)
{
	double median = part_of(list, rounds, 0.5), least = part_of(list, rounds, 0.25), most = part_of(list, rounds, 0.75);

	printf("%-34s median %8.2f %-7s half from %.2f to %.2f\n", what, median, unit_name, least, most);
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

/* What is lost beside n that wait, and what a yield takes, each round with and without in random order. */
static void measure_share(int n)
{
	double *share = calloc((size_t)rounds, sizeof(*share)), *added = calloc((size_t)rounds, sizeof(*added));
	char what[64];

	for (int i = 0; share && added && i < rounds; i++) {
		double part[2], ns[2];
		for (int half = 0, first = rand() & 1; half < 2; half++) {
			int with = half ^ first;
			struct receive *list = with ? receive_begin(1, n) : NULL;
			part[with] = lost();
			ns[with] = yield_ns();
			if (with) {
				order(1, n, 1, 0);
				receive_end(list, n);
			}
		}
		share[i] = part[1] - part[0];
		added[i] = ns[1] - ns[0];
	}
	snprintf(what, sizeof(what), "share, %d pending", n);
	print_half(what, share, "%");
	snprintf(what, sizeof(what), "yield, %d pending", n);
	print_half(what, added, "ns more");
	free(share);
	free(added);
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
