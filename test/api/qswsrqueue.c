/* test/api/qswsrqueue.c -- one writer, one reader, so many elements and no more; who has to wait waits.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "every.h"

#include <qthread/qswsrqueue.h>

enum { CHECKS = 17, CHECKS_PER_RUN = 8 };

static void *number(uintptr_t n)
{
	return (void *)n;
}

/* ---- One thread; the runtime may be up or down */

static size_t room(size_t elements)
{
	qswsrqueue_t *q = qswsrqueue_create(elements);
	size_t n = 0;

	while (n < 100000 && qswsrqueue_enqueue(q, q) == QTHREAD_SUCCESS)
		n++;
	qswsrqueue_destroy(q);
	return n;
}

static void qswsrqueue_create_rounds_up(void)
{
	is_int(room(1), 63, "qswsrqueue_create(1) has room for 63");
	is_int(room(64), 63, "qswsrqueue_create(64) too");
	is_int(room(65), 127, "qswsrqueue_create(65) has room for 127");
	is_int(room(100), 127, "qswsrqueue_create(100) too");
	is_int(room(1000), 1023, "qswsrqueue_create(1000) has room for 1023");
	ok(!qswsrqueue_create(0), "qswsrqueue_create(0) is NULL");
	ok(!qswsrqueue_create(SIZE_MAX) && !qswsrqueue_create(SIZE_MAX / sizeof(void *)),
		"qswsrqueue_create of more than there are addresses is NULL");
}

static void bad_arguments(void)
{
	qswsrqueue_t *q = qswsrqueue_create(1);

	is_int(qswsrqueue_destroy(NULL), QTHREAD_BADARGS, "qswsrqueue_destroy refuses NULL");
	ok(qswsrqueue_enqueue(NULL, q) == QTHREAD_BADARGS && qswsrqueue_enqueue(q, NULL) == QTHREAD_BADARGS,
		"qswsrqueue_enqueue refuses NULL");
	ok(qswsrqueue_enqueue_blocking(NULL, q) == QTHREAD_BADARGS &&
		qswsrqueue_enqueue_blocking(q, NULL) == QTHREAD_BADARGS, "qswsrqueue_enqueue_blocking refuses NULL");
	ok(!qswsrqueue_dequeue(NULL), "qswsrqueue_dequeue of NULL is NULL");
	ok(!qswsrqueue_dequeue_blocking(NULL), "qswsrqueue_dequeue_blocking of NULL is NULL");
	is_int(qswsrqueue_empty(NULL), QTHREAD_BADARGS, "qswsrqueue_empty refuses NULL");
	ok(qswsrqueue_empty(q) == 1 && !qswsrqueue_dequeue(q), "qswsrqueue_enqueue: nothing was put in");
	qswsrqueue_destroy(q);
}

static void order(void)
{
	qswsrqueue_t *q = qswsrqueue_create(1);
	uintptr_t in = 0, out = 0, wrong = 0;

	for (unsigned round = 0; round < 200; round++) {
		const unsigned most = round % 64;
		while (in - out < most)
			wrong += qswsrqueue_enqueue(q, number(++in)) != QTHREAD_SUCCESS;
		while (in - out > round % 3 && in - out > 0)
			wrong += qswsrqueue_dequeue(q) != number(++out);
		wrong += qswsrqueue_empty(q) != (in == out);
	}
	is_int(wrong, 0, "qswsrqueue_dequeue keeps the order, around and around; qswsrqueue_empty agrees");
	while (out < in)
		out += qswsrqueue_dequeue(q) != NULL;
	ok(!qswsrqueue_dequeue(q), "qswsrqueue_dequeue: NULL when nothing is left");
	qswsrqueue_enqueue_blocking(q, q);
	ok(qswsrqueue_dequeue_blocking(q) == q, "qswsrqueue_dequeue_blocking needs one element and no runtime");
	qswsrqueue_destroy(q);
}

/* ---- A writer and a reader */

static struct {
	qswsrqueue_t *there, *back;
	uintptr_t rounds;
	aligned_t wrong;
	bool slow_reader, slow_writer;
} flow;

