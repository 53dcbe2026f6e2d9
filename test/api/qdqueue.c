/* test/api/qdqueue.c -- a queue for each shepherd: the near one first, all of them before giving up.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "every.h"

#include <qthread/qdqueue.h>

enum { SEVERAL = 3000, TASKS = 8, DOWN_CHECKS = 11, CHECKS_PER_RUN = 12, OTHER_CHECKS = 3, DISABLED_CHECKS = 4 };

static void *number(uintptr_t n)
{
	return (void *)n;
}

/* ---- Without a runtime there is one shepherd's queue */

static void down(void)
{
	qdqueue_t *q = qdqueue_create();
	uintptr_t wrong = 0;

	ok(q && qdqueue_empty(q) == 1, "qdqueue_create works while the runtime is down; the queue is empty");
	for (uintptr_t i = 1; i <= SEVERAL; i++)
		wrong += qdqueue_enqueue(q, number(i)) != QTHREAD_SUCCESS;
	is_int(wrong, 0, "qdqueue_enqueue then");
	is_int(qdqueue_empty(q), 0, "qdqueue_empty: not any more");
	for (uintptr_t i = 1; i <= SEVERAL; i++)
		wrong += qdqueue_dequeue(q) != number(i);
	ok(wrong == 0 && !qdqueue_dequeue(q), "qdqueue_dequeue brings them back");
	is_int(qdqueue_enqueue_there(q, q, 0), QTHREAD_SUCCESS, "qdqueue_enqueue_there: there is a shepherd 0");
	is_int(qdqueue_enqueue_there(q, q, 1), QTHREAD_BADARGS, "qdqueue_enqueue_there: and no other");
	is_int(qdqueue_destroy(q), QTHREAD_SUCCESS, "qdqueue_destroy, with an element inside");

	is_int(qdqueue_enqueue(NULL, q), QTHREAD_BADARGS, "qdqueue_enqueue refuses NULL");
	is_int(qdqueue_enqueue_there(NULL, q, 0), QTHREAD_BADARGS, "qdqueue_enqueue_there refuses NULL");
	is_int(qdqueue_destroy(NULL), QTHREAD_BADARGS, "qdqueue_destroy refuses NULL");
	ok(!qdqueue_dequeue(NULL) && qdqueue_empty(NULL) == QTHREAD_BADARGS,
		"qdqueue_dequeue of NULL is NULL, and qdqueue_empty refuses it");
}

/* ---- From tasks */

static qdqueue_t *shared;

static aligned_t enqueue_one(void *elem)
{
	return qdqueue_enqueue(shared, elem) != QTHREAD_SUCCESS;
}

static aligned_t dequeue_one(void *unused)
{
	(void)unused;
	return (aligned_t)(uintptr_t)qdqueue_dequeue(shared);
}

static aligned_t on(qthread_shepherd_id_t shepherd, qthread_f f, void *arg)
{
	aligned_t ret;

	qthread_fork_to(f, arg, &ret, shepherd);
	qthread_readFF(&ret, &ret);
	return ret;
}

static void places(const char *what)
{
	const qthread_shepherd_id_t n = qthread_num_shepherds();
	uintptr_t wrong = 0;

	shared = qdqueue_create();
	ok(shared && qdqueue_empty(shared) == 1, "%s: qdqueue_create", what);

	for (qthread_shepherd_id_t s = 0; s < n; s++) {
		wrong += on(s, enqueue_one, number(100 + s)) != 0;
		wrong += qdqueue_enqueue_there(shared, number(200 + s), s) != QTHREAD_SUCCESS;
	}
	is_int(wrong, 0, "%s: qdqueue_enqueue and _there, for each shepherd", what);
	is_int(qdqueue_enqueue_there(shared, shared, n), QTHREAD_BADARGS, "%s: qdqueue_enqueue_there: no such", what);
	is_int(qdqueue_enqueue_there(shared, shared, NO_SHEPHERD), QTHREAD_BADARGS,
		"%s: qdqueue_enqueue_there: NO_SHEPHERD is none", what);
	ok(qdqueue_enqueue(shared, NULL) == QTHREAD_BADARGS &&
		qdqueue_enqueue_there(shared, NULL, 0) == QTHREAD_BADARGS, "%s: qdqueue_enqueue refuses NULL", what);
	is_int(qdqueue_empty(shared), 0, "%s: qdqueue_empty: not now", what);

	for (qthread_shepherd_id_t s = 0; s < n; s++)
		wrong += on(s, dequeue_one, NULL) != (aligned_t)100 + s;
	is_int(wrong, 0, "%s: qdqueue_dequeue takes its own shepherd's first, the oldest", what);
	for (qthread_shepherd_id_t s = 1; s < n; s++)
		on(s, dequeue_one, NULL);
	is_int(on((qthread_shepherd_id_t)(n - 1), dequeue_one, NULL), 200, "%s: qdqueue_dequeue then takes others'", what);
	ok(on(0, dequeue_one, NULL) == 0 && qdqueue_empty(shared) == 1, "%s: qdqueue_dequeue: until nothing is left", what);
}

