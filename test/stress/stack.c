/* test/stress/stack.c -- tasks that wait at any depth of their stacks, and go on elsewhere.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each task goes down and up again through frames that it fills and checks.  In each it may yield, move to another
 * shepherd, wait for a word that a task or an OS thread fills, or fork children and read their answers, which may run
 * on top of it.  QTI_ROUNDS counts tasks in each setting.
 */
#include "stress/stress.h"

#include <qthread.h>

#include <pthread.h>

enum { TASKS = 400, DEPTH = 12, FRAME = 24, CHILD_DEPTH = 3 };

static const struct stress_shape shapes[] = { { 1, 1 }, { 1, 2 }, { 2, 1 }, { 2, 2 } };
static const char *const inlines[] = { "yes", "no" };

enum { NSHAPES = sizeof(shapes) / sizeof(shapes[0]), NINLINES = 2, CHECKS = 5 };

static unsigned damaged, misplaced, strangers;
static uint32_t alive, peak;

/* --- an OS thread that fills words ----------------------------------------------------------------------- */

enum { ORDERS = 64 };

static aligned_t *order[ORDERS];
static bool closed;

static void *fill_orders(void *unused)
{
	(void)unused;
	while (!load_acq(&closed)) {
		for (unsigned i = 0; i < ORDERS; i++) {
			aligned_t *word = load_acq(&order[i]);
			if (word) {
				store_rel(&order[i], NULL);
				qthread_fill(word);
			}
		}
		sched_yield();
	}
	return NULL;
}

