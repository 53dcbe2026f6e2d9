/* test/stress/omp_parts.c -- dynamic loops in parts: chains of them, with bodies of any length, in teams of any size.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS counts regions for each of two threads that meet regions at the same time.  A region is a chain of dynamic
 * loops, most of them without a barrier, as gcc and clang begin them; some begin with the region.  Members come late,
 * and iterations take long, by chance; in some an inner region of other size runs loops of its own.  Every iteration is
 * to run once.  Then the same where loops are cancelled by chance: none runs twice, and all do of those that were not.
 *
 * What lies behind the words of a team's members is other people's memory: that there is one for each is looked at, in
 * a team that grows.
 */
#include "omp/abi/gomp_parallel.h"
#include "omp/abi/gomp_share.h"
#include "omp/abi/gomp_tasking.h"
#include "omp/abi/kmpc_loop.h"
#include "omp/abi/kmpc_schedule.h"
#include "omp/env/icv.h"
#include "omp/work/loop.h"
#include "stress/stress.h"

#include <pthread.h>

enum { ROUNDS = 250, THREADS_MAX = 8, LOOPS_MAX = 20, MOST = 400, INNER = 60, CANCEL_LOOP = 2 };

/* As <omp.h>, which belongs to the compiler, declares it. */
extern int omp_get_thread_num(void);

struct loop {
	unsigned count, chunk;
	unsigned form;
	bool waits;                     /* at its end */
	uint32_t cancelled;
	uint32_t ran[MOST];
};

struct region {
	uint64_t seed;
	unsigned loops, threads, slow;  /* one iteration in so many */
	bool cancels;
	uint32_t wrong;
	struct loop loop[LOOPS_MAX];
};

static struct region *new_region(void)
{
	struct region *r = malloc(sizeof(*r));

	if (!r)
		bail_out("out of memory");
	return r;
}

/* --- inside ---------------------------------------------------------------------------------------------- */

struct inner {
	uint32_t ran[INNER];
};

static void run_inner(void *arg)
{
	struct inner *in = arg;
	long from, to;

	for (bool some = GOMP_loop_nonmonotonic_dynamic_start(0, INNER, 1, 1, &from, &to); some;
	     some = GOMP_loop_nonmonotonic_dynamic_next(&from, &to))
		for (long i = from; i < to; i++)
			add_rlx(&in->ran[i], 1);
	GOMP_loop_end_nowait();
}

static void inner_region(struct region *r, unsigned threads)
{
	struct inner in;

	memset(&in, 0, sizeof(in));
	GOMP_parallel(run_inner, &in, threads, 0);
	for (unsigned i = 0; i < INNER; i++)
		if (in.ran[i] != 1)
			add_rlx(&r->wrong, 1);
}

/* --- loops ----------------------------------------------------------------------------------------------- */

static void dawdle(struct region *r, uint64_t *dice)
{
	if (stress_random(dice, r->slow) == 0)
		stress_pause(stress_random(dice, 3000));
	else if (stress_random(dice, 200) == 0)
		sched_yield();
	else if (!r->cancels && stress_random(dice, 2000) == 0)
		inner_region(r, 1 + stress_random(dice, 4));
}

static void ran(struct region *r, struct loop *l, uint64_t i, uint64_t *dice)
{
	if (i < MOST)
		add_rlx(&l->ran[i], 1);
	else
		add_rlx(&r->wrong, 1);
	dawdle(r, dice);
}

/* True: the member is to leave the loop. */
static bool cancel(struct region *r, struct loop *l, uint64_t *dice)
{
	if (!r->cancels || stress_random(dice, 300) != 0)
		return false;
	store_rlx(&l->cancelled, 1);
	return GOMP_cancel(CANCEL_LOOP, true);
}

static void loop_end(struct region *r, struct loop *l)
{
	if (r->cancels)
		GOMP_loop_end_cancel();
	else if (l->waits)
		GOMP_loop_end();
	else
		GOMP_loop_end_nowait();
}

static void loop_long(struct region *r, struct loop *l, uint64_t *dice, bool begun)
{
	long from, to;
	bool some = begun ? GOMP_loop_nonmonotonic_dynamic_next(&from, &to)
			  : GOMP_loop_nonmonotonic_dynamic_start(7, 7 + 3L * l->count, 3, l->chunk, &from, &to);

	for (; some; some = GOMP_loop_nonmonotonic_dynamic_next(&from, &to))
		for (long i = from; i < to; i += 3) {
			ran(r, l, (uint64_t)(i - 7) / 3, dice);
			if (cancel(r, l, dice))
				goto over;
		}
over:
	loop_end(r, l);
}

static void loop_ull(struct region *r, struct loop *l, uint64_t *dice)
{
	gomp_ull from, to, first = UINT64_MAX, end = UINT64_MAX - l->count;

	for (bool some = GOMP_loop_ull_nonmonotonic_dynamic_start(false, first, end, -1ULL, l->chunk, &from, &to); some;
	     some = GOMP_loop_ull_nonmonotonic_dynamic_next(&from, &to))
		for (gomp_ull i = from; i > to; i--) {
			ran(r, l, first - i, dice);
			if (cancel(r, l, dice))
				goto over;
		}
over:
	loop_end(r, l);
}

