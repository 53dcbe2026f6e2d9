/* test/api/loopqueue.c -- loop queues: every index in one range, ranges as long as their kind says, workers added.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "every.h"

#include <qthread/qloop.h>

#include <string.h>

enum { MOST = 5000, CHECKS_PER_RUN = 4 + 8 + 4 + 4 + 5 + 4 + 7, OTHER_CHECKS = 14 };

static const qt_loop_queue_type types[] = { CHUNK, GUIDED, FACTORED, TIMED };
static const char *const type_name[] = { "CHUNK", "GUIDED", "FACTORED", "TIMED" };

enum { TYPES = sizeof(types) / sizeof(types[0]) };

/* ---- What the loops called */

static struct {
	size_t first;                   /* index of runs[0] */
	aligned_t runs[MOST];
	aligned_t outside, empty, calls;
	size_t size[MOST];              /* of the range that began at an index */
	qthread_shepherd_id_t shep;     /* of the last range */
} tally;

static void tally_clear(size_t first)
{
	memset(&tally, 0, sizeof(tally));
	tally.first = first;
}

static void count(size_t start, size_t stop, void *arg)
{
	(void)arg;
	qthread_incr(&tally.calls, 1);
	__atomic_store_n(&tally.shep, qthread_shep(), __ATOMIC_RELAXED);
	if (start >= stop)
		qthread_incr(&tally.empty, 1);
	if (start >= tally.first && start - tally.first < MOST)
		tally.size[start - tally.first] = stop - start;
	for (size_t i = start; i < stop; i++) {
		if (i < tally.first || i - tally.first >= MOST)
			qthread_incr(&tally.outside, 1);
		else
			qthread_incr(&tally.runs[i - tally.first], 1);
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
	return tally.outside == 0 && tally.empty == 0;
}

/* ---- The calls */

static void create_and_run(const char *what)
{
	static const size_t sizes[] = { 1, 2, 3, 7, 64, 1001, MOST };

	for (int t = 0; t < TYPES; t++) {
		bool right = true;
		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			tally_clear(11);
			qt_loop_queue_run(qt_loop_queue_create(types[t], 11, 11 + sizes[i], 1, count, NULL));
			right = ran_once(sizes[i]) && right;
		}
		ok(right, "qt_loop_queue_run: %s: %s: every index in one range", what, type_name[t]);
	}
}

static size_t at_least_one(size_t n)
{
	return n ? n : 1;
}

static size_t divide_up(size_t n, size_t by)
{
	return (n + by - 1) / by;
}

/* Whether the ranges, in the order of the indices, have the sizes that the papers give them. */
static bool sizes_right(qt_loop_queue_type type, size_t n, size_t chunk)
{
	const size_t workers = qthread_num_workers();
	size_t in_batch = 0, size = 0;

	for (size_t at = 0; at < n; at += size) {
		const size_t left = n - at;
		if (type == CHUNK)
			size = chunk;
		else if (type == GUIDED)
			size = divide_up(left, workers);
		else if (in_batch++ % workers == 0)
			size = divide_up(left, 2 * workers);
		size = size < left ? size : left;
		if (tally.size[at] != size) {
			diag("the range at %zu of %zu has %zu indices, not %zu", at, n, tally.size[at], size);
			return false;
		}
	}
	return true;
}

static void range_sizes(const char *what)
{
	const size_t n = MOST, workers = qthread_num_workers();

	for (int t = 0; t < TYPES - 1; t++) {
		tally_clear(0);
		qt_loop_queue_run(qt_loop_queue_create(types[t], 0, n, 1, count, NULL));
		ok(sizes_right(types[t], n, at_least_one(n / workers / 10)), "qt_loop_queue_create: %s: sizes of %s ranges",
			what, type_name[t]);
	}
	tally_clear(0);
	qt_loop_queue_run(qt_loop_queue_create(CHUNK, 0, 5, 1, count, NULL));
	ok(tally.calls == 5, "qt_loop_queue_create: %s: CHUNK ranges have an index at least", what);

	bool right = true;
	tally_clear(0);
	qt_loop_queue_run(qt_loop_queue_create(TIMED, 0, n, 1, count, NULL));
	for (size_t i = 0; i < n; i++)
		right = right && tally.size[i] <= divide_up(n - i, 2 * workers);
	ok(right, "qt_loop_queue_create: %s: a TIMED range leaves work for the others", what);

	for (int t = 0; t < TYPES; t++) {
		if (types[t] == TIMED)
			continue;
		/* 2 does not divide what is left over */
		tally_clear(3);
		qt_loop_queue_run(qt_loop_queue_create(types[t], 3, 3 + 1000, 7, count, NULL));
		right = ran_once(1000);
		for (size_t i = 0; i < 1000; i++)
			right = right && (tally.size[i] == 0 || i % 7 == 0);
		ok(right, "qt_loop_queue_create: %s: %s ranges begin at multiples of the increment", what, type_name[t]);
	}
}