static bool place_order(aligned_t *word, unsigned at)
{
	aligned_t *seen = NULL;

	return __atomic_compare_exchange_n(&order[at], &seen, word, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* --- what may happen in a frame -------------------------------------------------------------------------- */

struct walker {
	uint64_t random;
	unsigned depth; /* as deep as it goes */
	unsigned id;
	double product; /* in a register, if the compiler likes */
};

static void walk(struct walker *w, unsigned level);

static void walk_alone(uint64_t seed, unsigned depth)
{
	struct walker w = { .random = seed | 1, .depth = depth, .id = qthread_id(), .product = 1 };
	uint32_t now = add_rlx(&alive, 1) + 1;

	for (uint32_t seen = load_rlx(&peak); now > seen;)
		if (__atomic_compare_exchange_n(&peak, &seen, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			break;
	walk(&w, 0);
	if (qthread_id() != w.id)
		add_rlx(&strangers, 1);
	add_rlx(&alive, -1);
}

static aligned_t child(void *seed)
{
	walk_alone((uintptr_t)seed, CHILD_DEPTH);
	return ~(aligned_t)(uintptr_t)seed;
}

static void ask_children(struct walker *w)
{
	aligned_t ret[3], got;
	uintptr_t seed[3];
	unsigned n = 1 + stress_random(&w->random, 3);

	for (unsigned i = 0; i < n; i++) {
		seed[i] = stress_random(&w->random, 1u << 30);
		qthread_fork(child, (void *)seed[i], &ret[i]);
	}
	for (unsigned i = n; i-- > 0;) {
		qthread_readFF(&got, &ret[i]);
		if (got != ~(aligned_t)seed[i])
			add_rlx(&damaged, 1);
	}
}

static aligned_t fill(void *word)
{
	qthread_fill(word);
	return 0;
}

static void wait_for_task(struct walker *w)
{
	aligned_t word = 0;

	qthread_empty(&word);
	if (stress_random(&w->random, 2))
		qthread_fork(fill, &word, NULL);
	else
		qthread_fork_to(fill, &word, NULL, (qthread_shepherd_id_t)stress_random(&w->random, qti_rt.nshepherds));
	qthread_readFF(NULL, &word);
}

static void wait_for_thread(struct walker *w)
{
	aligned_t word = 0;

	qthread_empty(&word);
	if (!place_order(&word, stress_random(&w->random, ORDERS)))
		qthread_fill(&word);
	qthread_readFE(NULL, &word);
	qthread_fill(&word);
}

static void move(struct walker *w)
{
	qthread_shepherd_id_t to = (qthread_shepherd_id_t)stress_random(&w->random, qti_rt.nshepherds);

	if (qthread_migrate_to(to) != QTHREAD_SUCCESS || qthread_shep() != to)
		add_rlx(&misplaced, 1);
	if (stress_random(&w->random, 2))
		qthread_migrate_to(NO_SHEPHERD);
}

static void something(struct walker *w)
{
	switch (stress_random(&w->random, w->depth > CHILD_DEPTH ? 10 : 20)) {
	case 0:
	case 1:
		qthread_yield();
		break;
	case 2:
		qthread_yield_near();
		break;
	case 3:
		move(w);
		break;
	case 4:
	case 5:
		wait_for_task(w);
		break;
	case 6:
		wait_for_thread(w);
		break;
	case 7:
		if (w->depth > CHILD_DEPTH)
			ask_children(w);
		break;
	default:
		break;
	}
}

static __attribute__((noinline)) void walk(struct walker *w, unsigned level)
{
	volatile uint64_t frame[FRAME];
	uint64_t mark = w->random + level;
	double before = w->product * 1.000001;

	for (unsigned i = 0; i < FRAME; i++)
		frame[i] = mark * (i + 1);
	something(w);
	if (level < w->depth)
		walk(w, level + 1);
	something(w);
	for (unsigned i = 0; i < FRAME; i++)
		if (frame[i] != mark * (i + 1))
			add_rlx(&damaged, 1);
	if (before != w->product * 1.000001)
		add_rlx(&damaged, 1);
}

static aligned_t wander(void *number)
{
	uint64_t seed = stress_state((uintptr_t)number);

	walk_alone(seed, (unsigned)(seed >> 40) % DEPTH + CHILD_DEPTH + 1);
	return (aligned_t)(uintptr_t)number + 1;
}

/* --- all of it ------------------------------------------------------------------------------------------- */

static void count(void *stack, void *n)
{
	(void)stack;
	++*(unsigned *)n;
}

static unsigned stacks_made(void)
{
	unsigned n = 0;

	for (unsigned i = 0; i < qti_rt.nshepherds; i++)
		qti_pool_each(&qti_rt.shepherds[i].stacks.pool, count, &n);
	return n;
}

/* Free stacks lie in magazines, of which each worker may have two, and one is carved as a whole. */
enum { SPARE = 40 };

static void run(const char *scheduler, struct stress_shape shape, const char *inlined, unsigned tasks)
{
	char what[96];
	aligned_t *ret = calloc(tasks, sizeof(*ret)), got = 0;
	unsigned wrong = 0;
	pthread_t thread;

	snprintf(what, sizeof(what), "%s %u x %u, QT_INLINE_JOIN=%s", scheduler, shape.shepherds, shape.workers,
		inlined);
	stress_watch(what);
	setenv("QT_INLINE_JOIN", inlined, 1);
	stress_start(scheduler, shape);
	damaged = misplaced = strangers = alive = peak = 0;
	closed = false;
	if (!ret || pthread_create(&thread, NULL, fill_orders, NULL) != 0)
		bail_out("no memory or no thread");
	for (uintptr_t i = 0; i < tasks; i++)
		qthread_fork(wander, (void *)i, &ret[i]);
	for (unsigned i = tasks; i-- > 0;) {
		qthread_readFF(&got, &ret[i]);
		wrong += got != i + 1;
	}
	is_int(wrong, 0, "%s: each task comes to its end", what);
	is_int(damaged, 0, "%s: with its frames as it left them", what);
	is_int(misplaced, 0, "%s: where it moved to", what);
	is_int(strangers, 0, "%s: as itself", what);
	unsigned limit = qti_rt.nshepherds * peak + qti_rt.nworkers * SPARE, made = stacks_made();
	ok(made <= limit, "%s: %u stacks for %u tasks at a time", what, made, peak);
	store_rel(&closed, true);
	pthread_join(thread, NULL);
	qthread_finalize();
	free(ret);
	stress_round();
}

int main(void)
{
	unsigned tasks = stress_rounds(TASKS);

	plan(qti_nscheds * NSHAPES * NINLINES * CHECKS);
	stress_say(tasks);
	for (unsigned i = 0; i < qti_nscheds; i++)
		for (unsigned s = 0; s < NSHAPES; s++)
			for (unsigned j = 0; j < NINLINES; j++)
				run(qti_scheds[i]->name, shapes[s], inlines[j], tasks);
	return done();
}
