/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Fibonacci, every call a qthread: nothing but the cost of fork and join.
 *
 * By default both children are forked, then read in the order they were forked.  With --one-child the second
 * half is an ordinary call, as in the usual Cilk program; the figure is per call in both. */
#include "common/bench.h"

enum { ALIGNED, SYNCVAR };
static const char *const words_names[] = { "aligned", "syncvar", NULL };

static unsigned long n = 30;
static unsigned words;
static bool one_child;
static uint64_t result;

static aligned_t fib_aligned(void *arg)
{
	uintptr_t k = (uintptr_t)arg;
	aligned_t x, y;

	if (k < 2)
		return k;
	qthread_fork(fib_aligned, (void *)(k - 1), &x);
	qthread_fork(fib_aligned, (void *)(k - 2), &y);
	qthread_readFF(&x, &x);
	qthread_readFF(&y, &y);
	return x + y;
}

static aligned_t fib_syncvar(void *arg)
{
	uintptr_t k = (uintptr_t)arg;
	syncvar_t x = SYNCVAR_STATIC_EMPTY_INITIALIZER, y = SYNCVAR_STATIC_EMPTY_INITIALIZER;
	uint64_t a, b;

	if (k < 2)
		return k;
	qthread_fork_syncvar(fib_syncvar, (void *)(k - 1), &x);
	qthread_fork_syncvar(fib_syncvar, (void *)(k - 2), &y);
	qthread_syncvar_readFF(&a, &x);
	qthread_syncvar_readFF(&b, &y);
	return a + b;
}

static aligned_t fib_one_aligned(void *arg)
{
	uintptr_t k = (uintptr_t)arg;
	aligned_t x;

	if (k < 2)
		return k;
	qthread_fork(fib_one_aligned, (void *)(k - 1), &x);
	aligned_t y = fib_one_aligned((void *)(k - 2));
	qthread_readFF(&x, &x);
	return x + y;
}

static aligned_t fib_one_syncvar(void *arg)
{
	uintptr_t k = (uintptr_t)arg;
	syncvar_t x = SYNCVAR_STATIC_EMPTY_INITIALIZER;
	uint64_t a;

	if (k < 2)
		return k;
	qthread_fork_syncvar(fib_one_syncvar, (void *)(k - 1), &x);
	aligned_t b = fib_one_syncvar((void *)(k - 2));
	qthread_syncvar_readFF(&a, &x);
	return a + b;
}

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

static uint64_t known(unsigned long k)
{
	uint64_t a = 0, b = 1;

	while (k-- > 0) {
		uint64_t next = a + b;
		a = b;
		b = next;
	}
	return a;
}

static bool check(char *why, size_t size)
{
	if (result == known(n))
		return true;
	snprintf(why, size, "fib(%lu) came out as %lu, is %lu", n, (unsigned long)result, (unsigned long)known(n));
	return false;
}

static double units(void)
{
	return 2 * (double)known(n + 1) - 1;
}

static void describe(char *text, size_t size)
{
	snprintf(text, size, "fib(%lu), %s, %s words", n, one_child ? "one child forked" : "every call a task",
		words_names[words]);
}

static void setup(void)
{
}

static const struct bench_option options[] = {
	{ "n", "which number", BENCH_NUMBER, &n, 0, 60, NULL },
	{ "words", "what a task returns through", BENCH_CHOICE, &words, 0, 0, words_names },
	{ "one-child", "fork one child, call the other", BENCH_SWITCH, &one_child, 0, 0, NULL },
	{ .name = NULL },
};

static const struct bench_program fib = {
	.name = "fib",
	.what = "Fibonacci numbers the slow way; every call is a qthread",
	.unit = "call",
	.options = options,
	.setup = setup,
	.serial = serial,
	.parallel = parallel,
	.check = check,
	.units = units,
	.describe = describe,
	.default_reps = 5,
};

int main(int argc, char **argv)
{
	return bench_main(argc, argv, &fib);
}