static aligned_t write_all(void *unused)
{
	aligned_t wrong = 0;

	(void)unused;
	for (uintptr_t i = 1; i <= flow.rounds; i++) {
		wrong += qswsrqueue_enqueue_blocking(flow.there, number(i)) != QTHREAD_SUCCESS;
		if (flow.slow_writer && i % 16 == 0)
			qthread_yield();
	}
	return wrong;
}

static aligned_t read_all(void *unused)
{
	aligned_t wrong = 0;

	(void)unused;
	for (uintptr_t i = 1; i <= flow.rounds; i++) {
		wrong += qswsrqueue_dequeue_blocking(flow.there) != number(i);
		if (flow.slow_reader && i % 16 == 0)
			qthread_yield();
	}
	return wrong;
}

static void write_all_outside(void *unused)
{
	qthread_incr(&flow.wrong, write_all(unused));
}

static void read_all_outside(void *unused)
{
	qthread_incr(&flow.wrong, read_all(unused));
}

static aligned_t join(aligned_t *ret)
{
	qthread_readFF(ret, ret);
	return *ret;
}

/* One element at a time, so that both sides wait at every step. */
static aligned_t echo(void *unused)
{
	(void)unused;
	for (uintptr_t i = 0; i < flow.rounds; i++)
		qswsrqueue_enqueue_blocking(flow.back, qswsrqueue_dequeue_blocking(flow.there));
	return 0;
}

static void echo_outside(void *unused)
{
	echo(unused);
}

static aligned_t ping(void *unused)
{
	aligned_t wrong = 0;

	(void)unused;
	for (uintptr_t i = 1; i <= flow.rounds; i++) {
		qswsrqueue_enqueue(flow.there, number(i));
		wrong += qswsrqueue_dequeue_blocking(flow.back) != number(i);
	}
	return wrong;
}

static aligned_t others_run;

static aligned_t let_go(void *unused)
{
	(void)unused;
	others_run = 1;
	qswsrqueue_enqueue(flow.there, &others_run);
	return 0;
}

static void run(const char *what)
{
	aligned_t writer, reader;

	flow.there = qswsrqueue_create(1);
	flow.back = qswsrqueue_create(1);
	flow.rounds = (uintptr_t)every_scaled(1000);

	/* Only the waiting task waits: its worker, maybe the only one, runs the task that lets it go on. */
	others_run = 0;
	qthread_fork(let_go, NULL, NULL);
	ok(qswsrqueue_dequeue_blocking(flow.there) == &others_run && others_run,
		"%s: qswsrqueue_dequeue_blocking suspends the task and returns with the first element", what);

	for (int slow = 0; slow < 2; slow++) {
		flow.slow_reader = slow, flow.slow_writer = !slow;
		qthread_fork(read_all, NULL, &reader);
		qthread_fork(write_all, NULL, &writer);
		is_int(join(&reader) + join(&writer), 0, "%s: qswsrqueue_enqueue_blocking waits for a %s", what,
			slow ? "slow reader" : "fast one");
	}

	flow.wrong = 0;
	qthread_fork(read_all, NULL, &reader);
	every_outside(write_all_outside, NULL);
	is_int(join(&reader) + flow.wrong, 0, "%s: qswsrqueue_enqueue_blocking from an external thread to a task", what);
	qthread_fork(write_all, NULL, &writer);
	every_outside(read_all_outside, NULL);
	is_int(join(&writer) + flow.wrong, 0, "%s: qswsrqueue_dequeue_blocking by an external thread from a task", what);

	qthread_fork(echo, NULL, &reader);
	is_int(ping(NULL) + join(&reader), 0, "%s: qswsrqueue_dequeue_blocking there and back between tasks", what);
	qthread_fork(ping, NULL, &writer);
	every_outside(echo_outside, NULL);
	is_int(join(&writer), 0, "%s: qswsrqueue_dequeue_blocking there and back to an external thread", what);
	ok(qswsrqueue_destroy(flow.there) == QTHREAD_SUCCESS && qswsrqueue_destroy(flow.back) == QTHREAD_SUCCESS,
		"%s: qswsrqueue_destroy", what);
}

int main(void)
{
	plan(CHECKS + every_runs() * CHECKS_PER_RUN);
	qswsrqueue_create_rounds_up();
	bad_arguments();
	order();
	every_runtime(run);
	return done();
}
