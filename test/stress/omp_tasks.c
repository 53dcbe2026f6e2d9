/* test/stress/omp_tasks.c -- random trees of tasks: taskwait waits for children, a barrier for all, and none is lost,
 * run twice or moved once it has started.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Parents end before their children or wait for them, tasks are large, small, undeferred or final, and teams have from
 * one to more members than there are workers.  QTI_ROUNDS is the number of regions (default 400).
 */
#include "omp/abi/gomp_parallel.h"
#include "omp/abi/gomp_tasking.h"
#include "omp/team/standing.h"
#include "stress.h"

enum { SIZE_MOST = 5, WIDTH_MOST = 7, TASKS_MOST = 3000, LARGE = 300 };

static uint32_t created, ended, children_left, barriers_early, moved, mangled;

struct data {
	uint32_t *siblings;             /* unfinished children of the parent, if it waits for them; else NULL */
	uint64_t random;
	unsigned depth;
	unsigned char fill[LARGE];
	unsigned size;                  /* of fill, that was passed on */
};

static void grow(unsigned depth, uint64_t *random);

static void body(void *arg)
{
	struct data *d = arg;
	pthread_t thread = pthread_self();
	struct qomp_frame *f = qomp_frame();

	for (unsigned i = 0; i < d->size; i++)
		if (d->fill[i] != (unsigned char)(d->depth + i))
			add_rlx(&mangled, 1);
	uint32_t *siblings = d->siblings;
	grow(d->depth, &d->random);
	if (!pthread_equal(thread, pthread_self()) || qomp_frame() != f)
		add_rlx(&moved, 1);
	add_rlx(&ended, 1);
	if (siblings)
		sub_acq_rel(siblings, 1);
}

static void copy(void *to, void *from)
{
	memcpy(to, from, sizeof(struct data));
}

static void create(unsigned depth, uint32_t *siblings, uint64_t *random)
{
	struct data d = { .siblings = siblings, .random = stress_state(*random), .depth = depth };

	if (add_rlx(&created, 1) % TASKS_MOST == TASKS_MOST - 1)
		depth = d.depth = 100;
	if (siblings)
		add_rlx(siblings, 1);
	d.size = stress_random(random, 2) ? LARGE : 0;
	for (unsigned i = 0; i < d.size; i++)
		d.fill[i] = (unsigned char)(depth + i);
	GOMP_task(body, &d, stress_random(random, 2) ? copy : NULL, sizeof(d), stress_random(random, 4) ? 8 : 64,
	          stress_random(random, 6) != 0, stress_random(random, 12) ? 0 : GOMP_TASK_FINAL, NULL, 0, NULL);
}

static void grow(unsigned depth, uint64_t *random)
{
	bool waits = stress_random(random, 3) != 0;
	uint32_t unfinished = 0;

	if (depth > 5)
		return;
	for (unsigned n = stress_random(random, WIDTH_MOST - depth); n > 0; n--) {
		create(depth + 1, waits ? &unfinished : NULL, random);
		if (stress_random(random, 10) == 0)
			stress_pause(stress_random(random, 300));
		if (stress_random(random, 10) == 0)
			GOMP_taskyield();
	}
	if (!waits)
		return;
	GOMP_taskwait();
	if (load_acq(&unfinished) != 0)
		add_rlx(&children_left, 1);
}

static void member(void *arg)
{
	uint64_t random = stress_state(*(uint64_t *)arg + qomp_frame()->num);

	for (unsigned i = 0; i < 3; i++) {
		grow(0, &random);
		GOMP_barrier();
		if (load_acq(&ended) != load_acq(&created))
			add_rlx(&barriers_early, 1);
		GOMP_barrier();
	}
	grow(0, &random);
}

int main(void)
{
	unsigned rounds = stress_rounds(400);
	uint64_t random = stress_state(0);
	uint32_t regions_early = 0;

	plan(5);
	stress_say(rounds);
	for (unsigned i = 0; i < rounds; i++) {
		stress_watch("a region");
		GOMP_parallel(member, &random, 1 + stress_random(&random, SIZE_MOST), 0);
		regions_early += created != ended;
		stress_round();
	}
	is_int(regions_early, 0, "each of %u tasks has run once when its region ends", created);
	is_int(barriers_early, 0, "and when a barrier opens");
	is_int(children_left, 0, "taskwait waits for the children");
	is_int(moved, 0, "a task stays on its thread, in its frame");
	is_int(mangled, 0, "a task finds its data as they were");
	return done();
}
