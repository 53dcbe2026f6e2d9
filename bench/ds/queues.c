/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* What putting an element into a queue and taking one out costs, on one worker and on several at once. */
#include "ds/queues.h"

#include "common/native.h"
#include "common/must.h"

#include <qthread/qdqueue.h>
#include <qthread/qlfqueue.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORKERS = 256, MAX_REPS = 101, BURST = 512 };

/* --- ours ------------------------------------------------------------------------------------------------ */

static void *lf_create(void)
{
	return qlfqueue_create();
}

static void lf_destroy(void *queue)
{
	qlfqueue_destroy(queue);
}

static void lf_push(void *queue, struct queue_user *u, void *value)
{
	(void)u;
	qlfqueue_enqueue(queue, value);
}

static void *lf_pop(void *queue, struct queue_user *u)
{
	(void)u;
	return qlfqueue_dequeue(queue);
}

static void *d_create(void)
{
	return qdqueue_create();
}

static void d_destroy(void *queue)
{
	qdqueue_destroy(queue);
}

static void d_push(void *queue, struct queue_user *u, void *value)
{
	(void)u;
	qdqueue_enqueue(queue, value);
}

static void *d_pop(void *queue, struct queue_user *u)
{
	(void)u;
	return qdqueue_dequeue(queue);
}

static const struct queue_kind queue_lf = { "qlfqueue", "ours, FIFO", 0, lf_create, lf_destroy, NULL, NULL, lf_push,
	lf_pop };
static const struct queue_kind queue_d = { "qdqueue", "ours, one for each shepherd", 0, d_create, d_destroy, NULL, NULL,
	d_push, d_pop };

