/* test/stress/barrier.c -- barriers of all sizes, met by tasks and external threads in every mixture.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS counts barriers for each scheduler and shape.  Participants dawdle by chance, so that some find the round
 * over at every point on their way to sleep.  The last out, or the first, destroys the barrier: the next one is in its
 * memory while others may still be on their way out.
 */
#include "stress/stress.h"

#include <qthread.h>
#include <qthread/barrier.h>

#include <pthread.h>

enum { ROUNDS = 60, INSIDE_MAX = 90, OUTSIDE_MAX = 3, PASSES_MAX = 12 };

struct party {
	qt_barrier_t *barrier;
	unsigned n, groups, passes;
	bool crowded;                   /* more want in than there is room for: no telling who meets whom */
	aligned_t entered, early, out;
};

struct guest {
	struct party *party;
	uint64_t dice;
};

static void dawdle(uint64_t *dice)
{
	switch (stress_random(dice, 8)) {
	case 0:
		qthread_yield();
		break;
	case 1:
		stress_pause(stress_random(dice, 200));
		break;
	case 2:
		stress_pause(stress_random(dice, 3000));
		break;
	case 3:
		sched_yield();
		break;
	default:
		break;
	}
}

static void attend(struct guest *g)
{
	struct party *p = g->party;
	qt_barrier_t *b = p->barrier;
	const unsigned all = p->n * p->groups;

	for (unsigned i = 1; i <= p->passes; i++) {
		dawdle(&g->dice);
		add_acq_rel(&p->entered, 1);
		qt_barrier_enter(b);
		if (load_acq(&p->entered) < (p->crowded ? p->n : (aligned_t)p->n * i))
			add_acq_rel(&p->early, 1);
	}
	/* Alone, the first to come out may destroy the barrier; a crowd's rounds go on until the last is through. */
	const aligned_t turn = p->crowded ? all - 1 : 0;
	if (add_acq_rel(&p->out, 1) == turn)
		qt_barrier_destroy(b);
}

static aligned_t attend_as_task(void *arg)
{
	attend(arg);
	return 0;
}

static void *attend_as_thread(void *arg)
{
	attend(arg);
	return NULL;
}

/* Returns how many came out too early. */
static unsigned give_party(uint64_t *dice)
{
	static struct guest guest[INSIDE_MAX + OUTSIDE_MAX];
	static aligned_t ret[INSIDE_MAX];
	pthread_t thread[OUTSIDE_MAX];
	struct party p = { .groups = stress_random(dice, 4) ? 1 : 1 + stress_random(dice, 3) };
	const unsigned small = stress_random(dice, 2) ? 6 : INSIDE_MAX / 3;
	unsigned outside = stress_random(dice, 3) ? 0 : 1 + stress_random(dice, OUTSIDE_MAX);

	p.n = 1 + stress_random(dice, small);
	p.crowded = p.groups > 1;
	p.passes = p.crowded ? 1 : 1 + stress_random(dice, PASSES_MAX); /* else the last might lack partners */
	const unsigned all = p.n * p.groups;
	if (outside > all)
		outside = all;
	p.barrier = qt_barrier_create(p.n, REGION_BARRIER);
	for (unsigned i = 0; i < all; i++)
		guest[i] = (struct guest){ &p, stress_state(*dice + i) };
	for (unsigned i = 0; i < outside; i++)
		if (pthread_create(&thread[i], NULL, attend_as_thread, &guest[i]) != 0)
			bail_out("pthread_create failed");
	for (unsigned i = outside; i < all; i++)
		qthread_fork(attend_as_task, &guest[i], &ret[i - outside]);
	for (unsigned i = outside; i < all; i++)
		qthread_readFF(NULL, &ret[i - outside]);
	for (unsigned i = 0; i < outside; i++)
		pthread_join(thread[i], NULL);
	stress_round();
	return (unsigned)p.early;
}

static const struct stress_shape shapes[] = { { 1, 1 }, { 1, 2 }, { 2, 1 }, { 2, 2 }, { 1, 6 } };
enum { NSHAPES = sizeof(shapes) / sizeof(shapes[0]) };

int main(void)
{
	const unsigned rounds = stress_rounds(ROUNDS);
	uint64_t dice = stress_state(0);

	plan(qti_nscheds * NSHAPES);
	stress_say(rounds);
	for (unsigned s = 0; s < qti_nscheds; s++) {
		for (unsigned i = 0; i < NSHAPES; i++) {
			unsigned early = 0;
			stress_watch(qti_scheds[s]->name);
			stress_start(qti_scheds[s]->name, shapes[i]);
			for (unsigned r = 0; r < rounds; r++)
				early += give_party(&dice);
			qthread_finalize();
			is_int(early, 0, "%s %u x %u: %u barriers: nobody passes early, everybody passes",
				qti_scheds[s]->name, shapes[i].shepherds, shapes[i].workers, rounds);
		}
	}
	return done();
}
