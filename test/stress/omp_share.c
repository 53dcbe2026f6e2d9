/* test/stress/omp_share.c -- regions whose members run through the same work-sharing constructs, each at its own pace.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS counts regions for each of two threads that meet regions at the same time.  A region is a random sequence
 * of loops of every schedule, sections, single with and without copies, loops with `ordered` and with ordered(n), most
 * of them without a barrier at the end, so that members are many constructs apart; they dawdle by chance.  Every
 * iteration is to run once; what `ordered` and ordered(n) put in order is checked through plain variables, which tell
 * ThreadSanitizer, too.
 */
#include "omp/abi/gomp_parallel.h"
#include "omp/abi/gomp_share.h"
#include "stress/stress.h"

#include <pthread.h>

enum { ROUNDS = 300, THREADS_MAX = 6, STEPS_MAX = 40, MOST = 120, OUTER = 14, INNER = 9 };

/* As <omp.h>, which belongs to the compiler, declares them. */
extern int omp_get_thread_num(void);
extern void omp_set_schedule(int kind, int chunk);

enum kind { LOOP, LOOP_ULL, ORDERED, ORDERED_ULL, DOACROSS, SECTIONS, SINGLE, COPY, KINDS };

struct step {
	unsigned count;                 /* iterations that ran are to be these */
	uint32_t ran[MOST];
	unsigned inside;                /* the latest iteration in the ordered region */
	bool done[OUTER][INNER];        /* ordered(n) */
	uint64_t value;                 /* copied */
};

struct region {
	uint64_t seed;
	unsigned steps, threads;
	bool preset;                    /* the first step began with the region */
	uint32_t wrong;
	struct step step[STEPS_MAX];
};

/* A member: `plan` is the same for all, `dice` its own. */
struct member {
	struct region *r;
	uint64_t plan, dice;
};

static void blame(struct region *r)
{
	add_rlx(&r->wrong, 1);
}

static void dawdle(struct member *m)
{
	switch (stress_random(&m->dice, 24)) {
	case 0:
		sched_yield();
		break;
	case 1:
		stress_pause(stress_random(&m->dice, 2000));
		break;
	case 2:
	case 3:
		stress_pause(stress_random(&m->dice, 60));
		break;
	default:
		break;
	}
}

static void ran(struct member *m, struct step *s, uint64_t iteration)
{
	if (iteration < MOST)
		add_rlx(&s->ran[iteration], 1);
	else
		blame(m->r);
	dawdle(m);
}

static void end_step(struct member *m)
{
	if (stress_random(&m->plan, 8) == 0)
		GOMP_loop_end();
	else
		GOMP_loop_end_nowait();
}

/* --- loops ----------------------------------------------------------------------------------------------- */

typedef bool start_long(long, long, long, long, long *, long *);
typedef bool start_ull(bool, gomp_ull, gomp_ull, gomp_ull, gomp_ull, gomp_ull *, gomp_ull *);

static bool start_runtime(long start, long end, long incr, long chunk, long *from, long *to)
{
	(void)chunk;
	return GOMP_loop_maybe_nonmonotonic_runtime_start(start, end, incr, from, to);
}

static bool start_ordered_runtime(long start, long end, long incr, long chunk, long *from, long *to)
{
	(void)chunk;
	return GOMP_loop_ordered_runtime_start(start, end, incr, from, to);
}

static bool start_with_memory(long start, long end, long incr, long chunk, long *from, long *to)
{
	void *memory = (void *)(uintptr_t)64;

	bool some = GOMP_loop_start(start, end, incr, 2, chunk, from, to, NULL, &memory);
	if (((uint64_t *)memory)[7] != 0)
		bail_out("memory that is not zeroed");
	return some;
}

struct bounds {
	long first, end, incr, chunk;
	unsigned count;
};

static struct bounds bounds(struct member *m)
{
	struct bounds b = { .count = stress_random(&m->plan, MOST), .chunk = 1 + stress_random(&m->plan, 9) };

	b.incr = (1 + (long)stress_random(&m->plan, 4)) * (stress_random(&m->plan, 2) ? 1 : -1);
	b.first = (long)stress_random(&m->plan, 1000) - 500;
	b.end = b.first + (long)b.count * b.incr;
	return b;
}

static void run_loop(struct member *m, struct step *s, bool preset)
{
	static start_long *const start[] = { GOMP_loop_static_start, GOMP_loop_nonmonotonic_dynamic_start,
		GOMP_loop_guided_start, start_runtime, start_with_memory };
	struct bounds b = bounds(m);
	start_long *begin = start[stress_random(&m->plan, 5)];
	long from, to;

	store_rlx(&s->count, b.count);
	bool some = preset ? GOMP_loop_dynamic_next(&from, &to) : begin(b.first, b.end, b.incr, b.chunk, &from, &to);
	for (; some; some = GOMP_loop_nonmonotonic_dynamic_next(&from, &to))
		for (long i = from; b.incr > 0 ? i < to : i > to; i += b.incr)
			ran(m, s, (uint64_t)((i - b.first) / b.incr));
	end_step(m);
}

