/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "fib/fib.h"
#include "fib/tasks.h"
#include "common/must.h"

enum { ALIGNED, SYNCVAR };
static const char *const words_names[] = { "aligned", "syncvar", NULL };

static unsigned words;
static bool one_child, yield;

/* A task's argument: the number's index, and above it how many levels still have tasks. */
enum { LEVEL = 8 };

static aligned_t fib_cut(void *arg)
{
	const uintptr_t k = (uintptr_t)arg & ((1u << LEVEL) - 1), levels = (uintptr_t)arg >> LEVEL;
	aligned_t x, y;

	if (levels == 0)
		return fib_serial(k);
	if (k < 2)
		return k;
	must(qthread_fork(fib_cut, (void *)((levels - 1) << LEVEL | (k - 1)), &x));
	must(qthread_fork(fib_cut, (void *)((levels - 1) << LEVEL | (k - 2)), &y));
	must(qthread_readFF(&x, &x));
	must(qthread_readFF(&y, &y));
	return x + y;
}

static void parallel(void)
{
	static const qthread_f bodies[2][2] = {
		{ fib_aligned, fib_syncvar },
		{ fib_one_aligned, fib_one_syncvar },
	};

	if (bench_cutoff == BENCH_MANUAL)
		fib_result = fib_cut((void *)(fib_depth << LEVEL | fib_n));
	else if (yield)
		fib_result = fib_yield((void *)fib_n);
	else
		fib_result = bodies[one_child][words]((void *)fib_n);
}

static const struct bench_option options[] = {
	{ "words", "what a task returns through, without a cut-off", BENCH_CHOICE, &words, 0, 0, words_names },
	{ "one-child", "fork one child, call the other, without a cut-off", BENCH_SWITCH, &one_child, 0, 0, NULL },
	{ "yield", "through syncvars, and yield before reading them", BENCH_SWITCH, &yield, 0, 0, NULL },
	{ .name = NULL },
};

const struct bench_version bench_version = { .options = options, .parallel = parallel };
