/* test/stress/omp_tree.c -- barriers along a tree: none opens before all members are there and all tasks have ended,
 * and none is slept through.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Teams have from two to more members than there are workers, and may sleep at once or look for long.  Members come
 * at odd times, leave tasks behind that create tasks, some of which end where a thread of the program says so, meet
 * inner regions, or cancel their own.  QTI_ROUNDS is the number of regions of each of two threads (default 150).
 */
#include "omp/abi/gomp_parallel.h"
#include "omp/abi/gomp_tasking.h"
#include "omp/env/icv.h"
#include "omp/team/patience.h"
#include "omp/team/standing.h"
#include "omp/team/team.h"
#include "stress.h"

enum { SIZE_MOST = 9, BARRIERS_MOST = 6, TASK_DEPTH = 4, CANCEL_PARALLEL = 1, LATE = 8000 };

struct region {
	uint32_t here[BARRIERS_MOST];   /* members that have come to that barrier */
	uint32_t created, ended;        /* tasks */
	unsigned barriers;
	bool cancels, inner;
	uint64_t random;
};

struct work {
	struct region *r;
	uint64_t random;
	unsigned depth;
};

static uint32_t central, early, tasks_left, cancelled_late;

/* --- a thread that knows no OpenMP and ends tasks --------------------------------------------------------- */

struct detached {
	struct region *r;
	uintptr_t event;
};

static struct detached *box;            /* one that waits for it; NULL: none */
static bool over;

static void end_detached(struct detached *d)
{
	struct region *r = d->r;
	uintptr_t event = d->event;

	free(d);
	add_rlx(&r->ended, 1);
	omp_fulfill_event(event);
}

static void *ender(void *unused)
{
	uint64_t random = stress_state(77);

	while (!load_acq(&over)) {
		struct detached *d = swap_acq_rel(&box, NULL);
		stress_pause(stress_random(&random, 3000));
		if (d)
			end_detached(d);
		else
			sched_yield();
	}
	return unused;
}

static void nothing(void *unused)
{
	(void)unused;
}

static void leave_detached(struct region *r)
{
	struct detached *d = malloc(sizeof(*d));
	void *event;

	if (!d)
		bail_out("no memory");
	add_rlx(&r->created, 1);
	GOMP_task(nothing, NULL, NULL, 0, 1, true, GOMP_TASK_DETACH, NULL, 0, &event);
	*d = (struct detached){ .r = r, .event = (uintptr_t)event };
	d = swap_acq_rel(&box, d);
	if (d)
		end_detached(d);
}

/* --- tasks ----------------------------------------------------------------------------------------------- */

static void leave_tasks(struct region *r, unsigned depth, uint64_t *random);

static void task(void *arg)
{
	struct work *w = arg;
	struct region *r = w->r;

	stress_pause(stress_random(&w->random, stress_random(&w->random, 30) ? 200 : 20000));
	leave_tasks(r, w->depth, &w->random);
	add_rlx(&r->ended, 1);
}

static void leave_tasks(struct region *r, unsigned depth, uint64_t *random)
{
	for (unsigned n = depth < TASK_DEPTH ? stress_random(random, 4) : 0; n > 0; n--) {
		struct work w = { .r = r, .random = stress_state(*random + n), .depth = depth + 1 };

		add_rlx(&r->created, 1);
		GOMP_task(task, &w, NULL, sizeof(w), _Alignof(struct work), true, 0, NULL, 0, NULL);
	}
	if (stress_random(random, 16) == 0)
		leave_detached(r);
}

/* --- regions --------------------------------------------------------------------------------------------- */

static void meet(unsigned depth, uint64_t *random);

/* Where one cancels tasks may be discarded, so there are none. */
static void member_cancels(struct region *r, uint64_t *random)
{
	for (unsigned i = 0; i < r->barriers; i++) {
		stress_pause(stress_random(random, 300));
		if (stress_random(random, 12) == 0 && GOMP_cancel(CANCEL_PARALLEL, true))
			return;
		add_rlx(&r->here[i], 1);
		if (GOMP_barrier_cancel()) {
			if (!GOMP_cancellation_point(CANCEL_PARALLEL))
				add_rlx(&cancelled_late, 1);
			return;
		}
		if (load_acq(&r->here[i]) != qomp_frame()->team->n)
			add_rlx(&early, 1);
	}
}

