/* test/stress/omp_region.c -- random regions, one after another and in each other, met by several threads: each member
 * runs once, on a thread of its own, and no barrier opens early.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS is the number of outermost regions of each thread (default 400).
 */
#include "omp/abi/gomp_parallel.h"
#include "omp/team/region.h"
#include "omp/team/standing.h"
#include "stress.h"

enum { MASTERS = 3, SIZE_MOST = 6, BARRIERS_MOST = 4, DEPTH_MOST = 3 };

struct region {
	uint32_t ran[SIZE_MOST];
	uint32_t here[BARRIERS_MOST];   /* members that have come to that barrier */
	pthread_t thread[SIZE_MOST];
	unsigned barriers, depth;
	uint64_t random;
};

static uint32_t twice, early, shared_thread, wrong_frame;

static void meet(unsigned depth, uint64_t *random);

static void member(void *arg)
{
	struct region *r = arg;
	struct qomp_frame *f = qomp_frame();
	uint64_t random = stress_state(r->random + f->num);

	add_rlx(&r->ran[f->num], 1);
	r->thread[f->num] = pthread_self();
	for (unsigned i = 0; i < r->barriers; i++) {
		stress_pause(stress_random(&random, 300));
		if (r->depth < DEPTH_MOST && stress_random(&random, 8) == 0)
			meet(r->depth + 1, &random);
		add_rlx(&r->here[i], 1);
		GOMP_barrier();
		if (load_acq(&r->here[i]) != f->team->n)
			add_rlx(&early, 1);
		if (qomp_frame() != f || !pthread_equal(r->thread[f->num], pthread_self()))
			add_rlx(&wrong_frame, 1);
	}
}

static void check(const struct region *r, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (r->ran[i] != 1)
			add_rlx(&twice, 1);
		for (unsigned j = 0; r->depth == 0 && j < i; j++)
			if (pthread_equal(r->thread[i], r->thread[j]))
				add_rlx(&shared_thread, 1);
	}
}

static void meet(unsigned depth, uint64_t *random)
{
	struct region r = { .barriers = stress_random(random, BARRIERS_MOST), .depth = depth, .random = *random };
	unsigned asked = 1 + stress_random(random, SIZE_MOST);
	unsigned n = qomp_region_size(qomp_frame(), asked);

	GOMP_parallel(member, &r, asked, 0);
	check(&r, n);
}

static uint64_t seed[MASTERS];

static bool is_main(const uint64_t *s)
{
	return s == &seed[0];
}

static void *master(void *arg)
{
	uint64_t random = stress_state(*(uint64_t *)arg);
	unsigned rounds = stress_rounds(400);

	for (unsigned i = 0; i < rounds; i++) {
		if (is_main(arg))
			stress_watch("a region");
		meet(0, &random);
		stress_round();
	}
	return NULL;
}

/* Before the library reads it, which it does at the program's start. */
__attribute__((constructor(101))) static void set_levels(void)
{
	setenv("OMP_MAX_ACTIVE_LEVELS", "3", 1);
}

int main(void)
{
	pthread_t thread[MASTERS];

	plan(4);
	stress_say(stress_rounds(400));
	for (unsigned i = 0; i < MASTERS; i++)
		seed[i] = i;
	for (unsigned i = 1; i < MASTERS; i++)
		if (pthread_create(&thread[i], NULL, master, &seed[i]) != 0)
			bail_out("no thread");
	master(&seed[0]);
	for (unsigned i = 1; i < MASTERS; i++)
		pthread_join(thread[i], NULL);
	is_int(twice, 0, "each member runs once");
	is_int(early, 0, "no barrier opens before all are there");
	is_int(shared_thread, 0, "members of an outermost region have a thread each");
	is_int(wrong_frame, 0, "a member stays on its thread, in its frame");
	return done();
}