/* ---- Many at once */

static struct {
	uintptr_t each;
	aligned_t sum, taken;           /* atomically */
} traffic;

static aligned_t both(void *arg)
{
	const uintptr_t me = (uintptr_t)arg;

	for (uintptr_t i = 1; i <= traffic.each; i++) {
		qdqueue_enqueue(shared, number(me * traffic.each + i));
		if (i % 3 == 0) {
			const uintptr_t n = (uintptr_t)qdqueue_dequeue(shared);
			qthread_incr(&traffic.sum, n);
			qthread_incr(&traffic.taken, n != 0);
		}
		if (i % 50 == 0)
			qthread_yield();
	}
	return 0;
}

static void from_outside(void *unused)
{
	(void)unused;
	both(number(TASKS));
}

static void all_come_out(const char *what)
{
	const uintptr_t total = (TASKS + 1) * (traffic.each = (uintptr_t)every_scaled(1000));
	aligned_t ended[TASKS];
	uintptr_t n;

	traffic.sum = traffic.taken = 0;
	for (unsigned i = 0; i < TASKS; i++)
		qthread_fork(both, number(i), &ended[i]);
	every_outside(from_outside, NULL);
	for (unsigned i = 0; i < TASKS; i++)
		qthread_readFF(NULL, &ended[i]);
	while ((n = (uintptr_t)qdqueue_dequeue(shared)) != 0) {
		traffic.sum += n;
		traffic.taken++;
	}
	is_int(traffic.taken, total, "%s: qdqueue_dequeue: as many come out as were put in", what);
	is_int(traffic.sum, total * (total + 1) / 2, "%s: qdqueue_dequeue: and the same ones", what);
	is_int(qdqueue_destroy(shared), QTHREAD_SUCCESS, "%s: qdqueue_destroy", what);
}

static void run(const char *what)
{
	places(what);
	all_come_out(what);
}

/* ---- Under another runtime */

static void outlives_the_runtime(void)
{
	uintptr_t sum = 0, n;

	every_start("mts", "2", "1");
	shared = qdqueue_create();
	qdqueue_enqueue_there(shared, number(1), 0);
	qdqueue_enqueue_there(shared, number(2), 1);
	qthread_finalize();
	is_int(qdqueue_empty(shared), 0, "a queue and its elements outlive the runtime");
	qdqueue_enqueue(shared, number(4));

	every_start("mts", "3", "1");
	on(2, enqueue_one, number(8));
	is_int(qdqueue_enqueue_there(shared, shared, 2), QTHREAD_BADARGS,
		"qdqueue_enqueue_there: it keeps its number of shepherds");
	qthread_finalize();
	every_start("mts", "1", "1");
	while ((n = (uintptr_t)qdqueue_dequeue(shared)) != 0)
		sum += n;
	is_int(sum, 15, "qdqueue_dequeue finds all of them, whatever runtime there is");
	qdqueue_destroy(shared);
	qthread_finalize();
}

/* ---- While a shepherd is disabled */

static void disabled(void)
{
	enum { SHEPHERDS = 4, OFF = 1 };
	aligned_t sum = 0;

	every_start("mts", "4", "1");
	qthread_disable_shepherd(OFF);
	shared = qdqueue_create();
	for (qthread_shepherd_id_t s = 0; s < SHEPHERDS; s++)
		sum += qdqueue_enqueue_there(shared, number((uintptr_t)1 << s), s) == QTHREAD_SUCCESS;
	is_int(sum, SHEPHERDS, "qdqueue_create while a shepherd is disabled: it has a queue like the others");
	is_int(qdqueue_enqueue_there(shared, shared, SHEPHERDS), QTHREAD_BADARGS, "and there is no further one");
	sum = 0;
	for (unsigned i = 0; i < SHEPHERDS; i++)
		sum += on(SHEPHERDS - 1, dequeue_one, NULL);
	is_int(sum, (1 << SHEPHERDS) - 1, "qdqueue_dequeue finds what is in each");
	for (qthread_shepherd_id_t s = 0; s < SHEPHERDS; s++)
		sum += s == OFF ? 0 : on(s, dequeue_one, NULL);
	ok(sum == (1 << SHEPHERDS) - 1 && qdqueue_empty(shared) == 1, "and then nothing");
	qdqueue_destroy(shared);
	qthread_enable_shepherd(OFF);
	qthread_finalize();
}

int main(void)
{
	plan(DOWN_CHECKS + every_runs() * CHECKS_PER_RUN + OTHER_CHECKS + DISABLED_CHECKS);
	down();
	every_runtime(run);
	outlives_the_runtime();
	disabled();
	return done();
}
