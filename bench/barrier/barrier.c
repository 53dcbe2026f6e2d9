/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* What a round of a barrier takes, from a few participants to many: qt_barrier_t between tasks, beside
 * pthread_barrier_t and a spinning barrier between OS threads. */
#define _GNU_SOURCE
#include "common/native.h"
#include "common/must.h"

#include <pthread.h>
#include <qthread/barrier.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 100000, MOST_THREADS = 1000, MOST_REPS = 99, WARM_NS = 20000000 };

static struct bench_setup setup;
static unsigned long participants, reps = 7;
static bool csv;

static struct {
	unsigned long n, rounds;
	qt_barrier_t *tasks;
	pthread_barrier_t threads;
	struct {
		unsigned arrived __attribute__((aligned(128)));
		unsigned round __attribute__((aligned(128)));
	} spin;
	unsigned long passed; /* participants that have been through all rounds */
} now;

_Noreturn static void fail(const char *what)
{
	fprintf(stderr, "barrier: %s\n", what);
	exit(1);
}

/* --- the barriers ---------------------------------------------------------------------------------------- */

static aligned_t task(void *unused)
{
	(void)unused;
	for (unsigned long i = 0; i < now.rounds; i++)
		qt_barrier_enter(now.tasks);
	qthread_incr(&now.passed, 1);
	return 0;
}

static void between_tasks(void)
{
	static aligned_t ended[MOST];

	now.tasks = qt_barrier_create(now.n, REGION_BARRIER);
	if (!now.tasks)
		fail("no memory for a barrier");
	for (unsigned long i = 0; i < now.n; i++)
		if (qthread_fork(task, NULL, &ended[i]) != QTHREAD_SUCCESS)
			fail("a fork failed");
	for (unsigned long i = 0; i < now.n; i++)
		must(qthread_readFF(NULL, &ended[i]));
	qt_barrier_destroy(now.tasks);
}

static void *thread(void *unused)
{
	for (unsigned long i = 0; i < now.rounds; i++)
		pthread_barrier_wait(&now.threads);
	__atomic_fetch_add(&now.passed, 1, __ATOMIC_RELAXED);
	return unused;
}

static void spin_enter(void)
{
	const unsigned round = __atomic_load_n(&now.spin.round, __ATOMIC_RELAXED);

	if (__atomic_fetch_add(&now.spin.arrived, 1, __ATOMIC_ACQ_REL) + 1 == now.n) {
		__atomic_store_n(&now.spin.arrived, 0, __ATOMIC_RELAXED);
		__atomic_store_n(&now.spin.round, round + 1, __ATOMIC_RELEASE);
		return;
	}
	while (__atomic_load_n(&now.spin.round, __ATOMIC_ACQUIRE) == round)
		continue;
}

static void *spinner(void *unused)
{
	for (unsigned long i = 0; i < now.rounds; i++)
		spin_enter();
	__atomic_fetch_add(&now.passed, 1, __ATOMIC_RELAXED);
	return unused;
}

/* The calling thread is one of them. */
static void in_threads(void *(*body)(void *))
{
	static pthread_t other[MOST_THREADS];

	for (unsigned long i = 1; i < now.n; i++)
		if (pthread_create(&other[i], NULL, body, NULL) != 0)
			fail("no more threads");
	body(NULL);
	for (unsigned long i = 1; i < now.n; i++)
		pthread_join(other[i], NULL);
}

static void between_threads(void)
{
	pthread_barrier_init(&now.threads, NULL, (unsigned)now.n);
	in_threads(thread);
	pthread_barrier_destroy(&now.threads);
}

static void between_spinners(void)
{
	in_threads(spinner);
}

/* --- measuring ------------------------------------------------------------------------------------------- */

static double timed(void (*run)(void), unsigned long rounds)
{
	now.rounds = rounds;
	now.passed = 0;
	uint64_t start = bench_now_ns();
	run();
	uint64_t took = bench_now_ns() - start;
	if (now.passed != now.n)
		fail("WRONG RESULT: not everybody has passed");
	return (double)took;
}

/* ns a round: the difference between two numbers of rounds, so that starting the participants does not count. */
static double one_sample(void (*run)(void), unsigned long rounds)
{
	const double both = timed(run, 3 * rounds), one = timed(run, rounds);

	return (both - one) / (double)(2 * rounds);
}

static double measure(void (*run)(void), unsigned long n)
{
	double samples[MOST_REPS];
	unsigned long rounds = 8;

	now.n = n;
	while (rounds < 10000000 && timed(run, rounds) < WARM_NS)
		rounds *= 2;
	for (unsigned long i = 0; i < reps; i++)
		samples[i] = one_sample(run, rounds);
	return bench_summarize(samples, reps).median;
}

static void cell(double ns)
{
	if (ns > 0)
		printf(csv ? ",%.1f" : " %14.1f", ns);
	else
		printf(csv ? ",%s" : " %14s", csv ? "" : "-");
}

static void line(unsigned long n, unsigned long cpus)
{
	double tasks, threads, spinners;

	bench_start("barrier", &setup);
	tasks = measure(between_tasks, n);
	qthread_finalize();
	threads = n <= MOST_THREADS ? measure(between_threads, n) : 0;
	spinners = n <= cpus ? measure(between_spinners, n) : 0;
	printf(csv ? "%lu" : "%12lu", n);
	cell(tasks);
	cell(tasks / (double)n);
	cell(threads);
	cell(spinners);
	printf("\n");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static const unsigned long usual[] = { 1, 2, 4, 16, 1000 };
	const struct bench_option options[] = {
		{ "participants", "how many meet (default: 1, 2, 4, 16, 1000)", BENCH_NUMBER, &participants, 1, MOST, NULL },
		{ "reps", "samples, of which the median counts", BENCH_NUMBER, &reps, 1, MOST_REPS, NULL },
		{ "workers", "workers to run (QT_HWPAR)", BENCH_NUMBER, &setup.workers, 1, 4096, NULL },
		{ "scheduler", "who runs when (QT_SCHEDULER)", BENCH_CHOICE, &setup.scheduler, 0, 0, bench_schedulers },
		{ "csv", "print comma-separated values", BENCH_SWITCH, &csv, 0, 0, NULL },
		{ .name = NULL },
	};
	cpu_set_t allowed;

	bench_parse(argc, argv, "barrier", "what a round of a barrier takes", options);
	if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
		fail("which CPUs?");
	const unsigned long cpus = (unsigned long)CPU_COUNT(&allowed);
	if (csv) {
		printf("participants,qt_barrier,each,pthread,spinning\n");
	} else {
		bench_print_machine(stdout, "");
		printf("scheduler  %s, ns a round (median of %lu)\n\n", bench_scheduler_name(&setup), reps);
		printf("%12s %14s %14s %14s %14s\n", "participants", "qt_barrier", "each", "pthread", "spinning");
	}
	if (participants)
		line(participants, cpus);
	else
		for (unsigned i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
			line(usual[i], cpus);
	return 0;
}
