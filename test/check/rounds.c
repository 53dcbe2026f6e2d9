/* test/check/rounds.c -- sync/barrier.c: who is let go sees what all have done before; rounds stay apart (Y1 to Y4).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check/outside.h"

enum { LEAVES = 2 };

static unsigned inside;                 /* visits, where finalize waits for them */

static unsigned visit_pause(void)
{
	sub_acq_rel(&inside, 1);
	return 1;
}

#undef qti_visit_pause
#define qti_visit_pause visit_pause

static unsigned freed;

static void barrier_free(void *b, size_t bytes)
{
	check_memset(b, 0xa5, bytes);
	freed++;
}

#include "base/mem.h"
#define qti_mem_free(b) barrier_free((b), sizeof(*(b)) + LEAVES * sizeof(struct leaf))

#include "sync/waiter.c"
#define after_waiting after_waiting_at_barrier
#include "sync/barrier.c"

enum { THREADS = 3 };

static qt_barrier_t *b;
static unsigned done[THREADS];

static void begin_one_leaf(void)
{
	set_participants(b, THREADS);
}

/* As a large barrier does. */
static void begin_two_leaves(void)
{
	b->participants = THREADS;
	b->nleaves = LEAVES;
	b->leaf[0].quota = 2;
	b->leaf[1].quota = 1;
}

static void begin_pair(void)
{
	set_participants(b, 2);
	inside = 1;
}

/* Each finds all that the others have written before the barrier, and nobody writes on before all have read. */
static void round_of(unsigned thread, unsigned participants)
{
	done[thread]++;
	qt_barrier_enter(b);
	for (unsigned i = 0; i < participants; i++)
		check_that(done[i] == done[thread], "all have come to the barrier");
}

static void run_one_leaf(unsigned thread)
{
	round_of(thread, THREADS);
}

static void run_two_leaves(unsigned thread)
{
	round_of(thread, THREADS);
}

static void run_rounds(unsigned thread)
{
	round_of(thread, 2);
	qt_barrier_enter(b);
	round_of(thread, 2);
}

/* Who has been let go may end the barrier, and use its memory for another. */
static void run_destroy(unsigned thread)
{
	qt_barrier_enter(b);
	if (thread != 0)
		return;
	qt_barrier_destroy(b);
	qt_barrier_t *next = qt_barrier_create(1, REGION_BARRIER);
	check_that(next == b, "memory of a barrier is used again");
	qt_barrier_enter(next);
}

static void run_resize(unsigned thread)
{
	done[thread]++;
	if (thread == 1) {
		qt_barrier_enter(b);
		return;
	}
	qt_barrier_enter(b);
	qt_barrier_resize(b, 1);
	qt_barrier_enter(b);
	check_that(done[1] == 1, "all have come to the barrier");
}

/* More than there is room for: two of them are of the next round. */
static void run_too_many(unsigned thread)
{
	(void)thread;
	qt_barrier_enter(b);
}

/* The runtime ends: who waits goes on, and the last one frees the barrier. */
static void run_end(unsigned thread)
{
	if (thread == 0) {
		while (load_acq(&inside) != 0)
			check_pause();
		qti_barriers_give_up();
		barrier_drop(b);
	} else {
		qt_barrier_enter(b);
	}
}

static void end(void)
{
	check_that(!b->leaf[0].parked && !b->leaf[1].parked, "nobody waits");
}

static void end_freed(void)
{
	check_that(freed == 1, "it is freed once");
}

#define GONE "who sees that the runtime has ended has been woken after that, or touches nothing else"
#define ALONE "who is alone with a barrier has acquired what the last round did already"

static const struct check_spare spare[] = {
	{ "barrier.c", "const uint64_t round = load_acq(&b->open);",
		"as at Y1: who was in the last round has acquired it already, who was not relies on "
	  "nothing of it" },
	{ "barrier.c", "for (uint64_t round = load_acq(&b->open);", ALONE },
	{ "barrier.c", "if (load_acq(&b->leaf[i].arrived) != round * b->leaf[i].quota)", ALONE },
	{ "barrier.c", "if (!load_acq(&b->gone))", GONE },
	{ "barrier.c", "} while (a == FULL && !load_acq(&b->gone));", GONE },
	{ "barrier.c", "store_rel(&b->gone, true);", GONE },
	{ NULL, NULL, NULL }
};

#define UNIT(what, n, first, last) \
	{ .name = #what, .threads = n, .begin = first, .run = run_##what, .end = last, .switches = 3, \
	  .stale = 2, .most = 3000 }

int main(int argc, char **argv)
{
	static const struct check_unit one_leaf = UNIT(one_leaf, THREADS, begin_one_leaf, end),
		two_leaves = UNIT(two_leaves, THREADS, begin_two_leaves, end), rounds = UNIT(rounds, 2, begin_pair, end),
		destroy = UNIT(destroy, 2, begin_pair, end), resize = UNIT(resize, 2, begin_pair, end),
		too_many = UNIT(too_many, 4, begin_pair, end), ends = UNIT(end, 2, begin_pair, end_freed);
	static const struct check_unit *const units[] = { &one_leaf, &two_leaves, &rounds, &destroy, &resize,
		&too_many, &ends };
	static const char *const of[] = { "sync/barrier.c", NULL };
	static const struct check_program program = { units, sizeof(units) / sizeof(units[0]), spare, of };

	qti_rt.nworkers = LEAVES;
	store_rlx(&qti_poll_rate, 0);
	b = qt_barrier_create(1, REGION_BARRIER);
	return b ? check_run(&program, argc, argv) : 2;
}
