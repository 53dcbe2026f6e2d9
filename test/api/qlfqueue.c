/* test/api/qlfqueue.c -- a strict FIFO for everybody: tasks, external threads, with and without a runtime.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "every.h"

#include <qthread/qlfqueue.h>

#include <string.h>

enum { SEVERAL = 10000, WRITERS = 4, READERS = 4, CHECKS = 19, CHECKS_PER_RUN = 6 };

static void *number(uintptr_t n)
{
	return (void *)n;
}

/* ---- One thread; the runtime may be up or down */

static void qlfqueue_create_makes_one(void)
{
	qlfqueue_t *q = qlfqueue_create();

	ok(q != NULL, "qlfqueue_create makes a queue");
	ok(qlfqueue_empty(q) == 1 && !qlfqueue_dequeue(q), "qlfqueue_create: it is empty");
	is_int(qlfqueue_destroy(q), QTHREAD_SUCCESS, "qlfqueue_destroy frees an empty queue");
}

static void qlfqueue_destroy_forgets(void)
{
	qlfqueue_t *q = qlfqueue_create();

	for (uintptr_t i = 1; i <= SEVERAL; i++)
		qlfqueue_enqueue(q, number(i));
	is_int(qlfqueue_destroy(q), QTHREAD_SUCCESS, "qlfqueue_destroy frees a queue that has elements");
	is_int(qlfqueue_destroy(NULL), QTHREAD_BADARGS, "qlfqueue_destroy refuses NULL");
}

static void qlfqueue_enqueue_puts_last(void)
{
	qlfqueue_t *q = qlfqueue_create();
	uintptr_t wrong = 0;

	for (uintptr_t i = 1; i <= SEVERAL; i++)
		wrong += qlfqueue_enqueue(q, number(i)) != QTHREAD_SUCCESS;
	is_int(wrong, 0, "qlfqueue_enqueue takes many elements");
	is_int(qlfqueue_empty(q), 0, "qlfqueue_empty: not then");
	for (uintptr_t i = 1; i <= SEVERAL; i++)
		wrong += qlfqueue_dequeue(q) != number(i);
	is_int(wrong, 0, "qlfqueue_dequeue brings them in the same order");
	ok(!qlfqueue_dequeue(q) && qlfqueue_empty(q) == 1, "qlfqueue_dequeue: and then no more");
	is_int(qlfqueue_enqueue(NULL, q), QTHREAD_BADARGS, "qlfqueue_enqueue refuses NULL for a queue");
	is_int(qlfqueue_enqueue(q, NULL), QTHREAD_BADARGS, "qlfqueue_enqueue refuses NULL for an element");
	is_int(qlfqueue_empty(q), 1, "qlfqueue_enqueue: and puts nothing in");
	qlfqueue_destroy(q);
}

/* As many in the queue as there are in a round, from none to more than a segment. */
static void qlfqueue_dequeue_keeps_up(void)
{
	qlfqueue_t *q = qlfqueue_create();
	uintptr_t in = 0, out = 0, wrong = 0;

	for (unsigned most = 0; most < 3000; most += every_scaled(37)) {
		while (in - out < most)
			qlfqueue_enqueue(q, number(++in));
		while (in - out > most / 2)
			wrong += qlfqueue_dequeue(q) != number(++out);
	}
	while (out < in)
		wrong += qlfqueue_dequeue(q) != number(++out);
	is_int(wrong, 0, "qlfqueue_dequeue: the order holds however many are in");
	ok(!qlfqueue_dequeue(q), "qlfqueue_dequeue: nothing is there twice");
	ok(!qlfqueue_dequeue(NULL), "qlfqueue_dequeue of NULL is NULL");
	qlfqueue_destroy(q);
}

static void qlfqueue_empty_tells(void)
{
	qlfqueue_t *q = qlfqueue_create();
	int wrong = 0;

	for (int i = 0; i < SEVERAL; i++) {
		wrong += qlfqueue_empty(q) != 1 || qlfqueue_dequeue(q);
		qlfqueue_enqueue(q, q);
		wrong += qlfqueue_empty(q) != 0;
		wrong += qlfqueue_dequeue(q) != q;
	}
	is_int(wrong, 0, "qlfqueue_empty: 0 with one element, 1 without, time after time");
	is_int(qlfqueue_empty(NULL), QTHREAD_BADARGS, "qlfqueue_empty refuses NULL");
	qlfqueue_destroy(q);
}

