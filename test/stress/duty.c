/* test/stress/duty.c -- shepherds and workers come and go while tasks are forked, wait, wake and move: none is lost.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS counts lives of the runtime.  In each an OS thread and a task disable and enable at random all that may
 * be, until the work is done; in half of them what is off duty then stays so until qthread_finalize, which runs what is
 * left.
 */
#include "stress/stress.h"

#include <qthread.h>

#include <pthread.h>

enum { ROUNDS = 1000, TASKS = 100, RING = 6, LAPS = 10, TRAVELLERS = 6, PENDING = 40 };

static const char *const scheduler[] = { "q", "l", "cq", "ws", "mts", "xq", "bq", "na-rp", "na-ws" };
static const struct stress_shape shape[] = { { 1, 2 }, { 2, 1 }, { 2, 2 }, { 4, 1 }, { 3, 2 }, { 1, 4 } };

static uint32_t over;           /* the work is done */
static uint32_t ran;

/* --- chaos ----------------------------------------------------------------------------------------------- */

static void change_something(uint64_t *random)
{
	qthread_shepherd_id_t s = (qthread_shepherd_id_t)stress_random(random, qti_rt.nshepherds);
	qthread_worker_id_t w = (qthread_worker_id_t)stress_random(random, qti_rt.nworkers);

	switch (stress_random(random, 4)) {
	case 0:
		qthread_disable_shepherd(s);
		break;
	case 1:
		qthread_enable_shepherd(s);
		break;
	case 2:
		qthread_disable_worker(w);
		break;
	default:
		qthread_enable_worker(w);
	}
}

static void *chaos_outside(void *arg)
{
	uint64_t random = stress_state((uintptr_t)arg);

	while (!load_acq(&over)) {
		change_something(&random);
		stress_pause(stress_random(&random, 2000));
		if (stress_random(&random, 4) == 0)
			sched_yield();
	}
	return NULL;
}

static aligned_t chaos_inside(void *arg)
{
	uint64_t random = stress_state((uintptr_t)arg);

	while (!load_acq(&over)) {
		change_something(&random);
		qthread_yield();
	}
	return 0;
}

/* --- work ------------------------------------------------------------------------------------------------ */

static aligned_t count(void *arg)
{
	for (uintptr_t yields = (uintptr_t)arg; yields > 0; yields--)
		qthread_yield();
	add_rlx(&ran, 1);
	return 0;
}

static qthread_shepherd_id_t somewhere(uint64_t *random)
{
	return stress_random(random, 2) ? NO_SHEPHERD : (qthread_shepherd_id_t)stress_random(random, qti_rt.nshepherds);
}

static bool fork_and_join(uint64_t *random)
{
	aligned_t ret[TASKS];
	uint32_t before = load_rlx(&ran);

	for (unsigned i = 0; i < TASKS; i++)
		qthread_fork_to(count, (void *)(uintptr_t)stress_random(random, 3), &ret[i], somewhere(random));
	for (unsigned i = 0; i < TASKS; i++)
		qthread_readFF(NULL, &ret[i]);
	return load_rlx(&ran) == before + TASKS;
}

struct stop {
	aligned_t *from, *to;
};

static aligned_t pass_token(void *arg)
{
	struct stop *s = arg;
	aligned_t token;

	for (unsigned i = 0; i < LAPS; i++) {
		qthread_readFE(&token, s->from);
		qthread_writeEF_const(s->to, token + 1);
	}
	return 0;
}

static bool token_ring(uint64_t *random)
{
	aligned_t word[RING + 1], ret[RING], token = 0;
	struct stop s[RING];

	for (unsigned i = 0; i <= RING; i++)
		qthread_empty(&word[i]);
	for (unsigned i = 0; i < RING; i++) {
		s[i] = (struct stop){ &word[i], &word[i + 1] };
		qthread_fork_to(pass_token, &s[i], &ret[i], somewhere(random));
	}
	for (unsigned i = 0; i < LAPS; i++) {
		qthread_writeEF_const(&word[0], token);
		qthread_readFE(&token, &word[RING]);
	}
	for (unsigned i = 0; i < RING; i++)
		qthread_readFF(NULL, &ret[i]);
	for (unsigned i = 0; i <= RING; i++)
		qthread_fill(&word[i]);
	return token == RING * LAPS;
}

static aligned_t travel(void *arg)
{
	uint64_t random = stress_state((uintptr_t)arg);

	for (unsigned i = 0; i < LAPS; i++) {
		if (qthread_migrate_to((qthread_shepherd_id_t)stress_random(&random, qti_rt.nshepherds)) != QTHREAD_SUCCESS)
			return 0;
		qthread_yield();
	}
	return 1;
}

static bool travellers(uint64_t *random)
{
	aligned_t ret[TRAVELLERS], got = 0;
	unsigned right = 0;

	for (uintptr_t i = 0; i < TRAVELLERS; i++)
		qthread_fork_to(travel, (void *)(i + stress_random(random, 100)), &ret[i], somewhere(random));
	for (unsigned i = 0; i < TRAVELLERS; i++) {
		qthread_readFF(&got, &ret[i]);
		right += got == 1;
	}
	return right == TRAVELLERS;
}

/* --- lives ----------------------------------------------------------------------------------------------- */

static bool live(uint64_t *dice)
{
	const char *policy = scheduler[stress_random(dice, sizeof(scheduler) / sizeof(scheduler[0]))];
	struct stress_shape on = shape[stress_random(dice, sizeof(shape) / sizeof(shape[0]))];
	uintptr_t stream = stress_random(dice, 1 << 20);
	pthread_t outside;
	aligned_t inside;
	char phase[64];
	bool right;

	snprintf(phase, sizeof(phase), "%s %u x %u", policy, on.shepherds, on.workers);
	stress_watch(phase);
	stress_start(policy, on);
	store_rel(&over, false);
	store_rlx(&ran, 0);
	if (pthread_create(&outside, NULL, chaos_outside, (void *)stream) != 0)
		bail_out("pthread_create failed");
	qthread_fork(chaos_inside, (void *)(stream + 1), &inside);
	right = fork_and_join(dice);
	right = token_ring(dice) && right;
	right = travellers(dice) && right;
	uint32_t before = load_rlx(&ran);
	for (unsigned i = 0; i < PENDING; i++)
		qthread_fork_to(count, (void *)(uintptr_t)stress_random(dice, 3), NULL, somewhere(dice));
	store_rel(&over, true);
	pthread_join(outside, NULL);
	qthread_readFF(NULL, &inside);
	for (unsigned i = 1; stress_random(dice, 2) && i < qti_rt.nworkers; i++)
		qthread_enable_worker((qthread_worker_id_t)i);
	qthread_finalize();
	stress_round();
	if (!right || load_rlx(&ran) != before + PENDING)
		diag("%s: %u of %u ran", phase, load_rlx(&ran), before + PENDING);
	return right && load_rlx(&ran) == before + PENDING;
}

int main(void)
{
	unsigned rounds = stress_rounds(ROUNDS), right = 0;
	uint64_t dice = stress_state(0);

	plan(1);
	stress_say(rounds);
	for (unsigned i = 0; i < rounds; i++)
		right += live(&dice);
	ok(right == rounds, "every task runs once while shepherds and workers come and go (%u of %u lives)", right, rounds);
	return done();
}
