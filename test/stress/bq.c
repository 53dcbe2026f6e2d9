/* test/stress/bq.c -- bq's queues: each task runs once, whoever takes it (BQ1, BQ2).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All workers push, pop and claim at once, while one keeps its worker for as long as others have to take what it has
 * pushed, out of its queue and of what it has spilled.  QTI_ROUNDS counts bursts in each setting.
 */
#include "stress/stress.h"

#include <qthread.h>
#include <qthread/stats.h>

enum { ROUNDS = 600, PUSHES = 40 };

static unsigned rounds;

static struct qti_task *open_task;
static uint32_t *runs;
static uint32_t used, ended, forks_left, wrong;

static bool open_ended(struct qti_task *t, aligned_t value)
{
	(void)t;
	(void)value;
	add_acq_rel(&ended, 1);
	return false;
}

static aligned_t run_open(void *arg)
{
	uint64_t random = stress_state((uintptr_t)arg);

	add_rlx(&runs[(uintptr_t)arg], 1);
	stress_pause(stress_random(&random, 200));
	return 0;
}

static aligned_t answer(void *arg)
{
	return (aligned_t)(uintptr_t)arg;
}

/* Forks now and then, and joins: the child may stand in the middle of the queue, or of what was spilled. */
static void push_burst(uint64_t *random)
{
	aligned_t ret[2];

	for (unsigned i = 0; i < PUSHES; i++) {
		uintptr_t n = add_rlx(&used, 1);
		bool fork = stress_random(random, 4) == 0;
		if (fork)
			for (unsigned j = 0; j < 2; j++)
				qthread_fork(answer, (void *)(n + j), &ret[j]);
		stress_push_open(&open_task[n], run_open, (void *)n, open_ended);
		for (unsigned j = 0; fork && j < 2; j++) {
			qthread_readFF(NULL, &ret[j]);
			if (ret[j] != n + j)
				add_rlx(&wrong, 1);
		}
		if (stress_random(random, 16) == 0)
			qthread_yield();
	}
}

static aligned_t push_some(void *seed)
{
	uint64_t random = stress_state((uintptr_t)seed);

	push_burst(&random);
	sub_acq_rel(&forks_left, 1);
	return 0;
}

/* The main task pushes, too, and keeps its worker to the end. */
static void burst(uint64_t *random)
{
	unsigned pushers = stress_random(random, 4), total = PUSHES * (pushers + 1);

	used = ended = 0;
	forks_left = pushers;
	memset(runs, 0, total * sizeof(*runs));
	for (unsigned i = 0; i < pushers; i++)
		qthread_fork(push_some, (void *)(uintptr_t)(*random + i), NULL);
	push_burst(random);
	stress_until(load_acq(&ended) == total && load_acq(&forks_left) == 0);
	for (unsigned i = 0; i < total; i++)
		wrong += runs[i] != 1;
	stress_round();
}

static void on_queues(struct stress_shape shape, unsigned entries, unsigned spin)
{
	char what[64];
	uint64_t random = stress_state(entries + shape.shepherds);

	snprintf(what, sizeof(what), "%u x %u, QT_QUEUE=%u, QT_SPIN_US=%u", shape.shepherds, shape.workers, entries,
		spin);
	stress_watch(what);
	stress_set("QT_QUEUE", entries);
	stress_set("QT_SPIN_US", spin);
	stress_start_as("bq", shape);
	wrong = 0;
	for (unsigned i = 0; i < rounds; i++) {
		burst(&random);
		stress_pause(stress_random(&random, 20000));
	}
	qt_stats_t s = { 0 };
	const bool joins = qti_rt.env.inline_join;
	qthread_stats(&s, QT_STATS_TOTAL, 0);
	qthread_finalize();
	is_int(wrong, 0, "%s: each task of %u bursts runs once", what, rounds);
	ok(s.steals > 0 && (s.inline_joins > 0) == joins, "%s: %llu are stolen, %llu joined in place", what,
		(unsigned long long)s.steals, (unsigned long long)s.inline_joins);
}

int main(void)
{
	rounds = stress_rounds(ROUNDS);
	open_task = aligned_alloc(QTI_CACHE_LINE, PUSHES * 4 * sizeof(*open_task));
	runs = calloc(PUSHES * 4, sizeof(*runs));
	plan(2 * 4);
	stress_say(rounds);
	on_queues((struct stress_shape){ 1, 2 }, 4, 0);
	on_queues((struct stress_shape){ 2, 1 }, 24, 20);
	on_queues((struct stress_shape){ 2, 2 }, 5, 20);
	on_queues((struct stress_shape){ 3, 1 }, 64, 0);
	free(open_task);
	free(runs);
	return done();
}