/* Nobody leaves more before all have looked. */
static void barrier_after_tasks(struct region *r)
{
	GOMP_barrier();
	if (load_acq(&r->ended) != load_acq(&r->created))
		add_rlx(&tasks_left, 1);
	GOMP_barrier();
}

static void member_works(struct region *r, uint64_t *random)
{
	unsigned n = qomp_frame()->team->n;

	for (unsigned i = 0; i < r->barriers; i++) {
		stress_pause(stress_random(random, 300));
		if (stress_random(random, 40) == 0)
			stress_pause(stress_random(random, LATE));
		if (stress_random(random, 3) == 0)
			leave_tasks(r, 0, random);
		if (!r->inner && stress_random(random, 12) == 0)
			meet(1, random);
		add_rlx(&r->here[i], 1);
		GOMP_barrier();
		if (load_acq(&r->here[i]) != n)
			add_rlx(&early, 1);
		if (r->random >> i & 1)
			barrier_after_tasks(r);
	}
	leave_tasks(r, 2, random);
}

static void member(void *arg)
{
	struct region *r = arg;
	struct qomp_frame *f = qomp_frame();
	uint64_t random = stress_state(r->random + f->num);

	if (f->team->n > 1 && !f->team->is_tree)
		add_rlx(&central, 1);
	if (r->cancels)
		member_cancels(r, &random);
	else
		member_works(r, &random);
}

static void meet(unsigned depth, uint64_t *random)
{
	struct region r = { .barriers = stress_random(random, BARRIERS_MOST), .inner = depth > 0, .random = *random };

	r.cancels = stress_random(random, 5) == 0;
	GOMP_parallel(member, &r, 2 + stress_random(random, depth ? 3 : SIZE_MOST - 1), 0);
	if (!r.cancels && load_acq(&r.ended) != r.created)
		add_rlx(&tasks_left, 1);
}

static void *other_master(void *arg)
{
	uint64_t random = stress_state(*(unsigned *)arg);

	for (unsigned i = stress_rounds(150); i > 0; i--) {
		meet(0, &random);
		stress_round();
	}
	return NULL;
}

/* How patient members are changes now and then. */
static void main_master(void)
{
	uint64_t random = stress_state(1);

	for (unsigned i = stress_rounds(150); i > 0; i--) {
		stress_watch("a region");
		if (i % 16 == 0) {
			bool passive = stress_random(&random, 2);
			qomp_settings.patience = passive ? QOMP_PATIENCE_PASSIVE : QOMP_PATIENCE_UNSET;
			qomp_patience_set();
		}
		meet(0, &random);
		stress_round();
	}
}

/* Before the library reads them, which it does at the program's start. */
__attribute__((constructor(101))) static void set_up(void)
{
	setenv("QT_BARRIER", "tree", 1);
	setenv("OMP_CANCELLATION", "true", 1);
	setenv("OMP_MAX_ACTIVE_LEVELS", "2", 1);
}

int main(void)
{
	unsigned stream = 2;
	pthread_t master, end;

	plan(4);
	stress_say(stress_rounds(150));
	if (pthread_create(&end, NULL, ender, NULL) != 0 || pthread_create(&master, NULL, other_master, &stream) != 0)
		bail_out("no thread");
	main_master();
	pthread_join(master, NULL);
	store_rel(&over, true);
	pthread_join(end, NULL);
	is_int(central, 0, "the members of all teams meet along a tree");
	is_int(early, 0, "no barrier opens before all are there");
	is_int(tasks_left, 0, "nor before all tasks have ended, those included that others end");
	is_int(cancelled_late, 0, "who need not wait is in a region that was cancelled");
	return done();
}
