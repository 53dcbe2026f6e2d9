/* test/api/loops.c -- every index is run once, in the pieces that the API describes, and results fold in order.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "affine.h"
#include "every.h"

#include <qthread/qloop.h>

#include <string.h>

typedef void (*loop_f)(size_t, size_t, qt_loop_f, void *);
typedef void (*loopaccum_f)(size_t, size_t, size_t, void *, qt_loopr_f, void *, qt_accum_f);

#define LOOP(name) { #name, name }

static const struct {
	const char *name;
	loop_f run;
} each[] = { LOOP(qt_loop), LOOP(qt_loop_simple), LOOP(qt_loop_sv), LOOP(qt_loop_dc), LOOP(qt_loop_aligned),
	LOOP(qt_loop_sinc) };

static const struct {
	const char *name;
	loop_f run;
} balance[] = { LOOP(qt_loop_balance), LOOP(qt_loop_balance_simple), LOOP(qt_loop_balance_sv),
	LOOP(qt_loop_balance_dc), LOOP(qt_loop_balance_aligned), LOOP(qt_loop_balance_sinc) };

static const struct {
	const char *name;
	loopaccum_f run;
} accum[] = { LOOP(qt_loopaccum_balance), LOOP(qt_loopaccum_balance_sv), LOOP(qt_loopaccum_balance_dc),
	LOOP(qt_loopaccum_balance_sinc) };

enum {
	NEACH = sizeof(each) / sizeof(each[0]),
	NBALANCE = sizeof(balance) / sizeof(balance[0]),
	NACCUM = sizeof(accum) / sizeof(accum[0]),
	MOST = 3000,
	CHECKS_PER_RUN = 2 * NEACH + 3 * NBALANCE + 3 * NACCUM + 6 + 3,
	OTHER_CHECKS = 7,
};

/* ---- What the loops called */

struct tally {
	size_t first;                   /* index of runs[0] */
	aligned_t outside;              /* calls with indices that are none of ours */
	aligned_t calls;
	aligned_t not_single;           /* calls with other than one index */
	aligned_t runs[MOST];
	struct {
		size_t start, stop;
		qthread_shepherd_id_t shep;
	} call[64];
};

static struct tally tally;

static void tally_clear(size_t first)
{
	memset(&tally, 0, sizeof(tally));
	tally.first = first;
}

static void count(size_t start, size_t stop, void *arg)
{
	struct tally *t = arg;
	const aligned_t call = qthread_incr(&t->calls, 1);

	if (call < sizeof(t->call) / sizeof(t->call[0])) {
		t->call[call].start = start;
		t->call[call].stop = stop;
		t->call[call].shep = qthread_shep();
	}
	if (stop != start + 1)
		qthread_incr(&t->not_single, 1);
	for (size_t i = start; i < stop; i++) {
		if (i < t->first || i - t->first >= MOST)
			qthread_incr(&t->outside, 1);
		else
			qthread_incr(&t->runs[i - t->first], 1);
	}
}

static bool ran_once(size_t n)
{
	for (size_t i = 0; i < MOST; i++) {
		if (tally.runs[i] != (i < n)) {
			diag("index %zu ran %zu times", tally.first + i, (size_t)tally.runs[i]);
			return false;
		}
	}
	return tally.outside == 0;
}

/* ---- One task per index */

static void each_index(const char *what)
{
	const size_t n = every_scaled(MOST);

	for (int l = 0; l < NEACH; l++) {
		tally_clear(17);
		each[l].run(17, 17 + n, count, &tally);
		ok(ran_once(n) && tally.calls == n && tally.not_single == 0, "%s: %s calls once for each index", what,
			each[l].name);
	}
}

/* Iteration i waits for iteration i + 1: all of them have to be in flight together. */
static aligned_t chain[101];

static void wait_for_next(size_t i, size_t stop, void *arg)
{
	(void)arg;
	qthread_readFF(NULL, &chain[stop]);
	qthread_writeEF_const(&chain[i], i);
}

static void each_may_block(const char *what)
{
	for (int l = 0; l < NEACH; l++) {
		aligned_t first = 99;

		for (int i = 0; i < 100; i++)
			qthread_empty(&chain[i]);
		each[l].run(0, 100, wait_for_next, NULL);
		qthread_readFF(&first, &chain[0]);
		is_int(first, 0, "%s: %s: iterations may wait for later ones", what, each[l].name);
	}
}