static void loop_clang(struct region *r, struct loop *l, uint64_t *dice)
{
	int32_t last, lasts = 0, lower, upper, step;

	__kmpc_dispatch_init_4(NULL, 0, KMPC_DYNAMIC | KMPC_NONMONOTONIC, 0, (int32_t)l->count - 1, 1, (int32_t)l->chunk);
	while (__kmpc_dispatch_next_4(NULL, 0, &last, &lower, &upper, &step)) {
		for (int32_t i = lower; i <= upper; i++)
			ran(r, l, (uint64_t)i, dice);
		lasts += last;
		if (last != (upper == (int32_t)l->count - 1))
			add_rlx(&r->wrong, 1);
	}
	if (lasts > 1)
		add_rlx(&r->wrong, 1);
	if (l->waits)
		GOMP_barrier();
}

static void run_member(void *arg)
{
	struct region *r = arg;
	uint64_t dice = stress_state(r->seed + (unsigned)omp_get_thread_num());

	for (unsigned k = 0; k < r->loops; k++) {
		struct loop *l = &r->loop[k];
		if (stress_random(&dice, 8) == 0)
			stress_pause(stress_random(&dice, 5000));
		switch (k == 0 ? 0 : l->form) {
		case 0:
			loop_long(r, l, &dice, k == 0);
			break;
		case 1:
			loop_ull(r, l, &dice);
			break;
		default:
			loop_clang(r, l, &dice);
			break;
		}
	}
}

/* --- growing --------------------------------------------------------------------------------------------- */

static void run_grown(void *unused)
{
	long from, to;

	(void)unused;
	for (unsigned k = 0; k < LOOPS_MAX; k++) {
		bool some = GOMP_loop_nonmonotonic_dynamic_start(0, MOST, 1, 1, &from, &to);
		const struct qomp_share_place *p = qomp_share_place();
		if (load_rlx(&p->block->members) < p->n)
			bail_out("a loop of %u members has words for %u", p->n, load_rlx(&p->block->members));
		while (some)
			some = GOMP_loop_nonmonotonic_dynamic_next(&from, &to);
		GOMP_loop_end();
	}
}

static void team_grows(void)
{
	for (unsigned n = 2; n <= THREADS_MAX; n++)
		GOMP_parallel(run_grown, NULL, n, 0);
	ok(true, "a team that has grown has words for all members");
}

/* --- regions --------------------------------------------------------------------------------------------- */

static void plan_region(struct region *r, uint64_t *dice, bool cancels)
{
	memset(r, 0, sizeof(*r));
	r->seed = 1 + stress_random(dice, UINT32_MAX);
	r->threads = 1 + stress_random(dice, THREADS_MAX);
	r->loops = 1 + stress_random(dice, LOOPS_MAX);
	r->slow = 3 + stress_random(dice, 1000);
	r->cancels = cancels;
	for (unsigned k = 0; k < r->loops; k++)
		r->loop[k] = (struct loop){
			.count = stress_random(dice, 3) ? stress_random(dice, MOST) : stress_random(dice, 30),
			.chunk = stress_random(dice, 2) ? 1 : 1 + stress_random(dice, 9),
			.form = stress_random(dice, cancels ? 2 : 3),
			.waits = stress_random(dice, 6) == 0,
		};
}

static unsigned region_wrong(const struct region *r)
{
	unsigned wrong = r->wrong;

	for (unsigned k = 0; k < r->loops; k++)
		for (unsigned i = 0; i < MOST; i++) {
			const struct loop *l = &r->loop[k];
			wrong += l->cancelled ? l->ran[i] > (i < l->count) : l->ran[i] != (i < l->count);
		}
	return wrong;
}

struct thread {
	bool cancels;
	uint64_t dice, wrong;
};

static void *run_regions(void *arg)
{
	struct thread *t = arg;
	struct region *r = new_region();

	for (unsigned i = stress_rounds(ROUNDS); i > 0; i--) {
		plan_region(r, &t->dice, t->cancels);
		GOMP_parallel_loop_nonmonotonic_dynamic(run_member, r, r->threads, 7, 7 + 3L * r->loop[0].count, 3,
			r->loop[0].chunk, 0);
		t->wrong += region_wrong(r);
		stress_round();
	}
	free(r);
	return NULL;
}

static void run_two(bool cancels, const char *what)
{
	struct thread t[2];
	pthread_t other;

	for (unsigned i = 0; i < 2; i++)
		t[i] = (struct thread){ .cancels = cancels, .dice = stress_state(i + 2 * cancels) };
	if (pthread_create(&other, NULL, run_regions, &t[1]) != 0)
		bail_out("no thread");
	run_regions(&t[0]);
	pthread_join(other, NULL);
	is_int(t[0].wrong, 0, "%s, in regions of the main thread", what);
	is_int(t[1].wrong, 0, "%s, in those of another thread", what);
}

int main(void)
{
	plan(5);
	stress_say(stress_rounds(ROUNDS));
	stress_watch("loops in parts");
	team_grows();
	run_two(false, "each iteration once");
	qomp_settings.cancellation = true;
	run_two(true, "none twice where loops are cancelled");
	return done();
}
