/* test/stress/park.c -- bursts of work with gaps between them, so that workers fall asleep and are woken all the time.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * P1 and P2 of core/worker.h.  Work comes from the main task, from an OS thread outside, from a task elsewhere and out
 * of full/empty words; whoever brings it either sleeps itself or keeps its worker busy without ever yielding, so that
 * a lost wake-up is a hang, which the watchdog reports.  QTI_ROUNDS counts bursts in each setting.
 */
#include "stress/stress.h"

#include <qthread.h>

#include <pthread.h>

enum { ROUNDS = 100, BURST = 12, PENDING = 100 };

static const struct stress_shape shapes[] = { { 1, 1 }, { 1, 2 }, { 2, 1 }, { 2, 2 } };
static const char *const spins[] = { "0", "5", "50" };

enum { NSHAPES = sizeof(shapes) / sizeof(shapes[0]), NSPINS = sizeof(spins) / sizeof(spins[0]) };

static uint64_t dice; /* the main task's */
static unsigned rounds;

/* --- tasks that count ------------------------------------------------------------------------------------ */

static unsigned left; /* of the burst */
static aligned_t finished;

static void expect(unsigned n)
{
	qthread_empty(&finished);
	store_rel(&left, n);
}

static aligned_t work(void *pause)
{
	stress_pause((unsigned)(uintptr_t)pause);
	if (sub_acq_rel(&left, 1) == 1)
		qthread_fill(&finished);
	return 0;
}

/* Brings another one along, which somebody else may have to be woken for. */
static aligned_t work_twice(void *pause)
{
	qthread_fork(work, pause, NULL);
	return work(pause);
}

static void *random_pause(uint64_t *random)
{
	return (void *)(uintptr_t)stress_random(random, stress_random(random, 4) ? 50 : 5000);
}

/* --- an OS thread that is no worker ---------------------------------------------------------------------- */

enum command { NOTHING, FORK, FORK_TO, FILL, STOP };

static struct {
	uint32_t command;
	unsigned n;
	unsigned pause;
} order;
static aligned_t gate;

static void obey(uint32_t command)
{
	uint64_t random = stress_state(order.pause);

	stress_pause(order.pause);
	for (unsigned i = 0; i < order.n; i++) {
		if (command == FORK)
			qthread_fork(work, random_pause(&random), NULL);
		else if (command == FORK_TO)
			qthread_fork_to(work, random_pause(&random), NULL,
				(qthread_shepherd_id_t)stress_random(&random, qti_rt.nshepherds));
	}
	if (command == FILL)
		qthread_fill(&gate);
}

static void *outside(void *unused)
{
	uint32_t command;

	(void)unused;
	do {
		stress_until((command = load_acq(&order.command)) != NOTHING);
		obey(command);
		store_rel(&order.command, NOTHING);
	} while (command != STOP);
	return NULL;
}

static void tell(enum command command, unsigned n)
{
	order.n = n;
	order.pause = stress_random(&dice, 3000);
	store_rel(&order.command, command);
}

static void told(void)
{
	stress_until(load_acq(&order.command) == NOTHING);
}

/* --- bursts: who brings the work ------------------------------------------------------------------------- */

/* Where the main task waits: in the word, or on its worker. */
static void wait_asleep(void)
{
	qthread_readFF(NULL, &finished);
}

static void wait_awake(void)
{
	stress_until(qthread_feb_status(&finished));
}

static void from_main_awake(unsigned n)
{
	bool more = stress_others_may_take();

	expect(more ? 2 * n : n);
	for (unsigned i = 0; i < n; i++)
		stress_fork_on(stress_random(&dice, qti_rt.nworkers), more ? work_twice : work,
			random_pause(&dice));
	wait_awake();
}

static void from_main_pinned(unsigned n)
{
	expect(n);
	for (unsigned i = 0; i < n; i++)
		qthread_fork_to(work, random_pause(&dice), NULL,
			(qthread_shepherd_id_t)stress_other(stress_random(&dice, qti_rt.nworkers)));
	wait_awake();
}

static void from_main_asleep(unsigned n)
{
	expect(2 * n);
	for (unsigned i = 0; i < n; i++)
		qthread_fork(work_twice, random_pause(&dice), NULL);
	wait_asleep();
}

static void from_outside_awake(unsigned n)
{
	expect(n);
	tell(FORK, n);
	wait_awake();
	told();
}

static void from_outside_asleep(unsigned n)
{
	expect(n);
	tell(stress_random(&dice, 2) ? FORK : FORK_TO, n);
	wait_asleep();
	told();
}

