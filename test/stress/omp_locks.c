/* test/stress/omp_locks.c -- members and explicit tasks of two regions at once that contend for every kind of lock.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS counts regions for each of two threads that meet regions at the same time.  What a lock guards is plain
 * variables, which tell ThreadSanitizer, too: who has it, and how often it was had.  Some who have a lock take another,
 * of higher number; some take a nestable one again and again.
 */
#include "omp/abi/gomp_critical.h"
#include "omp/abi/gomp_parallel.h"
#include "omp/abi/gomp_tasking.h"
#include "stress/stress.h"

#include <pthread.h>

enum { ROUNDS = 100, THREADS_MAX = 6, STEPS_MAX = 60, LOCKS = 3, DEPTH_MAX = 5 };

/* As <omp.h>, which belongs to the compiler, declares them. */
extern int omp_get_thread_num(void);
extern void omp_init_lock(uint32_t *), omp_set_lock(uint32_t *), omp_unset_lock(uint32_t *), omp_destroy_lock(uint32_t *);
extern int omp_test_lock(uint32_t *);
extern void omp_init_nest_lock(uint64_t *), omp_set_nest_lock(uint64_t *), omp_unset_nest_lock(uint64_t *);
extern int omp_test_nest_lock(uint64_t *);

/* What a lock guards. */
struct guarded {
	const void *holder;
	uint64_t times;
};

static struct {
	uint32_t lock;
	struct guarded g;
} plain[LOCKS];

static struct {
	uint64_t lock;
	struct guarded g;
} nest[LOCKS];

static struct {
	void *name;
	struct guarded g;
} named[LOCKS];

static struct guarded unnamed, atomic;
static uint64_t expected, wrong;        /* atomics: how often a lock was had, and what went wrong */

/* A member or an explicit task, which is what owns a lock. */
struct actor {
	uint64_t dice;
	unsigned steps;
	bool spawns;
};

static void check(bool good)
{
	if (!good)
		add_rlx(&wrong, 1);
}

static void dawdle(struct actor *a)
{
	switch (stress_random(&a->dice, 150)) {
	case 0:
		sched_yield();
		break;
	case 1:
		stress_pause(stress_random(&a->dice, 2000));
		break;
	default:
		break;
	}
}

static void enter(struct actor *a, struct guarded *g)
{
	check(g->holder == NULL);
	g->holder = a;
	g->times++;
	add_rlx(&expected, 1);
	dawdle(a);
}

static void leave(struct actor *a, struct guarded *g)
{
	check(g->holder == a);
	g->holder = NULL;
}

/* --- what an actor does ---------------------------------------------------------------------------------- */

static void use_plain(struct actor *a, unsigned from)
{
	unsigned i = from + stress_random(&a->dice, LOCKS - from);

	omp_set_lock(&plain[i].lock);
	enter(a, &plain[i].g);
	check(!omp_test_lock(&plain[i].lock));
	if (i + 1 < LOCKS && stress_random(&a->dice, 3) == 0)
		use_plain(a, i + 1);
	leave(a, &plain[i].g);
	omp_unset_lock(&plain[i].lock);
}

static void try_plain(struct actor *a)
{
	unsigned i = stress_random(&a->dice, LOCKS);

	if (!omp_test_lock(&plain[i].lock))
		return;
	enter(a, &plain[i].g);
	leave(a, &plain[i].g);
	omp_unset_lock(&plain[i].lock);
}

static void use_nest(struct actor *a, bool tries)
{
	unsigned i = stress_random(&a->dice, LOCKS), depth = 1 + stress_random(&a->dice, DEPTH_MAX);

	if (!tries)
		omp_set_nest_lock(&nest[i].lock);
	else if (omp_test_nest_lock(&nest[i].lock) == 0)
		return;
	enter(a, &nest[i].g);
	for (unsigned had = 1; had < depth; had++) {
		if (stress_random(&a->dice, 2))
			omp_set_nest_lock(&nest[i].lock);
		else
			check(omp_test_nest_lock(&nest[i].lock) == (int)had + 1);
	}
	for (unsigned had = depth; had > 1; had--) {
		omp_unset_nest_lock(&nest[i].lock);
		check(nest[i].g.holder == a);
	}
	leave(a, &nest[i].g);
	omp_unset_nest_lock(&nest[i].lock);
}

