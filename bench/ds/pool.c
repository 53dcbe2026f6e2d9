/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* qpool beside malloc: an item taken and given back at once, many at a time, and items that another task gives back. */
#include "common/native.h"
#include "common/must.h"

#include <qthread/qpool.h>

#include <stdlib.h>

enum { HELD = 1000 };

static unsigned long n = 2000000, size = 48, reps = 5;
static qpool *pool;

static void *pool_get(void)
{
	return qpool_alloc(pool);
}

static void pool_put(void *item)
{
	qpool_free(pool, item);
}

static void *malloc_get(void)
{
	return malloc(size);
}

static const struct {
	const char *name;
	void *(*get)(void);
	void (*put)(void *);
} ways[] = { { "qpool", pool_get, pool_put }, { "malloc", malloc_get, free } };
enum { NWAYS = sizeof(ways) / sizeof(ways[0]) };

static unsigned way;

static void *checked(void *item)
{
	if (!item)
		abort();
	*(volatile uint64_t *)item = 1;
	return item;
}

static aligned_t pairs(void *unused)
{
	(void)unused;
	for (unsigned long i = 0; i < n; i++)
		ways[way].put(checked(ways[way].get()));
	return 0;
}

static aligned_t many(void *unused)
{
	void *held[HELD];

	(void)unused;
	for (unsigned long i = 0; i < n / HELD; i++) {
		for (unsigned j = 0; j < HELD; j++)
			held[j] = checked(ways[way].get());
		for (unsigned j = 0; j < HELD; j++)
			ways[way].put(held[j]);
	}
	return 0;
}

static void **box[2]; /* what one worker takes the other gives back */
static aligned_t parity;

static aligned_t take_all(void *mine)
{
	for (unsigned long i = 0; i < n; i++)
		((void **)mine)[i] = checked(ways[way].get());
	return 0;
}

static aligned_t give_all(void *others)
{
	for (unsigned long i = 0; i < n; i++)
		ways[way].put(((void **)others)[i]);
	return 0;
}

static double on_all(qthread_f f, bool handed, unsigned workers)
{
	aligned_t done[2];

	uint64_t start = bench_now_ns();
	for (unsigned w = 0; w < workers; w++)
		must(qthread_fork_to(f, handed ? box[(w + parity) % workers] : NULL, &done[w], (qthread_shepherd_id_t)w));
	for (unsigned w = 0; w < workers; w++)
		must(qthread_readFF(NULL, &done[w]));
	return (double)(bench_now_ns() - start) / (double)n / workers;
}

static double handed_over(unsigned workers)
{
	parity = 0;
	double ns = on_all(take_all, true, workers);
	parity = 1;
	return ns + on_all(give_all, true, workers);
}

static void compare(unsigned workers)
{
	static double ns[NWAYS][3][100];

	setenv("QT_NUM_SHEPHERDS", workers == 1 ? "1" : "2", 1);
	setenv("QT_NUM_WORKERS_PER_SHEPHERD", "1", 1);
	if (qthread_initialize() != QTHREAD_SUCCESS)
		exit(1);
	for (unsigned long r = 0; r < reps; r++)
		for (way = 0; way < NWAYS; way++) {
			ns[way][0][r] = on_all(pairs, false, workers);
			ns[way][1][r] = on_all(many, false, workers);
			ns[way][2][r] = handed_over(workers);
		}
	for (unsigned w = 0; w < NWAYS; w++) {
		printf("%-14s %7u", ways[w].name, workers);
		for (unsigned i = 0; i < 3; i++)
			printf(" %10.1f", bench_summarize(ns[w][i], reps).median);
		printf("\n");
	}
	qthread_finalize();
}

int main(int argc, char **argv)
{
	const struct bench_option options[] = {
		{ "n", "items", BENCH_NUMBER, &n, HELD, 100000000, NULL },
		{ "size", "bytes of an item", BENCH_NUMBER, &size, 8, 65536, NULL },
		{ "reps", "repetitions", BENCH_NUMBER, &reps, 1, 100, NULL },
		{ .name = NULL },
	};

	bench_parse(argc, argv, "pool", "qpool beside malloc, ns a pair of calls", options);
	pool = qpool_create(size);
	box[0] = malloc(n * sizeof(void *));
	box[1] = malloc(n * sizeof(void *));
	if (!pool || !box[0] || !box[1])
		return 1;
	printf("pool: %lu items of %lu bytes, ns a pair of calls on each worker, median of %lu\n", n, size, reps);
	bench_print_machine(stdout, "  ");
	printf("%-14s %7s %10s %10s %10s\n", "from", "workers", "at once", "a thousand", "handed on");
	compare(1);
	compare(2);
	qpool_destroy(pool);
	free(box[0]);
	free(box[1]);
	return 0;
}
