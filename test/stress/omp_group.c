/* test/stress/omp_group.c -- random trees of tasks and task groups: a group's end waits for all of its tasks, and for
 * them only.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks create tasks without waiting for them, open groups in groups, run some children undeferred, and leave some with
 * an event that a plain thread fulfils.  Each group counts its tasks by itself.  QTI_ROUNDS is the number of regions
 * (default 600).
 */
#include "omp/abi/gomp_parallel.h"
#include "omp/abi/gomp_tasking.h"
#include "omp/team/standing.h"
#include "stress.h"

enum { GROUPS_MOST = 200, TASKS_MOST = 600, DEPTH_MOST = 6, THREADS_MOST = 4 };

/* As the test counts: tasks in here and in the groups inside. */
struct group {
	struct group *outer;
	uint32_t unfinished;
};

static struct {
	struct group group[GROUPS_MOST];
	uint32_t groups, tasks, created, ended, early;
	uintptr_t open[TASKS_MOST];
	struct group *open_in[TASKS_MOST];
	uint32_t opened, fulfilled;
} run;

static bool over;

struct data {
	uintptr_t event;                /* GOMP_task writes it here */
	struct group *group;
	unsigned depth;
	uint64_t random;
	bool detached;
};

static void count(struct group *g, uint32_t by)
{
	for (; g; g = g->outer)
		add_acq_rel(&g->unfinished, by);
}

/* --- events ---------------------------------------------------------------------------------------------- */

static void open_event(struct data *d)
{
	uint32_t i = add_rlx(&run.opened, 1);

	run.open_in[i] = d->group;
	store_rel(&run.open[i], d->event);
}

static void *fulfil_all(void *unused)
{
	while (!load_acq(&over)) {
		uint32_t i = run.fulfilled;
		uintptr_t event = i < TASKS_MOST ? load_acq(&run.open[i]) : 0;
		if (!event) {
			sched_yield();
			continue;
		}
		run.fulfilled++;
		count(run.open_in[i], -1u);
		omp_fulfill_event(event);
	}
	return unused;
}

/* --- tasks ----------------------------------------------------------------------------------------------- */

static void live(struct data *d);

static void body(void *arg)
{
	struct data *d = arg;

	if (d->detached)
		open_event(d);
	live(d);
	add_rlx(&run.ended, 1);
	if (!d->detached)
		count(d->group, -1u);
}

static void create(struct data *parent)
{
	struct data d = { .group = parent->group, .depth = parent->depth + 1, .random = stress_state(parent->random) };
	bool deferred = stress_random(&parent->random, 6) != 0;
	void *handle;

	if (add_rlx(&run.tasks, 1) >= TASKS_MOST)
		return;
	d.detached = deferred && stress_random(&parent->random, 20) == 0;
	add_rlx(&run.created, 1);
	count(d.group, 1);
	GOMP_task(body, &d, NULL, sizeof(d), sizeof(void *), deferred, d.detached ? GOMP_TASK_DETACH : 0, NULL, 0, &handle);
}

static void open_group(struct data *d)
{
	uint32_t i = add_rlx(&run.groups, 1);
	struct group *outer = d->group;

	if (i >= GROUPS_MOST)
		return;
	d->group = &run.group[i];
	d->group->outer = outer;
	GOMP_taskgroup_start();
	live(d);
	GOMP_taskgroup_end();
	if (load_acq(&d->group->unfinished) != 0)
		add_rlx(&run.early, 1);
	d->group = outer;
}

static void live(struct data *d)
{
	if (d->depth > DEPTH_MOST)
		return;
	for (unsigned n = stress_random(&d->random, 6); n > 0; n--)
		switch (stress_random(&d->random, 8)) {
		case 0:
			d->depth++;
			open_group(d);
			d->depth--;
			break;
		case 1:
			GOMP_taskyield();
			break;
		case 2:
			stress_pause(stress_random(&d->random, 200));
			break;
		case 3:
			GOMP_taskwait();
			break;
		default:
			create(d);
			break;
		}
}

/* --- regions --------------------------------------------------------------------------------------------- */

static void member(void *arg)
{
	struct data d = { .random = stress_state(*(uint64_t *)arg + qomp_frame()->num) };

	for (unsigned i = 0; i < 3; i++)
		open_group(&d);
}

static void region(uint64_t *random)
{
	pthread_t thread;

	memset(&run, 0, sizeof(run));
	store_rel(&over, false);
	if (pthread_create(&thread, NULL, fulfil_all, NULL) != 0)
		bail_out("no thread");
	GOMP_parallel(member, random, 1 + stress_random(random, THREADS_MOST), 0);
	store_rel(&over, true);
	pthread_join(thread, NULL);
	stress_round();
}

int main(void)
{
	unsigned rounds = stress_rounds(600);
	uint64_t random = stress_state(0);
	uint32_t early = 0, lost = 0, tasks = 0;

	plan(2);
	stress_say(rounds);
	for (unsigned i = 0; i < rounds; i++) {
		stress_watch("a region");
		region(&random);
		early += run.early;
		lost += run.created != run.ended;
		tasks += run.created;
	}
	is_int(early, 0, "no group ends before its tasks");
	is_int(lost, 0, "each of %u tasks has run when its region ends", tasks);
	return done();
}