static void use_critical(struct actor *a)
{
	unsigned i = stress_random(&a->dice, LOCKS);

	GOMP_critical_name_start(&named[i].name);
	enter(a, &named[i].g);
	leave(a, &named[i].g);
	GOMP_critical_name_end(&named[i].name);
	GOMP_critical_start();
	enter(a, &unnamed);
	leave(a, &unnamed);
	GOMP_critical_end();
}

static void use_atomic(struct actor *a)
{
	GOMP_atomic_start();
	enter(a, &atomic);
	leave(a, &atomic);
	GOMP_atomic_end();
}

static void act(void *arg);

static void spawn(struct actor *a)
{
	struct actor child = { .dice = a->dice ^ UINT64_C(0x5851f42d4c957f2d), .steps = 1 + stress_random(&a->dice, 8) };

	child.dice += !child.dice;
	GOMP_task(act, &child, NULL, sizeof(child), _Alignof(struct actor), true, 0, NULL, 0, NULL);
}

static void act(void *arg)
{
	struct actor *a = arg;

	for (unsigned i = 0; i < a->steps; i++) {
		switch (stress_random(&a->dice, a->spawns ? 8 : 6)) {
		case 0:
			use_plain(a, 0);
			break;
		case 1:
			try_plain(a);
			break;
		case 2:
		case 3:
			use_nest(a, stress_random(&a->dice, 3) == 0);
			break;
		case 4:
			use_critical(a);
			break;
		case 5:
			use_atomic(a);
			break;
		case 6:
			GOMP_taskwait();
			break;
		default:
			spawn(a);
			break;
		}
	}
}

/* --- regions --------------------------------------------------------------------------------------------- */

static void run_member(void *arg)
{
	const uint64_t *seed = arg;
	struct actor a = { .dice = stress_state(*seed + (unsigned)omp_get_thread_num()), .spawns = true };

	a.steps = 1 + stress_random(&a.dice, STEPS_MAX);
	act(&a);
}

static void *run_regions(void *arg)
{
	uint64_t dice = stress_state(*(unsigned *)arg);

	for (unsigned i = stress_rounds(ROUNDS); i > 0; i--) {
		uint64_t seed = stress_random(&dice, UINT32_MAX);
		GOMP_parallel(run_member, &seed, 1 + stress_random(&dice, THREADS_MAX), 0);
		stress_round();
	}
	return NULL;
}

static uint64_t times(void)
{
	uint64_t n = unnamed.times + atomic.times;

	for (unsigned i = 0; i < LOCKS; i++)
		n += plain[i].g.times + nest[i].g.times + named[i].g.times;
	return n;
}

static bool all_free(void)
{
	bool free = true;

	for (unsigned i = 0; i < LOCKS; i++) {
		free = free && plain[i].lock == 0 && nest[i].lock == 0 && named[i].name == NULL;
		omp_destroy_lock(&plain[i].lock);
	}
	return free;
}

int main(void)
{
	unsigned stream[2] = { 1, 2 };
	pthread_t other;

	plan(3);
	stress_say(stress_rounds(ROUNDS));
	stress_watch("locks");
	for (unsigned i = 0; i < LOCKS; i++) {
		omp_init_lock(&plain[i].lock);
		omp_init_nest_lock(&nest[i].lock);
	}
	if (pthread_create(&other, NULL, run_regions, &stream[1]) != 0)
		bail_out("no thread");
	run_regions(&stream[0]);
	pthread_join(other, NULL);
	is_int(load_rlx(&wrong), 0, "whoever has a lock has it alone, and knows how often");
	is_int(times(), load_rlx(&expected), "and sees what those did who had it before");
	ok(all_free(), "in the end all are free, and nobody is said to wait");
	return done();
}