static void run_loop_ull(struct member *m, struct step *s)
{
	static start_ull *const start[] = { GOMP_loop_ull_static_start, GOMP_loop_ull_nonmonotonic_dynamic_start,
		GOMP_loop_ull_nonmonotonic_guided_start };
	uint64_t count = stress_random(&m->plan, MOST), chunk = 1 + stress_random(&m->plan, 9);
	start_ull *begin = start[stress_random(&m->plan, 3)];
	gomp_ull from, to;

	store_rlx(&s->count, (unsigned)count);
	if (begin(false, UINT64_MAX, UINT64_MAX - count * 3, -UINT64_C(3), chunk, &from, &to))
		do
			for (gomp_ull i = from; i > to; i -= 3)
				ran(m, s, (UINT64_MAX - i) / 3);
		while (GOMP_loop_ull_dynamic_next(&from, &to));
	end_step(m);
}

/* --- order ----------------------------------------------------------------------------------------------- */

/* Some iterations do without their region, but all members know which. */
static void run_in_order(struct member *m, struct step *s, unsigned iteration)
{
	if ((iteration + m->r->seed) % 3 == 0)
		return;
	GOMP_ordered_start();
	if (iteration + 1 <= s->inside)
		blame(m->r);
	s->inside = iteration + 1;
	dawdle(m);
	GOMP_ordered_end();
}

static void run_ordered(struct member *m, struct step *s)
{
	static start_long *const start[] = { GOMP_loop_ordered_static_start, GOMP_loop_ordered_dynamic_start,
		GOMP_loop_ordered_guided_start, start_ordered_runtime };
	struct bounds b = bounds(m);
	start_long *begin = start[stress_random(&m->plan, 4)];
	long from, to;

	store_rlx(&s->count, b.count);
	if (begin(b.first, b.end, b.incr, b.chunk, &from, &to))
		do
			for (long i = from; b.incr > 0 ? i < to : i > to; i += b.incr) {
				run_in_order(m, s, (unsigned)((i - b.first) / b.incr));
				ran(m, s, (uint64_t)((i - b.first) / b.incr));
			}
		while (GOMP_loop_ordered_dynamic_next(&from, &to));
	end_step(m);
}

static void run_ordered_ull(struct member *m, struct step *s)
{
	uint64_t count = stress_random(&m->plan, MOST), chunk = stress_random(&m->plan, 5);
	gomp_ull from, to;

	store_rlx(&s->count, (unsigned)count);
	if (GOMP_loop_ull_ordered_static_start(true, 7, 7 + count, 1, chunk, &from, &to))
		do
			for (gomp_ull i = from; i < to; i++) {
				run_in_order(m, s, (unsigned)i - 7);
				ran(m, s, i - 7);
			}
		while (GOMP_loop_ull_ordered_static_next(&from, &to));
	end_step(m);
}

static bool start_doacross(struct member *m, long *counts, long *from, long *to)
{
	long chunk = stress_random(&m->plan, 4);

	switch (stress_random(&m->plan, 4)) {
	case 0:
		return GOMP_loop_doacross_static_start(3, counts, chunk, from, to);
	case 1:
		return GOMP_loop_doacross_dynamic_start(3, counts, chunk + 1, from, to);
	case 2:
		return GOMP_loop_doacross_guided_start(3, counts, chunk + 1, from, to);
	default:
		return GOMP_loop_doacross_runtime_start(3, counts, from, to);
	}
}

/* Iteration (i, j) comes after (i, j - 1) and after some of any earlier i.  The innermost loop has but one. */
static void run_cell(struct member *m, struct step *s, long i, long j)
{
	long before = i - 1 - stress_random(&m->dice, 3), beside = stress_random(&m->dice, INNER);

	if (before >= 0) {
		GOMP_doacross_wait(before, beside, 0L);
		if (!s->done[before][beside])
			blame(m->r);
	}
	dawdle(m);
	s->done[i][j] = true;
	GOMP_doacross_post((long[]){ i, j, 0 });
}

static void run_doacross(struct member *m, struct step *s)
{
	long counts[3] = { stress_random(&m->plan, OUTER + 1), INNER, 1 }, from, to;

	store_rlx(&s->count, (unsigned)counts[0]);
	if (start_doacross(m, counts, &from, &to))
		do
			for (long i = from; i < to; i++) {
				for (long j = 0; j < INNER; j++)
					run_cell(m, s, i, j);
				ran(m, s, (uint64_t)i);
			}
		while (GOMP_loop_dynamic_next(&from, &to));
	end_step(m);
}

