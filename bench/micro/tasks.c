/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Figures about forking, joining and yielding. */
#include "fib/fib.h"
#include "fib/tasks.h"
#include "micro/micro.h"

#include <stdlib.h>

#include <qthread/qloop.h>
#include <qthread/qutil.h>
#include <qthread/sinc.h>

/* count is the Fibonacci number's index; the figure is per call. */
static double fib_ns(qthread_f body, unsigned long count)
{
	aligned_t root;

	uint64_t start = bench_now_ns();
	micro_fork(body, (void *)count, &root, NO_SHEPHERD);
	qthread_readFF(&root, &root);
	uint64_t took = bench_now_ns() - start;
	if (root != fib_number(count))
		micro_fail("fib(%lu) came out as %lu", count, (unsigned long)root);
	return (double)took / fib_calls(count);
}

static double fork_join_aligned(unsigned long count)
{
	return fib_ns(fib_aligned, count);
}

static double fork_join_syncvar(unsigned long count)
{
	return fib_ns(fib_syncvar, count);
}

static aligned_t return_arg(void *arg)
{
	return (aligned_t)(uintptr_t)arg;
}

enum { FLAT_COUNTERS = 256 };

static struct {
	struct {
		unsigned long n;
		char apart[128 - sizeof(unsigned long)];
	} ran[FLAT_COUNTERS];
} flat;

static aligned_t count_here(void *arg)
{
	(void)arg;
	unsigned long *mine = &flat.ran[qthread_worker_unique(NULL) % FLAT_COUNTERS].n;

	__atomic_store_n(mine, *mine + 1, __ATOMIC_RELAXED);
	return 0;
}

static unsigned long flat_ran(void)
{
	unsigned long sum = 0;

	for (unsigned i = 0; i < FLAT_COUNTERS; i++)
		sum += __atomic_load_n(&flat.ran[i].n, __ATOMIC_RELAXED);
	return sum;
}

/* Each worker counts what it runs on a cache line of its own: a shared counter would be all that is measured. */
static double flat_null(unsigned long count)
{
	const unsigned long before = flat_ran();

	uint64_t start = bench_now_ns();
	for (unsigned long i = 0; i < count; i++)
		micro_fork(count_here, NULL, NULL, NO_SHEPHERD);
	while (flat_ran() - before < count)
		qthread_yield();
	return (double)(bench_now_ns() - start) / (double)count;
}

static double flat_sinc(unsigned long count)
{
	qt_sinc_t sinc;

	qt_sinc_init(&sinc, 0, NULL, NULL, count);
	uint64_t start = bench_now_ns();
	for (unsigned long i = 0; i < count; i++)
		if (qthread_spawn(return_arg, NULL, 0, &sinc, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_RET_SINC_VOID) !=
			QTHREAD_SUCCESS)
			micro_fail("a spawn failed");
	qt_sinc_wait(&sinc, NULL);
	uint64_t took = bench_now_ns() - start;
	qt_sinc_fini(&sinc);
	return (double)took / (double)count;
}

static double flat_words(unsigned long count)
{
	aligned_t *words = calloc(count, sizeof(*words)), sum = 0;

	if (!words)
		micro_fail("out of memory");
	for (unsigned long i = 0; i < count; i++)
		words[i] = 0; /* the pages are not what is measured */
	uint64_t start = bench_now_ns();
	for (unsigned long i = 0; i < count; i++)
		micro_fork(return_arg, (void *)i, &words[i], NO_SHEPHERD);
	for (unsigned long i = 0; i < count; i++) {
		qthread_readFF(NULL, &words[i]);
		sum += words[i];
	}
	uint64_t took = bench_now_ns() - start;
	free(words);
	if (sum != (aligned_t)count * (count - 1) / 2)
		micro_fail("return words came out wrong");
	return (double)took / (double)count;
}

static double fork_latency(unsigned long count)
{
	aligned_t word;

	uint64_t start = bench_now_ns();
	for (unsigned long i = 0; i < count; i++) {
		qthread_fork(return_arg, (void *)i, &word);
		qthread_readFF(&word, &word);
		if (word != i)
			micro_fail("a return word came out wrong");
	}
	return (double)(bench_now_ns() - start) / (double)count;
}

static double yield_alone(unsigned long count)
{
	uint64_t start = bench_now_ns();

	for (unsigned long i = 0; i < count; i++)
		qthread_yield();
	return (double)(bench_now_ns() - start) / (double)count;
}

static aligned_t yield_often(void *arg)
{
	unsigned long count = *(unsigned long *)arg;

	for (unsigned long i = 0; i < count; i++)
		qthread_yield();
	return 0;
}