static const struct queue_kind *const kinds[] = {
	&queue_lf,
	&queue_d,
#ifdef QTI_URCU
	&queue_wfcq,
	&queue_lfq,
#endif
#ifdef QTI_CK
	&queue_ck,
#endif
};
enum { NKINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* --- work ------------------------------------------------------------------------------------------------ */

static const struct queue_kind *kind;
static void *queue;
static unsigned long pairs = 200000, burst;
static unsigned nusers;
static struct queue_user users[MAX_WORKERS];
static aligned_t ready, out;    /* atomically */
static uint64_t began[MAX_WORKERS], ended[MAX_WORKERS];

/* Pushes and pops in turns, `burst` of each at a time.  One that finds nothing goes on: another took it. */
static aligned_t use_queue(void *arg)
{
	const unsigned me = (unsigned)(uintptr_t)arg;
	struct queue_user *u = &users[me];
	unsigned long got = 0;

	if (kind->enter)
		kind->enter();
	qthread_incr(&ready, 1);
	while (*(volatile aligned_t *)&ready < nusers)
		continue;
	began[me] = bench_now_ns();
	for (unsigned long i = 0; i < pairs; i += burst) {
		for (unsigned long k = 0; k < burst; k++)
			kind->push(queue, u, u);
		for (unsigned long k = 0; k < burst; k++)
			got += kind->pop(queue, u) != NULL;
	}
	ended[me] = bench_now_ns();
	qthread_incr(&out, got);
	if (kind->leave)
		kind->leave();
	return 0;
}

static void prepare_users(void)
{
	for (unsigned i = 0; i < nusers; i++) {
		users[i] = (struct queue_user){ .memory = NULL };
		if (!kind->element)
			continue;
		users[i].memory = aligned_alloc(64, (kind->element * (pairs + BURST) + 63) & ~(size_t)63);
		if (!users[i].memory)
			exit(1);
		memset(users[i].memory, 1, kind->element * (pairs + BURST));
	}
}

static unsigned long drain(void)
{
	unsigned long left = 0;

	if (kind->enter)
		kind->enter();
	while (kind->pop(queue, &users[0]))
		left++;
	kind->destroy(queue);
	if (kind->leave)
		kind->leave();
	return left;
}

/* Nanoseconds that a push and a pop take, of each worker. */
static double once(void)
{
	aligned_t done[MAX_WORKERS];
	uint64_t first = UINT64_MAX, last = 0;
	const unsigned long all = (pairs + burst - 1) / burst * burst * nusers;

	queue = kind->create();
	prepare_users();
	ready = out = 0;
	for (unsigned i = 0; i < nusers; i++)
		must(qthread_fork_to(use_queue, (void *)(uintptr_t)i, &done[i], (qthread_shepherd_id_t)i));
	for (unsigned i = 0; i < nusers; i++) {
		must(qthread_readFF(NULL, &done[i]));
		first = began[i] < first ? began[i] : first;
		last = ended[i] > last ? ended[i] : last;
	}
	const unsigned long left = drain();
	if (out + left != all) {
		fprintf(stderr, "queues: WRONG RESULT: %s: %lu elements went in, %lu came out\n", kind->name, all,
			(unsigned long)out + left);
		exit(1);
	}
	for (unsigned i = 0; i < nusers; i++)
		free(users[i].memory);
	return (double)(last - first) / (double)(pairs ? pairs : 1);
}

static bool csv;
static unsigned long reps = 11;

static void row(double median, double min, double max)
{
	const double rate = 2e3 * nusers / median;

	if (csv)
		printf("%s,%lu,%u,%.2f,%.2f,%.2f,%.2f\n", kind->name, burst, nusers, median, min, max, rate);
	else
		printf("%-14s %6lu %8u %10.1f %7.1f %7.1f %10.1f   %s\n", kind->name, burst, nusers, median, min, max,
			rate, kind->what);
}

/* Kinds take turns, so that whatever else the machine does hits all of them. */
static void measure(void)
{
	static double samples[NKINDS][MAX_REPS];

	for (unsigned long r = 0; r < reps; r++) {
		for (unsigned k = 0; k < NKINDS; k++) {
			kind = kinds[k];
			samples[k][r] = once();
		}
	}
	for (unsigned k = 0; k < NKINDS; k++) {
		kind = kinds[k];
		struct bench_summary s = bench_summarize(samples[k], reps);
		row(s.median, s.min, s.max);
	}
}

static void measure_on(unsigned long workers)
{
	struct bench_setup setup = { .workers = workers };

	/* Every worker a shepherd, so that a qdqueue has a queue for each. */
	setenv("QT_SCHEDULER", "q", 1);
	bench_start("queues", &setup);
	nusers = qthread_num_shepherds() < MAX_WORKERS ? qthread_num_shepherds() : MAX_WORKERS;
	for (burst = 1; burst <= BURST; burst *= BURST)
		measure();
	qthread_finalize();
}

int main(int argc, char **argv)
{
	unsigned long workers = 0;
	const struct bench_option options[] = {
		{ "pairs", "elements a worker puts in and takes out", BENCH_NUMBER, &pairs, 1, 100000000, NULL },
		{ "workers", "workers at once; without it one, then two", BENCH_NUMBER, &workers, 1, MAX_WORKERS, NULL },
		{ "reps", "timed repetitions", BENCH_NUMBER, &reps, 1, MAX_REPS, NULL },
		{ "csv", "print comma-separated values", BENCH_SWITCH, &csv, 0, 0, NULL },
		{ .name = NULL },
	};

	bench_parse(argc, argv, "queues", "queues of ours and of other libraries", options);
	if (csv) {
		printf("queue,burst,workers,median_ns,min_ns,max_ns,million_operations_a_second\n");
	} else {
		bench_print_machine(stdout, "");
		printf("\nns that a push and a pop take, each worker doing `burst` of the one, then of the other\n\n");
		printf("%-14s %6s %8s %10s %7s %7s %10s\n", "queue", "burst", "workers", "median", "min", "max", "M ops/s");
	}
	if (workers) {
		measure_on(workers);
	} else {
		measure_on(1);
		measure_on(2);
	}
	return 0;
}