/* --- the others ------------------------------------------------------------------------------------------ */

static void run_sections(struct member *m, struct step *s, bool preset)
{
	unsigned count = 1 + stress_random(&m->plan, 9);

	store_rlx(&s->count, count);
	for (unsigned i = preset ? GOMP_sections_next() : GOMP_sections_start(count); i; i = GOMP_sections_next())
		ran(m, s, i - 1);
	end_step(m);
}

static void run_single(struct member *m, struct step *s)
{
	store_rlx(&s->count, 1);
	if (GOMP_single_start())
		ran(m, s, 0);
	if (stress_random(&m->plan, 8) == 0)
		GOMP_barrier();
}

static void run_copy(struct member *m, struct step *s)
{
	uint64_t *value = GOMP_single_copy_start();

	store_rlx(&s->count, 1);
	if (!value) {
		ran(m, s, 0);
		s->value = m->r->seed;
		GOMP_single_copy_end(&s->value);
	} else if (*value != m->r->seed || value != &s->value) {
		blame(m->r);
	}
	GOMP_barrier();
}

static void run_step(struct member *m, struct step *s, bool preset)
{
	switch (stress_random(&m->plan, KINDS)) {
	case LOOP:
		run_loop(m, s, preset);
		break;
	case LOOP_ULL:
		run_loop_ull(m, s);
		break;
	case ORDERED:
		run_ordered(m, s);
		break;
	case ORDERED_ULL:
		run_ordered_ull(m, s);
		break;
	case DOACROSS:
		run_doacross(m, s);
		break;
	case SECTIONS:
		run_sections(m, s, preset);
		break;
	case SINGLE:
		run_single(m, s);
		break;
	case COPY:
		run_copy(m, s);
		break;
	}
}

static void run_member(void *arg)
{
	struct region *r = arg;
	struct member m = { .r = r, .plan = r->seed, .dice = stress_state(r->seed + (unsigned)omp_get_thread_num()) };

	for (unsigned i = 0; i < r->steps; i++)
		run_step(&m, &r->step[i], i == 0 && r->preset);
}

/* --- regions --------------------------------------------------------------------------------------------- */

/* A region that begins with what its first step is, if that can be; looked up as the members will. */
static void run_region(struct region *r)
{
	struct member m = { .plan = r->seed };
	enum kind first = stress_random(&m.plan, KINDS);

	r->preset = r->seed % 2 && (first == LOOP || first == SECTIONS);
	if (r->preset && first == LOOP) {
		struct bounds b = bounds(&m);
		GOMP_parallel_loop_dynamic(run_member, r, r->threads, b.first, b.end, b.incr, b.chunk, 0);
	} else if (r->preset) {
		GOMP_parallel_sections(run_member, r, r->threads, 1 + stress_random(&m.plan, 9), 0);
	} else {
		GOMP_parallel(run_member, r, r->threads, 0);
	}
}

static unsigned check(const struct region *r)
{
	unsigned wrong = r->wrong;

	for (unsigned i = 0; i < r->steps; i++)
		for (unsigned k = 0; k < MOST; k++)
			wrong += r->step[i].ran[k] != (k < load_rlx(&r->step[i].count));
	return wrong;
}

struct thread {
	unsigned rounds;
	uint64_t dice;
	uint64_t wrong;
};

static void *run_regions(void *arg)
{
	struct thread *t = arg;
	struct region *r = malloc(sizeof(*r));

	for (unsigned i = 0; i < t->rounds; i++) {
		memset(r, 0, sizeof(*r));
		r->seed = 1 + stress_random(&t->dice, UINT32_MAX);
		r->steps = 1 + stress_random(&t->dice, STEPS_MAX);
		r->threads = 1 + stress_random(&t->dice, THREADS_MAX);
		omp_set_schedule(1 + (int)stress_random(&t->dice, 4), (int)stress_random(&t->dice, 5));
		run_region(r);
		t->wrong += check(r);
		stress_round();
	}
	free(r);
	return NULL;
}

int main(void)
{
	struct thread t[2];
	pthread_t other;

	plan(2);
	stress_say(stress_rounds(ROUNDS));
	stress_watch("work sharing");
	for (unsigned i = 0; i < 2; i++)
		t[i] = (struct thread){ .rounds = stress_rounds(ROUNDS), .dice = stress_state(i) };
	if (pthread_create(&other, NULL, run_regions, &t[1]) != 0)
		bail_out("no thread");
	run_regions(&t[0]);
	pthread_join(other, NULL);
	is_int(t[0].wrong, 0, "each iteration once and in order, in regions of the main thread");
	is_int(t[1].wrong, 0, "and in those of another thread");
	return done();
}
