/* test/unit/loop_out_of_memory.c -- a loop that runs out of memory half way still runs every index once.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "api/every.h"
#include "fault.h"

#include <qthread/qloop.h>
#include <qthread/qutil.h>

#include <string.h>

enum { N = 400, NUMBERS = 20000, CHECKS_PER_RUN = 8 };

static aligned_t runs[N];

static void count(size_t start, size_t stop, void *arg)
{
	(void)arg;
	for (size_t i = start; i < stop; i++)
		qthread_incr(&runs[i], 1);
}

static void last_index(size_t start, size_t stop, void *restrict arg, void *restrict ret)
{
	count(start, stop, arg);
	*(size_t *)ret = stop;
}

static void larger_must_follow(void *restrict a, void const *restrict b)
{
	*(size_t *)a = *(size_t const *)b > *(size_t *)a ? *(size_t const *)b : 0;
}

static bool once_each(void)
{
	for (int i = 0; i < N; i++) {
		if (runs[i] != 1) {
			diag("index %d ran %d times", i, (int)runs[i]);
			return false;
		}
	}
	return true;
}

static void starve(int64_t after)
{
	memset(runs, 0, sizeof(runs));
	fault_after((uint64_t)after);
}

static bool fed_again(void)
{
	fault_end();
	return once_each();
}

static void count_step(void *arg)
{
	qthread_incr((aligned_t *)arg, 1);
}

/* Made while there is memory, run while there is none. */
static bool queue_run(int64_t after)
{
	const qt_loop_queue_type type = (qt_loop_queue_type)(after % (TIMED + 1));
	qqloop_handle_t *l = qt_loop_queue_create(type, 0, N, 1, count, NULL);

	starve(after);
	qt_loop_queue_addworker(l, 0);
	if (after % 3)
		qt_loop_queue_run(l);
	else
		qt_loop_queue_run_there(l, 0);
	return fed_again();
}

static bool queue_create_fails(void)
{
	starve(0);
	const bool right = !qt_loop_queue_create(CHUNK, 0, N, 1, count, NULL) &&
		!qt_loop_step_queue_create(CHUNK, 0, N, 1, count_step, NULL);
	fault_end();
	return right;
}

static double number[NUMBERS];

static bool sort_and_sum(int64_t after)
{
	uint64_t x = 1;
	double sum = 0;
	bool right;

	for (int i = 0; i < NUMBERS; i++) {
		x = x * UINT64_C(6364136223846793005) + 1442695040888963407;
		number[i] = (double)(int)(x >> 33);
		sum += number[i];
	}
	starve(after);
	right = qutil_double_sum(number, NUMBERS, (int)(after % 2)) == sum;
	starve(after);
	qutil_qsort(number, NUMBERS);
	fault_end();
	for (int i = 1; i < NUMBERS; i++)
		right = right && number[i - 1] <= number[i];
	return right && qutil_double_sum(number, NUMBERS, 0) == sum;
}

static void run(const char *what)
{
	bool steps = true, queues = true, arrays = true;
	bool each = true, balanced = true, accumulated = true;

	/* The stack on which a worker goes on while the caller waits is there from now on. */
	qt_loop(0, 1, count, NULL);
	const uint64_t before = fault_denied();
	for (int64_t after = 0; after < 12; after++) {
		starve(after);
		(after % 2 ? qt_loop_aligned : qt_loop)(0, N, count, NULL);
		each = fed_again() && each;

		starve(after);
		(after % 2 ? qt_loop_balance_sv : qt_loop_balance)(0, N, count, NULL);
		balanced = fed_again() && balanced;

		size_t last = 0;
		starve(after);
		qt_loopaccum_balance(0, N, sizeof(last), &last, last_index, NULL, larger_must_follow);
		accumulated = fed_again() && last == N && accumulated;

		aligned_t calls = 0;
		starve(after);
		qt_loop_step(0, N, 1, count_step, &calls);
		fault_end();
		steps = calls == N && steps;

		queues = queue_run(after) && queues;
		arrays = sort_and_sum(after) && arrays;
	}
	ok(steps, "%s: qt_loop_step", what);
	ok(queues, "%s: qt_loop_queue_run, _run_there and _addworker", what);
	ok(queue_create_fails(), "%s: qt_loop_queue_create and qt_loop_step_queue_create return NULL", what);
	ok(arrays, "%s: qutil_double_sum and qutil_qsort", what);
	ok(each, "%s: qt_loop and qt_loop_aligned", what);
	ok(balanced, "%s: qt_loop_balance and qt_loop_balance_sv", what);
	ok(accumulated, "%s: qt_loopaccum_balance", what);
	const uint64_t times = fault_denied() - before;
	/* With several workers the first tasks may be done, their descriptors free again, before memory is short. */
	ok(times > 0 || qthread_num_workers() > 1, "%s: memory was short %d times", what, (int)times);
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN);
	setenv("QT_MAX_POOL_ALLOC_SIZE", "4096", 1);    /* few tasks to a block */
	qti_mem_fault = fault;                          /* before there are workers to read it */
	every_runtime(run);
	return done();
}