/* Integers in the place of pointers; the queue's own addresses are no exception. */
static void any_value(void)
{
	static const uintptr_t odd[] = { 1, 2, UINTPTR_MAX, UINTPTR_MAX - 1, (uintptr_t)1 << 63 };
	enum { ODD = sizeof(odd) / sizeof(odd[0]) };
	qlfqueue_t *q = qlfqueue_create();
	char *begin = (char *)(*(uintptr_t *)q & ~(uintptr_t)8191);
	unsigned wrong = 0;

	for (unsigned i = 0; i < ODD; i++)
		qlfqueue_enqueue(q, number(odd[i]));
	for (unsigned i = 0; i < ODD; i++)
		wrong += qlfqueue_dequeue(q) != number(odd[i]);
	is_int(wrong, 0, "any value but NULL is an element");

	/* Every address there is in the first segment, for every cell. */
	for (size_t at = 0; at < 8192; at += sizeof(void *)) {
		wrong += qlfqueue_enqueue(q, begin + at) != QTHREAD_SUCCESS;
		wrong += qlfqueue_enqueue(q, begin + at) != QTHREAD_SUCCESS;
		wrong += qlfqueue_dequeue(q) != begin + at;
		wrong += qlfqueue_dequeue(q) != begin + at;
	}
	ok(wrong == 0 && qlfqueue_empty(q), "even addresses inside the queue");
	qlfqueue_destroy(q);
}

static void alone(void)
{
	qlfqueue_create_makes_one();
	qlfqueue_destroy_forgets();
	qlfqueue_enqueue_puts_last();
	qlfqueue_dequeue_keeps_up();
	qlfqueue_empty_tells();
	any_value();
}

/* ---- Tasks and external threads */

static struct {
	qlfqueue_t *q;
	uintptr_t each;                         /* elements a writer */
	aligned_t taken, disorder;              /* atomically */
	unsigned char *came;                    /* how often, for each element */
} traffic;

/* Writer w's elements are w * each + 1 to w * each + each. */
static aligned_t write_some(void *arg)
{
	const uintptr_t writer = (uintptr_t)arg;

	for (uintptr_t i = 1; i <= traffic.each; i++) {
		qlfqueue_enqueue(traffic.q, number(writer * traffic.each + i));
		if (i % 64 == 0)
			qthread_yield();
	}
	return 0;
}

static aligned_t read_some(void *unused)
{
	uintptr_t last[WRITERS + 1] = { 0 };

	(void)unused;
	while (qthread_incr(&traffic.taken, 0) < (WRITERS + 1) * traffic.each) {
		const uintptr_t n = (uintptr_t)qlfqueue_dequeue(traffic.q);
		if (!n) {
			qthread_yield();
			continue;
		}
		const uintptr_t writer = (n - 1) / traffic.each;
		if (n <= last[writer])
			qthread_incr(&traffic.disorder, 1);
		last[writer] = n;
		__atomic_fetch_add(&traffic.came[n], 1, __ATOMIC_RELAXED);
		qthread_incr(&traffic.taken, 1);
	}
	return 0;
}

static void write_from_outside(void *unused)
{
	(void)unused;
	write_some(number(WRITERS));
}

static void run(const char *what)
{
	aligned_t ended[WRITERS + READERS];
	uintptr_t wrong = 0;

	traffic.q = qlfqueue_create();
	traffic.each = (uintptr_t)every_scaled(2000);
	traffic.came = calloc((WRITERS + 1) * traffic.each + 1, 1);
	traffic.taken = traffic.disorder = 0;
	for (unsigned i = 0; i < WRITERS; i++)
		qthread_fork(write_some, number(i), &ended[i]);
	for (unsigned i = 0; i < READERS; i++)
		qthread_fork(read_some, NULL, &ended[WRITERS + i]);
	every_outside(write_from_outside, NULL);
	for (unsigned i = 0; i < WRITERS + READERS; i++)
		qthread_readFF(NULL, &ended[i]);

	for (uintptr_t n = 1; n <= (WRITERS + 1) * traffic.each; n++)
		wrong += traffic.came[n] != 1;
	is_int(wrong, 0, "%s: qlfqueue_dequeue: each element comes once", what);
	is_int(traffic.disorder, 0, "%s: qlfqueue_dequeue: those of one writer in its order", what);
	ok(!qlfqueue_dequeue(traffic.q), "%s: qlfqueue_dequeue: and nothing else", what);
	is_int(qlfqueue_empty(traffic.q), 1, "%s: qlfqueue_empty agrees", what);
	is_int(qlfqueue_enqueue(traffic.q, traffic.q), QTHREAD_SUCCESS, "%s: qlfqueue_enqueue again", what);
	is_int(qlfqueue_destroy(traffic.q), QTHREAD_SUCCESS, "%s: qlfqueue_destroy", what);
	free(traffic.came);
}

static void outlives_the_runtime(void)
{
	qlfqueue_t *q = qlfqueue_create();

	every_start("mts", "1", "2");
	qlfqueue_enqueue(q, q);
	qthread_finalize();
	const int before = qlfqueue_empty(q);
	every_start("ws", "2", "1");
	ok(before == 0 && qlfqueue_dequeue(q) == q, "a queue and its elements outlive a runtime");
	qthread_finalize();
	qlfqueue_destroy(q);
}

int main(void)
{
	plan(CHECKS + every_runs() * CHECKS_PER_RUN + 1);
	alone();
	every_runtime(run);
	outlives_the_runtime();
	return done();
}
