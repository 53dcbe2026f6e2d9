/* test/stress/omp_nested.c -- regions within regions within regions, whose threads begin when somebody takes them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Trees of regions of random shape: each member meets regions, passes barriers, leaves tasks, or cancels its region.
 * Under every scheduler, on 1 to 8 workers.  QTI_ROUNDS is the number of trees for each (default 12).
 */
#include "omp/abi/gomp_parallel.h"
#include "omp/abi/gomp_tasking.h"
#include "omp/env/places.h"
#include "omp/team/standing.h"
#include "omp/team/team.h"
#include "stress.h"

/* As <omp.h>, which belongs to the compiler, declares them. */
extern int omp_get_ancestor_thread_num(int level);
extern int omp_get_level(void);
extern int omp_get_num_threads(void);
extern int omp_get_thread_num(void);

enum { SIZE_MOST = 5, DEEPEST = 5, BARRIERS_MOST = 3, ROUNDS = 12 };

struct region {
	const struct region *around;
	unsigned depth, met_by;         /* thread number there */
	unsigned barriers;
	bool cancels;
	uint64_t random;
	uint32_t begun[SIZE_MOST];      /* by number: how often */
	uint32_t here[BARRIERS_MOST];
	uint32_t created, ended;        /* tasks */
};

static uint32_t lost, early, moved, misled, tasks_left, bubbles;

static __thread char own;               /* whose address tells OS threads apart */

/* Out of line: its address is asked for again after a wait. */
static __attribute__((noinline)) const void *os_thread(void)
{
	__asm__ volatile("" ::: "memory");
	return &own;
}

static void meet(const struct region *around, unsigned most, uint64_t *random);

static void count_end(void *arg)
{
	struct region *const *r = arg;

	stress_pause(50);
	add_rlx(&(*r)->ended, 1);
}

static void leave_tasks(struct region *r, uint64_t *random)
{
	for (unsigned n = stress_random(random, 4); n > 0; n--) {
		add_rlx(&r->created, 1);
		GOMP_task(count_end, &r, NULL, sizeof(r), _Alignof(struct region *), true, 0, NULL, 0, NULL);
	}
	if (stress_random(random, 2))
		GOMP_taskwait();
}

/* What OpenMP says of the regions around is what met them. */
static bool knows_forebears(const struct region *r)
{
	unsigned level = (unsigned)omp_get_level();

	for (; r && omp_get_ancestor_thread_num((int)level - 1) == (int)r->met_by; r = r->around)
		level--;
	return !r && level == 0;
}

static void pass_barriers(struct region *r, uint64_t *random)
{
	for (unsigned i = 0; i < r->barriers; i++) {
		stress_pause(stress_random(random, 200));
		add_rlx(&r->here[i], 1);
		if (r->cancels ? GOMP_barrier_cancel() : (GOMP_barrier(), false))
			return;
		if (load_acq(&r->here[i]) != (unsigned)omp_get_num_threads())
			add_rlx(&early, 1);
	}
}

static void member(void *arg)
{
	struct region *r = arg;
	unsigned number = (unsigned)omp_get_thread_num();
	const void *thread = os_thread();
	uint64_t random = stress_state(r->random + number);

	add_rlx(&r->begun[number], 1);
	if (qomp_frame()->team->is_bubble)
		add_rlx(&bubbles, 1);
	if (!knows_forebears(r))
		add_rlx(&misled, 1);
	stress_pause(stress_random(&random, stress_random(&random, 10) ? 100 : 3000));
	for (unsigned n = r->depth < DEEPEST ? stress_random(&random, 3) : 0; n > 0; n--)
		meet(r, 1 + stress_random(&random, SIZE_MOST), &random);
	if (r->cancels && stress_random(&random, 4) == 0 && GOMP_cancel(1, true))
		return;
	if (!r->cancels)
		leave_tasks(r, &random);
	pass_barriers(r, &random);
	if (os_thread() != thread || (unsigned)omp_get_thread_num() != number)
		add_rlx(&moved, 1);
}

static void look_at(const struct region *r, unsigned n)
{
	for (unsigned i = 0; i < SIZE_MOST; i++)
		if (load_acq(&r->begun[i]) != (i < n))
			add_rlx(&lost, 1);
	if (load_acq(&r->ended) != load_acq(&r->created))
		add_rlx(&tasks_left, 1);
}

static void meet(const struct region *around, unsigned n, uint64_t *random)
{
	struct region r = { .around = around, .depth = around ? around->depth + 1 : 1,
	                    .met_by = (unsigned)omp_get_thread_num(), .random = *random };

	r.barriers = stress_random(random, BARRIERS_MOST + 1);
	r.cancels = stress_random(random, 6) == 0;
	GOMP_parallel(member, &r, n, 0);
	look_at(&r, n);
}

/* The outermost region has a worker for each thread, so that those within it are the schedulers' business. */
static void try(const char *scheduler, unsigned workers)
{
	uint64_t random = stress_state(workers);

	stress_watch(scheduler);
	stress_start(scheduler, (struct stress_shape){ workers % 2 ? 1 : 2, workers % 2 ? workers : workers / 2 });
	for (unsigned i = stress_rounds(ROUNDS); i > 0; i--) {
		meet(NULL, workers < SIZE_MOST ? workers : SIZE_MOST, &random);
		stress_round();
	}
	qthread_finalize();
	ok(lost + early + moved + misled + tasks_left == 0,
	   "%s, %u workers: each member runs once, where it began, as who it is; barriers and ends come after all", scheduler,
	   workers);
	if (lost + early + moved + misled + tasks_left != 0)
		diag("%u lost or doubled, %u early, %u moved, %u misled, %u with tasks left", lost, early, moved, misled,
		     tasks_left);
	lost = early = moved = misled = tasks_left = 0;
}

/* Before the library reads them, which it does at the program's start. */
__attribute__((constructor(101))) static void set_up(void)
{
	setenv("OMP_CANCELLATION", "true", 1);
	setenv("OMP_MAX_ACTIVE_LEVELS", "8", 1);
}

int main(void)
{
	static const unsigned workers[] = { 1, 2, 3, 4, 8 };
	const char *flat = getenv("QT_NESTED");

	plan(qti_nscheds * 5 + 1);
	stress_say(stress_rounds(ROUNDS));
	for (unsigned s = 0; s < qti_nscheds; s++)
		for (unsigned i = 0; i < 5; i++)
			try(qti_scheds[s]->name, workers[i]);
	const bool suits = !(flat && strcmp(flat, "flat") == 0) && qomp_places.n == 0;
	ok((bubbles != 0) == suits, "inner regions are bubbles unless QT_NESTED says flat, or threads have places");
	return done();
}