static aligned_t bring(void *n)
{
	uint64_t random = stress_state((uintptr_t)n);

	stress_pause(stress_random(&random, 3000));
	for (uintptr_t i = 0; i < (uintptr_t)n; i++)
		qthread_fork(work_twice, random_pause(&random), NULL);
	return 0;
}

static void from_a_task(unsigned n)
{
	expect(2 * n);
	qthread_fork_to(
		bring, (void *)(uintptr_t)n, NULL, (qthread_shepherd_id_t)stress_random(&dice, qti_rt.nshepherds));
	wait_asleep();
}

static aligned_t wait_and_work(void *pause)
{
	qthread_readFF(NULL, &gate);
	return work(pause);
}

static aligned_t open_gate(void *pause)
{
	stress_pause((unsigned)(uintptr_t)pause);
	qthread_fill(&gate);
	return 0;
}

static void from_a_word(unsigned n)
{
	expect(n);
	qthread_empty(&gate);
	for (unsigned i = 0; i < n; i++)
		qthread_fork(wait_and_work, random_pause(&dice), NULL);
	if (stress_random(&dice, 2))
		tell(FILL, 0);
	else
		qthread_fork_to(open_gate, random_pause(&dice), NULL,
			(qthread_shepherd_id_t)stress_random(&dice, qti_rt.nshepherds));
	wait_asleep();
	told();
}

static uint32_t passed;

/* Has its worker until the task that gave way to it has gone on, elsewhere. */
static aligned_t in_the_way(void *pause)
{
	stress_until(load_acq(&passed));
	return work(pause);
}

static aligned_t give_way(void *pause)
{
	qthread_fork(in_the_way, pause, NULL);
	qthread_yield();
	store_rel(&passed, 1);
	return work(pause);
}

static void from_one_who_yields(unsigned unused)
{
	(void)unused;
	if (!stress_others_may_take())
		return;
	store_rel(&passed, 0);
	expect(2);
	qthread_fork(give_way, random_pause(&dice), NULL);
	wait_asleep();
}

static void burst(void)
{
	static void (*const bring_it[])(unsigned) = {
		from_main_asleep,
		from_outside_asleep,
		from_a_task,
		from_a_word,
		/* These need another worker. */
		from_main_awake,
		from_main_pinned,
		from_outside_awake,
		from_one_who_yields,
	};
	unsigned n = 1 + stress_random(&dice, stress_random(&dice, 2) ? 2 : BURST);

	bring_it[stress_random(&dice, qti_rt.nworkers > 1 ? 8 : 4)](n);
}

/* Long enough now and then for everybody to be asleep. */
static void gap(void)
{
	unsigned kind = stress_random(&dice, 8);

	if (kind < 3)
		stress_pause(stress_random(&dice, 500));
	else if (kind < 6)
		stress_pause(stress_random(&dice, 10000));
}

/* --- all of it ------------------------------------------------------------------------------------------- */

static void run(const char *scheduler, struct stress_shape shape, const char *spin)
{
	char what[96];
	pthread_t thread;

	snprintf(what, sizeof(what), "%s %u x %u, QT_SPIN_US=%s", scheduler, shape.shepherds, shape.workers, spin);
	stress_watch(what);
	setenv("QT_SPIN_US", spin, 1);
	stress_start(scheduler, shape);
	if (!QTI_TSAN && qti_rt.oversubscribed && stress_random(&dice, 2))
		qti_rt.spin_ns = UINT64_C(1000) * qti_rt.env.spin_us; /* as if there were CPUs enough */
	if (pthread_create(&thread, NULL, outside, NULL) != 0)
		bail_out("pthread_create failed");
	for (unsigned r = 0; r < rounds; r++) {
		burst();
		gap();
		stress_round();
	}
	tell(STOP, 0);
	pthread_join(thread, NULL);
	expect(2 * PENDING);
	for (int i = 0; i < PENDING; i++)
		qthread_fork(work_twice, random_pause(&dice), NULL);
	qthread_finalize();
	is_int(left, 0, "%s: no wake-up is lost, and what is ready runs before the end", what);
}

int main(void)
{
	rounds = stress_rounds(ROUNDS);
	dice = stress_state(0);
	plan(qti_nscheds * NSHAPES * NSPINS);
	stress_say(rounds);
	for (unsigned i = 0; i < qti_nscheds; i++)
		for (unsigned s = 0; s < NSHAPES; s++)
			for (unsigned j = 0; j < NSPINS; j++)
				run(qti_scheds[i]->name, shapes[s], spins[j]);
	return done();
}
