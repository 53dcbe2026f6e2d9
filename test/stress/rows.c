/* test/stress/rows.c -- rings and rows: each task arrives once, whole and in order, whoever takes it (RG1, RG2, XQ1
 * to XQ3).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * First a ring between two threads.  Then the runtime: tasks of all workers push open ones, of which some keep
 * their workers for as long as others wait behind them, so that these have to be rescued from rows and lists of
 * spilled tasks while their owners push, pop and claim.  QTI_ROUNDS counts tasks through the ring, and bursts in
 * each setting by the hundred.
 */
#include "sched/ring.h"
#include "stress/stress.h"

#include <qthread.h>
#include <qthread/stats.h>

#include <pthread.h>

enum { ROUNDS = 200000, RECORDS = 256, PUSHES = 24 };

static unsigned rounds, wrong;

/* --- a ring between two threads -------------------------------------------------------------------------- */

static struct qti_task record[RECORDS];
static struct qti_ring *ring;
static uint32_t mask;

/* A record is filled anew just before it is pushed: RECORDS is more than any ring here holds. */
static void *produce(void *unused)
{
	(void)unused;
	for (uintptr_t i = 0; i < rounds; i++) {
		struct qti_task *t = &record[i % RECORDS];
		stress_until(!qti_ring_full(ring, mask));
		t->arg = (void *)i;
		t->flags = i % 3 ? 0 : QTI_TASK_OPEN;
		wrong += !qti_ring_push(ring, mask, t, qti_task_is(t, QTI_TASK_OPEN));
	}
	return NULL;
}

static void through_a_ring(unsigned slots)
{
	pthread_t thread;
	unsigned strange = 0;

	ring = calloc(1, qti_ring_bytes(slots) + QTI_CACHE_LINE);
	void *memory = ring;
	ring = (struct qti_ring *)(((uintptr_t)ring + QTI_CACHE_LINE - 1) & -(uintptr_t)QTI_CACHE_LINE);
	mask = slots - 1;
	if (pthread_create(&thread, NULL, produce, NULL) != 0)
		bail_out("pthread_create failed");
	for (uintptr_t i = 0; i < rounds; i++) {
		struct qti_task *t;
		stress_until((t = qti_ring_pop(ring, mask)) != NULL);
		strange += t != &record[i % RECORDS] || t->arg != (void *)i;
	}
	pthread_join(thread, NULL);
	is_int(strange + wrong, 0, "a ring of %u: %u tasks arrive in order, and whole", slots, rounds);
	free(memory);
}

/* --- rows ------------------------------------------------------------------------------------------------ */

static struct qti_task *open_task;      /* of all that a burst may push */
static uint32_t *runs;
static uint32_t used, ended, forked, forks_ended, begun;

static bool open_ended(struct qti_task *t, aligned_t value)
{
	(void)t;
	(void)value;
	add_acq_rel(&ended, 1);
	return false;
}

static aligned_t count(void *arg)
{
	add_acq_rel(&forks_ended, 1);
	return (aligned_t)(uintptr_t)arg;
}

static aligned_t run_open(void *arg)
{
	uint64_t random = stress_state((uintptr_t)arg);

	add_rlx(&runs[(uintptr_t)arg], 1);
	stress_pause(stress_random(&random, 200));
	return 0;
}

/* Keeps its worker until so many have ended, in spite of those behind it. */
static aligned_t hold(void *until)
{
	add_rlx(&runs[(uintptr_t)until], 1);
	stress_until(load_acq(&ended) >= (uint32_t)(uintptr_t)until);
	return 0;
}

static void push_open(qthread_f f, uintptr_t i)
{
	stress_push_open(&open_task[i], f, (void *)i, open_ended);
}