static void setchunk(const char *what)
{
	qqloop_handle_t *l = qt_loop_queue_create(CHUNK, 0, 1000, 1, count, NULL);

	tally_clear(0);
	qt_loop_queue_setchunk(l, 64);
	qt_loop_queue_run(l);
	ok(ran_once(1000) && sizes_right(CHUNK, 1000, 64), "qt_loop_queue_setchunk: %s: ranges are as long as asked", what);

	l = qt_loop_queue_create(CHUNK, 0, 1000, 4, count, NULL);
	tally_clear(0);
	qt_loop_queue_setchunk(l, 61);
	qt_loop_queue_run(l);
	ok(ran_once(1000) && sizes_right(CHUNK, 1000, 64), "qt_loop_queue_setchunk: %s: rounded up to the increment", what);

	l = qt_loop_queue_create(CHUNK, 0, 1000, 1, count, NULL);
	tally_clear(0);
	qt_loop_queue_setchunk(l, SIZE_MAX);
	qt_loop_queue_setchunk(l, 0);
	qt_loop_queue_run(l);
	ok(ran_once(1000) && tally.calls == 1, "qt_loop_queue_setchunk: %s: as long as all; 0 changes nothing", what);

	l = qt_loop_queue_create(GUIDED, 0, 1000, 1, count, NULL);
	tally_clear(0);
	qt_loop_queue_setchunk(l, 10);
	qt_loop_queue_run(l);
	ok(ran_once(1000) && sizes_right(GUIDED, 1000, 0), "qt_loop_queue_setchunk: %s: nothing to a GUIDED loop", what);
}

static void run_there(const char *what)
{
	const qthread_shepherd_id_t last = (qthread_shepherd_id_t)(qthread_num_shepherds() - 1);

	for (int t = 0; t < TYPES; t++) {
		tally_clear(0);
		qt_loop_queue_run_there(qt_loop_queue_create(types[t], 0, 777, 1, count, NULL), last);
		ok(ran_once(777) && tally.shep == last, "qt_loop_queue_run_there: %s: %s on the last shepherd", what,
			type_name[t]);
	}
}

/* The first range cannot be done before another worker has taken the second, so somebody has to be added. */
static qqloop_handle_t *meeting;
static aligned_t second_begun;

static void needs_two(size_t start, size_t stop, void *arg)
{
	count(start, stop, arg);
	if (start == 0) {
		for (qthread_shepherd_id_t s = 0; s < qthread_num_shepherds(); s++)
			qt_loop_queue_addworker(meeting, s);
		qthread_readFF(NULL, &second_begun);
	} else {
		qthread_fill(&second_begun);
	}
}

static void add_late(size_t start, size_t stop, void *arg)
{
	count(start, stop, arg);
	for (qthread_shepherd_id_t s = 0; s < 2 * qthread_num_shepherds(); s++)
		qt_loop_queue_addworker(meeting, s);
}

static void addworker(const char *what)
{
	tally_clear(0);
	qthread_empty(&second_begun);
	meeting = qt_loop_queue_create(CHUNK, 0, 2, 1, needs_two, NULL);
	qt_loop_queue_run_there(meeting, 0);
	ok(ran_once(2), "qt_loop_queue_addworker: %s: works beside the one there is", what);
	qt_loop_queue_addworker(meeting, 0);
	ok(tally.calls == 2, "qt_loop_queue_addworker: %s: a loop that has ended is left alone", what);

	tally_clear(0);
	meeting = qt_loop_queue_create(CHUNK, 0, 300, 1, add_late, NULL);
	qt_loop_queue_setchunk(meeting, 300);
	qt_loop_queue_run(meeting);
	ok(ran_once(300), "qt_loop_queue_addworker: %s: after the last range was taken", what);

	bool right = true;
	for (int round = 0; round < every_scaled(50); round++) {
		tally_clear(0);
		meeting = qt_loop_queue_create(types[round % TYPES], 0, 20, 1, add_late, NULL);
		qt_loop_queue_run(meeting);
		right = ran_once(20) && right;
	}
	ok(right, "qt_loop_queue_addworker: %s: from each range", what);

	tally_clear(0);
	qqloop_handle_t *l = qt_loop_queue_create(CHUNK, 0, 100, 1, count, NULL);
	for (int i = 0; i < 5; i++)
		qt_loop_queue_addworker(l, (qthread_shepherd_id_t)i);
	qt_loop_queue_run(l);
	ok(ran_once(100), "qt_loop_queue_addworker: %s: before the run", what);
}

static void count_step(void *arg)
{
	qthread_incr((aligned_t *)arg, 1);
}

static void step_queue(const char *what)
{
	for (int t = 0; t < TYPES; t++) {
		aligned_t calls = 0;
		qqloop_step_handle_t *l = qt_loop_step_queue_create(types[t], 5, 1006, 10, count_step, &calls);
		qt_loop_queue_run((qqloop_handle_t *)l);
		is_int(calls, 101, "qt_loop_step_queue_create: %s: %s calls once for each step", what, type_name[t]);
	}
}

/* ---- Ends of ranges, nesting, outside */

static void inner(size_t start, size_t stop, void *arg)
{
	for (size_t i = start; i < stop; i++)
		qt_loop_queue_run(qt_loop_queue_create(types[i % TYPES], 10 * i, 10 * i + 10, 1, count, arg));
}