/* Leaves the processor's inexact flag raised at every yield, which the other side's has not. */
static aligned_t yield_dividing(void *arg)
{
	unsigned long count = *(unsigned long *)arg;
	volatile double x = 1;

	for (unsigned long i = 0; i < count; i++) {
		x = x / 3 + 1;
		qthread_yield();
	}
	return 0;
}

static double yield_between(qthread_f a, qthread_f b, unsigned long count)
{
	aligned_t ended[2];

	uint64_t start = bench_now_ns();
	micro_fork(a, &count, &ended[0], NO_SHEPHERD);
	micro_fork(b, &count, &ended[1], NO_SHEPHERD);
	qthread_readFF(NULL, &ended[0]);
	qthread_readFF(NULL, &ended[1]);
	return (double)(bench_now_ns() - start) / (2 * (double)count);
}

static double yield_pair(unsigned long count)
{
	return yield_between(yield_often, yield_often, count);
}

static double yield_float(unsigned long count)
{
	return yield_between(yield_often, yield_dividing, count);
}

static void no_body(size_t from, size_t to, void *arg)
{
	(void)arg;
	bench_keep(from + to);
}

static double loop_balance(unsigned long count)
{
	size_t n = qthread_num_workers();

	uint64_t start = bench_now_ns();
	for (unsigned long i = 0; i < count; i++)
		qt_loop_balance(0, n, no_body, NULL);
	return (double)(bench_now_ns() - start) / (double)count;
}

/* Sum, product, largest and smallest of whole numbers, four passes over them. */
static double reductions(unsigned long count)
{
	aligned_t *number = calloc(count, sizeof(*number)), sum = 0, product = 1;

	if (!number)
		micro_fail("out of memory");
	for (unsigned long i = 0; i < count; i++) {
		number[i] = bench_scramble(i) | 1;
		sum += number[i];
		product *= number[i];
	}
	number[count / 2] = 0;
	sum -= bench_scramble(count / 2) | 1;
	uint64_t start = bench_now_ns();
	const bool right = qutil_uint_sum(number, count, 0) == sum && qutil_uint_mult(number, count, 0) == 0 &&
		qutil_uint_max(number, count, 0) > sum / count && qutil_uint_min(number, count, 0) == 0;
	uint64_t took = bench_now_ns() - start;
	number[count / 2] = bench_scramble(count / 2) | 1;
	if (!right || qutil_uint_mult(number, count, 0) != product)
		micro_fail("a reduction came out wrong");
	free(number);
	return (double)took / (4 * (double)count);
}

const struct micro_figure micro_tasks[] = {
	{ "fork_join_aligned", "ns/task", "fork and join, every call of fib a task, aligned_t return words",
		fork_join_aligned, 27, 22, 5, MICRO_MAIN, 1, MICRO_ANY, { 40, 25 } },
	{ "fork_join_syncvar", "ns/task", "the same with syncvar_t return words", fork_join_syncvar, 27, 22, 5,
		MICRO_MAIN, 1, MICRO_ANY, { 30, 20 } },
	{ "flat_null", "ns/task", "one task forks a million without return words and yields until they have run",
		flat_null, 1000000, 50000, 3, MICRO_TASK, 1, MICRO_ANY, { 40, 40 } },
	{ "flat_sinc", "ns/task", "one task forks a million that submit to one sinc", flat_sinc, 1000000, 50000, 3,
		MICRO_TASK, 1, MICRO_ANY, { 0, 0 } },
	{ "flat_words", "ns/task", "one task forks a million, each with a return word, and reads them", flat_words,
		1000000, 50000, 3, MICRO_TASK, 1, MICRO_ANY, { 0, 0 } },
	{ "fork_latency", "ns", "fork one task and read its return word", fork_latency, 500000, 20000, 5, MICRO_TASK, 1,
		MICRO_ANY, { 0, 0 } },
	{ "yield_alone", "ns", "yield with no other task ready", yield_alone, 2000000, 100000, 5, MICRO_TASK, 1,
		MICRO_ANY, { 0, 0 } },
	{ "yield_pair", "ns/yield", "two tasks on one worker yield to each other", yield_pair, 1000000, 50000, 5,
		MICRO_MAIN, 1, 1, { 25, 0 } },
	{ "yield_float", "ns/yield", "the same, one of them dividing inexactly between yields", yield_float, 1000000,
		50000, 5, MICRO_MAIN, 1, 1, { 0, 0 } },
	{ "loop_balance", "ns/loop", "qt_loop_balance over one empty iteration a worker", loop_balance, 100000, 5000, 5,
		MICRO_TASK, 1, MICRO_ANY, { 0, 0 } },
	{ "reductions", "ns/number", "sum, product, largest and smallest of a million whole numbers, a pass each",
		reductions, 1000000, 20000, 11, MICRO_MAIN, 1, MICRO_ANY, { 0, 0 } },
	{ .name = NULL },
};
