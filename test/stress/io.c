/* test/stress/io.c -- short lives of the runtime full of tasks that sleep, act, read and write, few threads to do it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS counts lives.  Tasks leave for proxies and timers and come back in every order; threads end and are made
 * anew all the time; finalize finds some of it under way.
 */
#include "stress/stress.h"
#include "process.h"

#include <qthread/io.h>
#include <qthread/qt_syscalls.h>

#include <fcntl.h>

enum { ROUNDS = 150, TASKS = 40, STEPS = 12, PAIRS = 6, SWAPS = 15 };

static aligned_t steps_done, pairs_done, nested_done;

/* --- tasks ----------------------------------------------------------------------------------------------- */

static aligned_t nested(void *arg)
{
	(void)arg;
	qt_usleep(1);
	qthread_incr(&nested_done, 1);
	return 0;
}

static void act(uint64_t *random)
{
	qt_begin_blocking_action();
	if (stress_random(random, 3) == 0)
		qthread_fork(nested, NULL, NULL);
	else
		qthread_incr(&nested_done, 1);
	if (stress_random(random, 2))
		sched_yield();
	if (stress_random(random, 4))
		qt_end_blocking_action();       /* or later */
}

static void wait_for_child(uint64_t *random)
{
	aligned_t ret = 0;

	if (stress_random(random, 2))
		qthread_fork_to(nested, NULL, &ret, (qthread_shepherd_id_t)stress_random(random, qti_rt.nshepherds));
	else
		qthread_fork(nested, NULL, &ret);
	qthread_readFF(NULL, &ret);
}

static aligned_t wanders(void *arg)
{
	uint64_t random = stress_state((uintptr_t)arg);
	char c;

	for (unsigned i = 0; i < STEPS; i++) {
		switch (stress_random(&random, 6)) {
		case 0:
			qt_usleep(stress_random(&random, 300));
			qthread_incr(&nested_done, 1);
			break;
		case 1:
			qthread_yield();
			qthread_incr(&nested_done, 1);
			break;
		case 2:
			wait_for_child(&random);
			break;
		case 3:
			qthread_incr(&nested_done, qt_read(-1, &c, 1) == -1 && qt_errno == EBADF);
			break;
		default:
			act(&random);
		}
		qt_end_blocking_action();
	}
	if (stress_random(&random, 4) == 0)
		qt_begin_blocking_action();
	qthread_incr(&steps_done, 1);
	return 0;
}

struct pair {
	int to[2], from[2];
};

static aligned_t answers(void *arg)
{
	struct pair *p = arg;
	char c;

	for (unsigned i = 0; i < SWAPS; i++)
		if (qt_read(p->to[0], &c, 1) != 1 || qt_write(p->from[1], &c, 1) != 1)
			return 0;
	qthread_incr(&pairs_done, 1);
	return 0;
}

static aligned_t asks(void *arg)
{
	struct pair *p = arg;
	char c;

	for (unsigned i = 0; i < SWAPS; i++) {
		char sent = (char)('a' + i);
		if (qt_write(p->to[1], &sent, 1) != 1 || qt_read(p->from[0], &c, 1) != 1 || c != sent)
			return 0;
	}
	qthread_incr(&pairs_done, 1);
	return 0;
}

/* --- lives ----------------------------------------------------------------------------------------------- */

/* One side of each pair may wait for ever for the other's turn on a proxy: so no fewer of these than pairs. */
static void choose_settings(uint64_t *random)
{
	static const unsigned timeouts[] = { 1, 30, 1000 };

	stress_set("QT_MAX_IO_WORKERS", PAIRS * 2 + stress_random(random, 5));
	stress_set("QT_IO_TIMEOUT", timeouts[stress_random(random, 3)]);
	stress_start(qti_scheds[stress_random(random, qti_nscheds)]->name,
		(struct stress_shape){ 1 + stress_random(random, 2), 1 + stress_random(random, 2) });
}

static void live(uint64_t *random, unsigned round)
{
	struct pair pairs[PAIRS];
	unsigned with_pairs = stress_random(random, 2) ? PAIRS : 0;

	choose_settings(random);
	if (!with_pairs) {
		qthread_finalize();
		choose_settings(random);
	}
	for (unsigned i = 0; i < with_pairs; i++) {
		if (pipe2(pairs[i].to, O_CLOEXEC) != 0 || pipe2(pairs[i].from, O_CLOEXEC) != 0)
			bail_out("no pipe");
		qthread_fork(answers, &pairs[i], NULL);
		qthread_fork(asks, &pairs[i], NULL);
	}
	for (unsigned i = 0; i < TASKS; i++)
		qthread_fork(wanders, (void *)(uintptr_t)(round * TASKS + i), NULL);
	for (unsigned i = stress_random(random, 4); i > 0; i--)
		wanders((void *)(uintptr_t)i), qthread_incr(&steps_done, -1), qt_end_blocking_action();
	qthread_finalize();
	for (unsigned i = 0; i < with_pairs; i++)
		for (unsigned end = 0; end < 2; end++) {
			close(pairs[i].to[end]);
			close(pairs[i].from[end]);
		}
	pairs_done += 2 * (PAIRS - with_pairs);
	stress_round();
}

int main(void)
{
	unsigned rounds = stress_rounds(ROUNDS), before = 0;
	uint64_t random = stress_state(UINT32_MAX);

	process_needs_proc();
	plan(3);
	stress_say(rounds);
	for (unsigned round = 0; round < rounds; round++) {
		stress_watch("a life");
		live(&random, round);
		if (round == 0)
			before = (unsigned)process_threads();
	}
	alarm(0);
	is_int(steps_done, rounds * TASKS, "every task comes to its end");
	is_int(pairs_done, rounds * 2 * PAIRS, "every question is answered");
	while (process_threads() > (int)before)
		sched_yield();
	ok(process_threads() <= (int)before, "no thread is left");
	return done();
}
