/* test/stress/ring.c -- ds/qswsrqueue.c: nobody waits on for what has come, whoever the two sides are.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS counts elements that pass in each of the pairings of a task and an OS thread.  Both sides go at a speed
 * that changes, so that now the one and now the other waits, or is just about to when the other moves (R3, R4).
 */
#include "stress/stress.h"

#include <qthread/qswsrqueue.h>

#include <pthread.h>
#include <sched.h>

enum { ELEMENTS = 60000 };

static struct side {
	qswsrqueue_t *q;
	unsigned n;
	uint64_t stream;
	unsigned wrong;
} writer, reader;

/* Mostly not at all, now and then for about as long as it takes to fall asleep. */
static void dawdle(uint64_t *random, bool task)
{
	const unsigned what = stress_random(random, 64);

	if (what < 8)
		stress_pause(stress_random(random, 1 << what));
	else if (what == 8 && task)
		qthread_yield();
}

static void write_all(bool task)
{
	uint64_t random = stress_state(writer.stream);

	for (uintptr_t i = 1; i <= writer.n; i++) {
		dawdle(&random, task);
		if (stress_random(&random, 2) || qswsrqueue_enqueue(writer.q, (void *)i) != QTHREAD_SUCCESS)
			writer.wrong += qswsrqueue_enqueue_blocking(writer.q, (void *)i) != QTHREAD_SUCCESS;
	}
}

static void read_all(bool task)
{
	uint64_t random = stress_state(reader.stream);

	for (uintptr_t i = 1; i <= reader.n; i++) {
		void *got = NULL;
		dawdle(&random, task);
		if (stress_random(&random, 2))
			got = qswsrqueue_dequeue(reader.q);
		if (!got)
			got = qswsrqueue_dequeue_blocking(reader.q);
		reader.wrong += got != (void *)i;
	}
}

static aligned_t write_task(void *unused)
{
	(void)unused;
	write_all(true);
	return 0;
}

static aligned_t read_task(void *unused)
{
	(void)unused;
	read_all(true);
	return 0;
}

static aligned_t thread_done[2];

static void *write_thread(void *unused)
{
	write_all(false);
	qthread_fill(&thread_done[0]);
	return unused;
}

static void *read_thread(void *unused)
{
	read_all(false);
	qthread_fill(&thread_done[1]);
	return unused;
}

static void pass(const char *what, bool writing_task, bool reading_task, unsigned n)
{
	pthread_t thread[2];
	aligned_t done[2];

	stress_watch(what);
	writer = (struct side){ .q = qswsrqueue_create(1), .n = n, .stream = stress_seed() + n };
	reader = (struct side){ .q = writer.q, .n = n, .stream = stress_seed() - n };
	qthread_empty(&thread_done[0]);
	qthread_empty(&thread_done[1]);
	if (writing_task)
		qthread_fork(write_task, NULL, &done[0]);
	else
		pthread_create(&thread[0], NULL, write_thread, NULL);
	if (reading_task)
		qthread_fork(read_task, NULL, &done[1]);
	else
		pthread_create(&thread[1], NULL, read_thread, NULL);
	qthread_readFF(NULL, writing_task ? &done[0] : &thread_done[0]);
	qthread_readFF(NULL, reading_task ? &done[1] : &thread_done[1]);
	if (!writing_task)
		pthread_join(thread[0], NULL);
	if (!reading_task)
		pthread_join(thread[1], NULL);
	qthread_fill(&thread_done[0]);
	qthread_fill(&thread_done[1]);
	ok(writer.wrong == 0 && reader.wrong == 0 && qswsrqueue_empty(writer.q) == 1, "%s: %u elements", what, n);
	qswsrqueue_destroy(writer.q);
	stress_round();
}

static void pairings(const char *scheduler, struct stress_shape shape, unsigned n)
{
	char what[64];

	stress_start(scheduler, shape);
	for (unsigned i = 0; i < 4; i++) {
		snprintf(what, sizeof(what), "%s %u x %u: %s to %s", scheduler, shape.shepherds, shape.workers,
			i & 1 ? "task" : "thread", i & 2 ? "task" : "thread");
		pass(what, i & 1, i & 2, n);
	}
	qthread_finalize();
}

/* ---- A third party asks, and on one CPU may lose it in the middle */

static struct {
	qswsrqueue_t *q;
	bool over;
} full;

static void *keep_full(void *unused)
{
	while (!load_acq(&full.over)) {
		qswsrqueue_enqueue(full.q, qswsrqueue_dequeue(full.q));
		sched_yield();
	}
	return unused;
}

static void never_empty(uint64_t asks)
{
	unsigned wrong = 0;
	pthread_t thread;
	cpu_set_t one;

	stress_watch("a third party");
	CPU_ZERO(&one);
	CPU_SET((unsigned)sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	full.q = qswsrqueue_create(1);
	while (qswsrqueue_enqueue(full.q, &full) == QTHREAD_SUCCESS)
		;
	pthread_create(&thread, NULL, keep_full, NULL);
	for (uint64_t i = 0; i < asks; i++)
		wrong += qswsrqueue_empty(full.q) != 0;
	store_rel(&full.over, true);
	pthread_join(thread, NULL);
	is_int(wrong, 0, "qswsrqueue_empty: a ring that is never empty never looks so");
	qswsrqueue_destroy(full.q);
}

int main(void)
{
	const unsigned n = stress_rounds(ELEMENTS);

	plan(16 + 1);
	stress_say(n);
	pairings("mts", (struct stress_shape){ 1, 1 }, n);
	pairings("mts", (struct stress_shape){ 1, 2 }, n);
	pairings("ws", (struct stress_shape){ 2, 2 }, n);
	pairings("q", (struct stress_shape){ 2, 1 }, n);
	never_empty(UINT64_C(4000) * n);
	return done();
}