/* ---- One task per step */

static void count_step(void *arg)
{
	qthread_incr((aligned_t *)arg, 1);
}

static aligned_t met;

/* The first to come waits for the last. */
static void meet(void *arg)
{
	const aligned_t before = qthread_incr((aligned_t *)arg, 1);

	if (before == 0)
		qthread_readFF(NULL, &met);
	else if (before == 9)
		qthread_fill(&met);
}

static void step(const char *what)
{
	aligned_t calls = 0;

	qt_loop_step(10, 1000, 7, count_step, &calls);
	is_int(calls, 142, "%s: qt_loop_step calls once for each step", what);

	calls = 0;
	qt_loop_step(5, 5, 1, count_step, &calls);
	qt_loop_step(6, 5, 1, count_step, &calls);
	qt_loop_step(0, 5, 1, NULL, &calls);
	qt_loop_step(0, 5, 5, count_step, &calls);
	qt_loop_step(0, SIZE_MAX, SIZE_MAX, count_step, &calls);
	qt_loop_step(0, SIZE_MAX, SIZE_MAX - 1, count_step, &calls);
	qt_loop_step(0, 3, 0, count_step, &calls);
	is_int(calls, 0 + 1 + 1 + 2 + 3, "%s: qt_loop_step: ends of ranges", what);

	calls = 0;
	qthread_empty(&met);
	qt_loop_step(0, 10, 1, meet, &calls);
	is_int(calls, 10, "%s: qt_loop_step: steps may wait for later ones", what);
}

/* ---- One task per worker */

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The blocks that n indices make: contiguous, the first n % blocks one longer, each on its shepherd.  One block may be
 * elsewhere: the caller's own. */
static bool blocks_are_right(size_t start, size_t n, size_t want)
{
	size_t elsewhere = 0;

	if (tally.calls != want)
		return false;
	for (size_t b = 0; b < want; b++) {
		const size_t begin = start + b * (n / want) + least(b, n % want);
		const size_t end = begin + n / want + (b < n % want);
		size_t c = 0;

		while (c < want && (tally.call[c].start != begin || tally.call[c].stop != end))
			c++;
		if (c == want) {
			diag("no block %zu to %zu", begin, end);
			return false;
		}
		elsewhere += tally.call[c].shep != b % qthread_num_shepherds();
	}
	return elsewhere <= 1;
}

static void balanced(const char *what)
{
	const size_t n = 1003, workers = qthread_num_workers();

	for (int l = 0; l < NBALANCE; l++) {
		tally_clear(5);
		balance[l].run(5, 5 + n, count, &tally);
		ok(ran_once(n), "%s: %s runs each index once", what, balance[l].name);
		ok(blocks_are_right(5, n, workers), "%s: %s makes a block per worker", what, balance[l].name);

		bool right = true;
		for (size_t few = 1; few <= 5; few++) {
			tally_clear(0);
			balance[l].run(0, few, count, &tally);
			right = right && ran_once(few) && blocks_are_right(0, few, least(few, workers));
		}
		ok(right, "%s: %s makes no empty block of few indices", what, balance[l].name);
	}
}

/* The callee knows whether it is a task. */
static void count_tasks(size_t start, size_t stop, void *arg)
{
	if (qthread_shep() != NO_SHEPHERD)
		qthread_incr((aligned_t *)arg, stop - start);
}

static void from_outside(void *arg)
{
	const char *what = arg;
	aligned_t in_tasks = 0;

	qt_loop(0, 50, count_tasks, &in_tasks);
	is_int(in_tasks, 50, "%s: qt_loop from an external thread runs in tasks", what);
	in_tasks = 0;
	qt_loop_balance(0, 50, count_tasks, &in_tasks);
	is_int(in_tasks, 50, "%s: and so does qt_loop_balance", what);
	in_tasks = 0;
	qt_loop_balance_sv(0, 50, count_tasks, &in_tasks);
	is_int(in_tasks, 50, "%s: and so does qt_loop_balance_sv", what);
}

static void inner(size_t start, size_t stop, void *arg)
{
	for (size_t i = start; i < stop; i++) {
		qt_loop_balance(10 * i, 10 * i + 10, count, arg);
		qt_loop_balance_aligned(1000 + 10 * i, 1000 + 10 * i + 10, count, arg);
		qt_loop(2000 + 10 * i, 2000 + 10 * i + 10, count, arg);
	}
}

