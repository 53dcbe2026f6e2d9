/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "common/bench.h"
#include "fib/tasks.h"

enum { ALIGNED, SYNCVAR };
static const char *const words_names[] = { "aligned", "syncvar", NULL };

static unsigned long n = 30;
static unsigned words;
static bool one_child;
static uint64_t result;

__attribute__((noinline)) static uint64_t fib_serial(uint64_t k)
{
	if (k < 2)
		return k;
	uint64_t a = fib_serial(k - 1), b = fib_serial(k - 2);
	bench_keep(b); /* or the compiler makes a loop of one of the two calls */
	return a + b;
}

static void serial(void)
{
	result = fib_serial(n);
}

static void parallel(void)
{
	static const qthread_f bodies[2][2] = {
		{ fib_aligned, fib_syncvar },
		{ fib_one_aligned, fib_one_syncvar },
	};
	aligned_t root;

	qthread_fork(bodies[one_child][words], (void *)n, &root);
	qthread_readFF(&root, &root);
	result = root;
}

static bool check(char *why, size_t size)
{
	if (result == fib_number(n))
		return true;
	snprintf(why, size, "fib(%lu) came out as %lu, is %lu", n, (unsigned long)result, (unsigned long)fib_number(n));
	return false;
}

static double units(void)
{
	return fib_calls(n);
}

static void describe(char *text, size_t size)
{
	snprintf(text, size, "fib(%lu), %s, %s words", n, one_child ? "one child forked" : "every call a task",
		words_names[words]);
}

static const struct bench_option options[] = {
	{ "n", "which number", BENCH_NUMBER, &n, 0, 60, NULL },
	{ "words", "what a task returns through", BENCH_CHOICE, &words, 0, 0, words_names },
	{ "one-child", "fork one child, call the other", BENCH_SWITCH, &one_child, 0, 0, NULL },
	{ .name = NULL },
};

const struct bench_program bench_program = {
	.about = { "fib", "call", "Fibonacci numbers the slow way; every call is a qthread" },
	.options = options,
	.default_reps = 5,
	.timed = { serial, parallel },
	.report = { check, units, describe },
};
