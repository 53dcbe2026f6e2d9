/* test/stress/loopqueue.c -- loops that run while others, who know nothing of their ends, add workers to them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS: loops run by each runtime.  Each has another kind, range, increment and chunk.  Its iterations add
 * workers; so do a task and an external thread, which use the address of the last loop whether it lives or not.
 */
#include "api/every.h"
#include "stress.h"

#include <qthread/qloop.h>

#include <pthread.h>

enum { MOST = 600 };

static aligned_t runs[MOST], elsewhere;
static qqloop_handle_t *loop;           /* may have been freed */
static bool stop;
static aligned_t added;

static void add(uint64_t *random)
{
	qt_loop_queue_addworker(load_acq(&loop),
		(qthread_shepherd_id_t)stress_random(random, qthread_num_shepherds()));
	add_rlx(&added, 1);
}

static void *add_from_outside(void *unused)
{
	uint64_t random = stress_state(1);

	(void)unused;
	while (!load_acq(&stop)) {
		add(&random);
		stress_pause(stress_random(&random, 200));
		sched_yield();
	}
	return NULL;
}

static aligned_t add_from_task(void *unused)
{
	uint64_t random = stress_state(2);

	(void)unused;
	while (!load_acq(&stop)) {
		add(&random);
		for (unsigned i = stress_random(&random, 4); i > 0; i--)
			qthread_yield();
	}
	return 0;
}

static void iterate(size_t start, size_t end, void *arg)
{
	uint64_t random = stress_state(start + 17);

	(void)arg;
	for (size_t i = start; i < end; i++) {
		if (i >= MOST)
			qthread_incr(&elsewhere, 1);
		else
			qthread_incr(&runs[i], 1);
		if (stress_random(&random, 32) == 0)
			add(&random);
		if (stress_random(&random, 64) == 0)
			qthread_yield();
	}
}

static bool once_each(size_t first, size_t end)
{
	bool right = elsewhere == 0;

	for (size_t i = 0; i < MOST; i++) {
		if (runs[i] != (i >= first && i < end)) {
			diag("index %zu of %zu to %zu ran %zu times", i, first, end, (size_t)runs[i]);
			right = false;
		}
		runs[i] = 0;
	}
	elsewhere = 0;
	return right;
}

static bool run_one(uint64_t *random)
{
	const size_t first = stress_random(random, MOST / 2), end = first + stress_random(random, MOST / 2);
	const qt_loop_queue_type type = (qt_loop_queue_type)stress_random(random, TIMED + 1);
	qqloop_handle_t *l = qt_loop_queue_create(type, first, end, 1 + stress_random(random, 3), iterate, NULL);

	if (stress_random(random, 2))
		qt_loop_queue_setchunk(l, 1 + stress_random(random, 20));
	store_rel(&loop, l);
	if (stress_random(random, 3) == 0)
		qt_loop_queue_run_there(l, (qthread_shepherd_id_t)stress_random(random, qthread_num_shepherds()));
	else
		qt_loop_queue_run(l);
	stress_round();
	return once_each(first, end);
}

static unsigned rounds;

static void run(const char *what)
{
	uint64_t random = stress_state(0);
	bool right = true;
	pthread_t thread;
	aligned_t done;

	stress_watch(what);
	store_rel(&stop, false);
	if (pthread_create(&thread, NULL, add_from_outside, NULL) != 0)
		bail_out("pthread_create failed");
	qthread_fork(add_from_task, NULL, &done);
	for (unsigned i = 0; i < rounds; i++)
		right = run_one(&random) && right;
	store_rel(&stop, true);
	qthread_readFF(NULL, &done);
	/* The thread may be about to add a worker: it has to be through before the runtime is down. */
	pthread_join(thread, NULL);
	ok(right, "%s: each index ran once; workers were added %zu times", what, (size_t)load_rlx(&added));
}

int main(void)
{
	rounds = stress_rounds(1000);
	stress_say(rounds);
	plan(every_runs());
	every_runtime(run);
	return done();
}