static void outside(void *arg)
{
	const char *what = arg;

	tally_clear(0);
	qt_loop_queue_run(qt_loop_queue_create(GUIDED, 0, 1000, 1, count, NULL));
	ok(ran_once(1000), "qt_loop_queue_run: %s: from an external thread", what);
	tally_clear(0);
	qt_loop_queue_run_there(qt_loop_queue_create(FACTORED, 0, 1000, 1, count, NULL), 0);
	ok(ran_once(1000) && tally.shep == 0, "qt_loop_queue_run_there: %s: from an external thread", what);
}

static void corners(const char *what)
{
	tally_clear(0);
	qt_loop_queue_run(qt_loop_queue_create(CHUNK, 0, 50, 1, inner, NULL));
	ok(ran_once(500), "qt_loop_queue_run: %s: loops in a loop", what);

	tally_clear(0);
	for (int t = 0; t < TYPES; t++) {
		qt_loop_queue_run(qt_loop_queue_create(types[t], 5, 5, 1, count, NULL));
		qt_loop_queue_run(qt_loop_queue_create(types[t], 6, 5, 1, count, NULL));
		qt_loop_queue_run_there(qt_loop_queue_create(types[t], 5, 5, 3, count, NULL), 0);
	}
	is_int(tally.calls, 0, "qt_loop_queue_run: %s: no indices, no calls", what);

	bool right = true;
	for (int t = 0; t < TYPES; t++) {
		tally_clear(SIZE_MAX - 1000);
		qt_loop_queue_run(qt_loop_queue_create(types[t], SIZE_MAX - 1000, SIZE_MAX, 9, count, NULL));
		right = ran_once(1000) && right;
	}
	ok(right, "qt_loop_queue_run: %s: indices up to the largest", what);

	tally_clear(0);
	qt_loop_queue_run(qt_loop_queue_create(GUIDED, 0, 20, 0, count, NULL));
	ok(ran_once(20), "qt_loop_queue_create: %s: an increment of 0 is one of 1", what);

	tally_clear(0);
	qqloop_handle_t *l = qt_loop_queue_create(CHUNK, 0, 20, 1, count, NULL);
	qt_loop_queue_run(l);
	qt_loop_queue_run(l);
	qt_loop_queue_run_there(l, 0);
	qt_loop_queue_setchunk(l, 3);
	ok(ran_once(20), "qt_loop_queue_run: %s: a loop that has ended is left alone", what);
	every_outside(outside, (void *)what);
}

static void run(const char *what)
{
	create_and_run(what);
	range_sizes(what);
	setchunk(what);
	run_there(what);
	addworker(what);
	step_queue(what);
	corners(what);
}

/* ---- Without a runtime, and bad arguments */

static void nothing(const char *when)
{
	ok(!qt_loop_queue_create(CHUNK, 0, 10, 1, NULL, NULL), "qt_loop_queue_create: %s: no function: NULL", when);
	ok(!qt_loop_step_queue_create(CHUNK, 0, 10, 1, NULL, NULL), "qt_loop_step_queue_create: %s: no function: NULL",
		when);
	ok(!qt_loop_queue_create((qt_loop_queue_type)4, 0, 10, 1, count, NULL) &&
		!qt_loop_queue_create((qt_loop_queue_type)-1, 0, 10, 1, count, NULL),
		"qt_loop_queue_create: %s: no such type: NULL", when);
	ok(!qt_loop_step_queue_create((qt_loop_queue_type)4, 0, 10, 1, count_step, NULL),
		"qt_loop_step_queue_create: %s: no such type: NULL", when);
	qt_loop_queue_setchunk(NULL, 3);
	qt_loop_queue_run(NULL);
	qt_loop_queue_run_there(NULL, 0);
	qt_loop_queue_addworker(NULL, 0);
	ok(true, "qt_loop_queue_run: %s: NULL is ignored", when);
}

static void without_runtime(void)
{
	qqloop_handle_t *l;

	tally_clear(0);
	qt_loop_queue_run(qt_loop_queue_create(FACTORED, 0, 100, 1, count, NULL));
	ok(ran_once(100), "qt_loop_queue_run: down: the caller does it all");
	tally_clear(0);
	l = qt_loop_queue_create(CHUNK, 0, 100, 1, count, NULL);
	qt_loop_queue_addworker(l, 0);
	ok(tally.calls == 0, "qt_loop_queue_addworker: down: nobody to be added");
	qt_loop_queue_run_there(l, 0);
	ok(ran_once(100), "qt_loop_queue_run_there: down: the caller does it all");
	nothing("down");

	/* From one life of the runtime to the next. */
	tally_clear(0);
	l = qt_loop_queue_create(TIMED, 0, 100, 1, count, NULL);
	every_start("ws", "1", "2");
	nothing("up");
	qt_loop_queue_run(l);
	ok(ran_once(100), "qt_loop_queue_run: a loop made before qthread_initialize");
	qthread_finalize();
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN + OTHER_CHECKS);
	without_runtime();
	every_runtime(run);
	return done();
}
