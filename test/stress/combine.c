/* test/stress/combine.c -- threads that combine on several objects: each request happens once, and alone (CB1 to CB3).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS counts requests of each thread.
 */
#include "base/combine.h"
#include "stress/stress.h"

#include <pthread.h>

enum { ROUNDS = 20000, OBJECTS = 3, THREADS_MAX = 4, WORDS = 4 };

static unsigned rounds;

/* --- plain words behind combiners ------------------------------------------------------------------------ */

static struct object {
	struct qti_combine combine QTI_ALIGNED_LINE;
	uint64_t word[WORDS] QTI_ALIGNED_LINE;  /* all alike between two requests */
	bool torn;
} object[OBJECTS];
static struct qti_combine_node node[OBJECTS + THREADS_MAX];
static unsigned nthreads, most;

/* What the asking thread has written just before, in the middle of its own memory. */
struct letter {
	uint64_t add, before;
};

static void *add_to_all(void *arg, void *letter)
{
	struct object *o = arg;
	struct letter *l = letter;

	l->before = o->word[0];
	for (unsigned i = 0; i < WORDS; i++) {
		o->torn |= o->word[i] != l->before;
		o->word[i] += l->add;
	}
	return (void *)(uintptr_t)o->word[WORDS - 1];
}

struct share {
	unsigned number;
	uint64_t added[OBJECTS];
	unsigned wrong;
};

static void *request_often(void *arg)
{
	struct share *mine = arg;
	struct qti_combine_node *spare = &node[OBJECTS + mine->number];
	uint64_t random = stress_state(mine->number), last[OBJECTS] = { 0 };

	for (unsigned i = 0; i < rounds; i++) {
		unsigned which = stress_random(&random, 2) ? stress_random(&random, OBJECTS) : 0;
		struct letter l = { .add = 1 + stress_random(&random, 100), .before = 0 };
		void *answer = qti_combine(&object[which].combine, &spare, add_to_all, &object[which], &l, most);
		mine->wrong += (uintptr_t)answer != l.before + l.add || l.before < last[which];
		last[which] = l.before + l.add;
		mine->added[which] += l.add;
		if (stress_random(&random, 512) == 0)
			sched_yield();
		else
			stress_pause(stress_random(&random, 30));
	}
	return NULL;
}

static void on_objects(unsigned threads, unsigned serves)
{
	pthread_t thread[THREADS_MAX];
	struct share share[THREADS_MAX];
	uint64_t added[OBJECTS] = { 0 };
	unsigned wrong = 0;

	stress_watch("objects");
	nthreads = threads;
	most = serves;
	memset(object, 0, sizeof(object));
	memset(share, 0, sizeof(share));
	for (unsigned i = 0; i < OBJECTS; i++)
		qti_combine_init(&object[i].combine, &node[i]);
	for (unsigned i = 0; i < nthreads; i++) {
		share[i].number = i;
		if (pthread_create(&thread[i], NULL, request_often, &share[i]) != 0)
			bail_out("pthread_create failed");
	}
	for (unsigned i = 0; i < nthreads; i++) {
		pthread_join(thread[i], NULL);
		wrong += share[i].wrong;
		for (unsigned j = 0; j < OBJECTS; j++)
			added[j] += share[i].added[j];
	}
	for (unsigned i = 0; i < OBJECTS; i++)
		wrong += object[i].torn || object[i].word[0] != added[i];
	is_int(wrong, 0, "%u threads, %u at a time: each of %u requests happens once and alone", nthreads, most,
		nthreads * rounds);
	stress_round();
}

int main(void)
{
	rounds = stress_rounds(ROUNDS);
	plan(4);
	stress_say(rounds);
	on_objects(2, 1);
	on_objects(2, 16);
	on_objects(4, 3);
	on_objects(4, 64);
	return done();
}