static void nested(const char *what)
{
	tally_clear(0);
	qt_loop_balance(0, 100, inner, &tally);
	ok(ran_once(MOST), "%s: loops in a balanced loop", what);
	tally_clear(0);
	qt_loop(0, 100, inner, &tally);
	ok(ran_once(MOST), "%s: loops in a loop", what);
}

static void empty_ranges(const char *what)
{
	tally_clear(0);
	for (int l = 0; l < NEACH; l++) {
		each[l].run(7, 7, count, &tally);
		each[l].run(8, 7, count, &tally);
		each[l].run(7, 8, NULL, &tally);
	}
	for (int l = 0; l < NBALANCE; l++) {
		balance[l].run(7, 7, count, &tally);
		balance[l].run(8, 7, count, &tally);
		balance[l].run(7, 8, NULL, &tally);
	}
	is_int(tally.calls, 0, "%s: an empty range, a reversed one and no function call nothing", what);
}

/* ---- Results */

static void compose_range(size_t start, size_t stop, void *restrict arg, void *restrict ret)
{
	struct affine all = { 1, 0 };

	(void)arg;
	for (size_t i = start; i < stop; i++) {
		const struct affine one = { 2 * i + 3, i * i + 1 };
		compose(&all, &one);
	}
	*(struct affine *)ret = all;
}

static bool same(struct affine x, struct affine y)
{
	return x.a == y.a && x.b == y.b;
}

static void accumulate(const char *what)
{
	for (int l = 0; l < NACCUM; l++) {
		struct affine want, got = { 7, 7 };

		compose_range(11, 1014, NULL, &want);
		accum[l].run(11, 1014, sizeof(got), &got, compose_range, NULL, compose);
		ok(same(got, want), "%s: %s folds in the order of the blocks", what, accum[l].name);

		bool right = true;
		for (size_t n = 1; n <= 5; n++) {
			compose_range(0, n, NULL, &want);
			got = (struct affine){ 7, 7 };
			accum[l].run(0, n, sizeof(got), &got, compose_range, NULL, compose);
			right = right && same(got, want);
		}
		ok(right, "%s: %s folds the results of few indices", what, accum[l].name);

		compose_range(3, 3, NULL, &want);
		got = (struct affine){ 7, 7 };
		accum[l].run(3, 3, sizeof(got), &got, compose_range, NULL, compose);
		ok(same(got, want), "%s: %s gives the neutral result for an empty range", what, accum[l].name);
	}
}

static void run(const char *what)
{
	each_index(what);
	each_may_block(what);
	step(what);
	balanced(what);
	every_outside(from_outside, (void *)what);
	nested(what);
	empty_ranges(what);
	accumulate(what);
}

/* ---- Without a runtime, and odd arguments */

static void without_runtime(void)
{
	struct affine got = { 7, 7 }, want;

	tally_clear(0);
	qt_loop(0, 10, count, &tally);
	ok(ran_once(10) && tally.calls == 10, "before qthread_initialize the caller runs qt_loop");
	aligned_t calls = 0;
	qt_loop_step(0, 10, 1, count_step, &calls);
	is_int(calls, 10, "and qt_loop_step");
	tally_clear(0);
	qt_loop_balance(0, 10, count, &tally);
	ok(ran_once(10), "and qt_loop_balance");
	compose_range(0, 10, NULL, &want);
	qt_loopaccum_balance(0, 10, sizeof(got), &got, compose_range, NULL, compose);
	ok(same(got, want), "and qt_loopaccum_balance");
}

static void odd_arguments(void)
{
	struct affine got = { 7, 7 }, want;

	every_start("mts", "1", "2");
	compose_range(0, 10, NULL, &want);
	qt_loopaccum_balance(0, 10, sizeof(got), &got, compose_range, NULL, NULL);
	ok(same(got, want), "no folding function: the caller runs the range as one block");
	got = (struct affine){ 7, 7 };
	qt_loopaccum_balance(0, 10, sizeof(got), &got, NULL, NULL, compose);
	ok(got.a == 7 && got.b == 7, "no function: the result is left alone");
	tally_clear(SIZE_MAX - 100);
	qt_loop_balance(SIZE_MAX - 100, SIZE_MAX, count, &tally);
	ok(ran_once(100), "indices up to the largest");
	qthread_finalize();
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN + OTHER_CHECKS);
	without_runtime();
	odd_arguments();
	every_runtime(run);
	return done();
}
