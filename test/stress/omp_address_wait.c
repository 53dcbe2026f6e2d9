/* test/stress/omp_address_wait.c -- by its address: tokens go round among tasks and threads that sleep on words, and
 * none is lost.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS is the number of times that the ring's token goes round (default 2000).
 */
#include "omp/abi/gomp_parallel.h"
#include "omp/team/address_wait.h"
#include "omp/team/standing.h"
#include "stress.h"

enum { MEMBERS = 4, THREADS = 2, RING = MEMBERS + THREADS };

static uint32_t word[RING];     /* whose number of turns has come */
static unsigned rounds;

static void take_turns(unsigned me)
{
	for (uint32_t turn = 0; turn < rounds; turn++) {
		if (me == 0)
			stress_watch("a turn");
		while (load_acq(&word[me]) == turn)
			qomp_address_wait(&word[me], turn);
		if (me + 1 < RING || turn + 1 < rounds)
			qomp_address_set(&word[(me + 1) % RING], me + 1 < RING ? turn + 1 : turn + 2);
	}
}

static void member(void *unused)
{
	(void)unused;
	take_turns(qomp_frame()->num);
}

static void *outsider(void *arg)
{
	take_turns(*(unsigned *)arg);
	return NULL;
}

/* Before the library reads it, which it does at the program's start: fewer members would wait for those that lack. */
__attribute__((constructor(101))) static void set_size(void)
{
	setenv("OMP_DYNAMIC", "false", 1);
}

int main(void)
{
	unsigned number[THREADS];
	pthread_t thread[THREADS];
	bool all = true;

	rounds = stress_rounds(2000);
	plan(1);
	stress_say(rounds);
	for (unsigned i = 0; i < THREADS; i++) {
		number[i] = MEMBERS + i;
		if (pthread_create(&thread[i], NULL, outsider, &number[i]) != 0)
			bail_out("no thread");
	}
	qomp_address_set(&word[0], 1);
	GOMP_parallel(member, NULL, MEMBERS, 0);
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	stress_round();
	for (unsigned i = 0; i < RING; i++)
		all = all && word[i] == rounds;
	ok(all, "each had each of its turns");
	return done();
}