/* A fork now and then, for the claims, and so that open ones stand behind others. */
static void push_burst(uint64_t *random, unsigned n)
{
	aligned_t ret;

	for (unsigned i = 0; i < n; i++) {
		uintptr_t number = add_rlx(&used, 1);
		if (stress_random(random, 4) == 0) {
			add_rlx(&forked, 1);
			qthread_reset_target_shep();    /* to its own worker: no other may be free */
			qthread_fork(count, (void *)number, &ret);
			push_open(run_open, number);
			qthread_readFF(NULL, &ret);
			if (ret != number)
				add_rlx(&wrong, 1);
		} else {
			push_open(run_open, number);
		}
	}
}

static aligned_t push_some(void *seed)
{
	uint64_t random = stress_state((uintptr_t)seed);

	add_acq_rel(&begun, 1);
	push_burst(&random, PUSHES);
	add_acq_rel(&forks_ended, 1);
	return 0;
}

/* The main task keeps its worker to the end of each burst, and one task may keep another. */
static void burst(uint64_t *random)
{
	unsigned pushers = 1 + stress_random(random, 3);
	unsigned total = PUSHES * (pushers + 1);

	used = ended = forked = forks_ended = begun = 0;
	memset(runs, 0, (total + 1) * sizeof(*runs));
	for (unsigned i = 0; i < pushers; i++) {
		add_rlx(&forked, 1);
		stress_fork_on(i, push_some, (void *)(uintptr_t)(*random + i));
	}
	push_burst(random, PUSHES);
	stress_until(load_acq(&begun) == pushers);      /* behind it they would never */
	if (qti_rt.nworkers > 2)
		push_open(hold, total);
	stress_until(load_acq(&ended) == total + (qti_rt.nworkers > 2));
	stress_until(load_acq(&forks_ended) == load_acq(&forked));
	for (unsigned i = 0; i < total + (qti_rt.nworkers > 2); i++)
		wrong += runs[i] != 1;
	stress_round();
}

static void rows(const char *policy, struct stress_shape shape, unsigned slots, unsigned spin)
{
	char what[64];
	uint64_t random = stress_state(slots + shape.shepherds);
	unsigned bursts = rounds / 400 + 1;

	snprintf(what, sizeof(what), "%s %u x %u, QT_RING=%u, QT_SPIN_US=%u", policy, shape.shepherds, shape.workers,
		slots, spin);
	stress_watch(what);
	stress_set("QT_RING", slots);
	stress_set("QT_SPIN_US", spin);
	stress_start_as(policy, shape);
	wrong = 0;
	for (unsigned i = 0; i < bursts; i++) {
		burst(&random);
		stress_pause(stress_random(&random, 20000));
	}
	qt_stats_t s = { 0 };
	qthread_stats(&s, QT_STATS_TOTAL, 0);
	qthread_finalize();
	diag("%s: %llu rescued, %llu parks", what, (unsigned long long)s.steals, (unsigned long long)s.parks);
	is_int(wrong, 0, "%s: each task of %u bursts runs once", what, bursts);
	ok(s.steals > 0, "%s: some are rescued", what);
}

int main(void)
{
	rounds = stress_rounds(ROUNDS);
	open_task = aligned_alloc(QTI_CACHE_LINE, (PUSHES * 4 + 1) * sizeof(*open_task));
	runs = calloc(PUSHES * 4 + 1, sizeof(*runs));
	plan(2 + 2 * 8);
	stress_say(rounds);
	stress_watch("a ring");
	through_a_ring(2);
	through_a_ring(64);
	rows("xq", (struct stress_shape){ 1, 2 }, 2, 0);
	rows("xq", (struct stress_shape){ 1, 2 }, 64, 20);
	rows("xq", (struct stress_shape){ 2, 2 }, 2, 20);
	rows("xq", (struct stress_shape){ 3, 1 }, 8, 0);
	for (unsigned i = 0; i < 2; i++) {
		rows(i ? "na-ws" : "na-rp", (struct stress_shape){ 1, 2 }, 2, 20);
		rows(i ? "na-ws" : "na-rp", (struct stress_shape){ 2, 2 }, 16, 0);
	}
	free(open_task);
	free(runs);
	return done();
}
