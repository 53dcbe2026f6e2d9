/* test/unit/readers.c -- who waits for readers waits for all of them, and for nothing else.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/readers.h"

#include "base/mem.h"
#include "stress/stress.h"

#include <pthread.h>

enum { ROUNDS = 2000, READERS = 3, OBJECTS = 64 };

/* ---- Out of memory, on demand and for one thread */

static __thread bool starving;
static unsigned asked;

static bool fault(void)
{
	add_rlx(&asked, 1);
	return starving;
}

static pthread_t begin(void *(*f)(void *), void *arg)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, f, arg) != 0)
		bail_out("pthread_create failed");
	return thread;
}

static void run_in_thread(void *(*f)(void *), void *arg)
{
	pthread_join(begin(f, arg), NULL);
}

/* ---- One thread */

static void one_thread(void)
{
	qti_readers_wait();
	ok(true, "qti_readers_wait with no reader at all returns");
	struct qti_reader *outer = qti_reader_enter();
	ok(outer && qti_reader_inside(), "qti_reader_enter gives a record, and the thread is inside");
	struct qti_reader *inner = qti_reader_enter();
	ok(inner == outer, "qti_reader_enter nests");
	qti_reader_leave(inner);
	ok(qti_reader_inside(), "qti_reader_leave of the inner section: still inside");
	qti_readers_wait();
	ok(true, "qti_readers_wait does not wait for the caller");
	qti_reader_leave(outer);
	ok(!qti_reader_inside(), "qti_reader_leave of the outer section: outside");
}

/* ---- An open section is waited for */

static struct {
	bool hungry, inside, waiting, left;
} stage;

static void *stay_inside(void *unused)
{
	starving = stage.hungry;
	struct qti_reader *r = qti_reader_enter();
	ok(!r == stage.hungry, "qti_reader_enter %s memory", stage.hungry ? "without" : "with");
	store_rel(&stage.inside, true);
	stress_until(load_acq(&stage.waiting));
	for (int i = 0; i < 200; i++)
		sched_yield();
	store_rel(&stage.left, true);
	qti_reader_leave(r);
	return unused;
}

static void waits(bool hungry)
{
	stage.hungry = hungry;
	stage.inside = stage.waiting = stage.left = false;
	pthread_t thread = begin(stay_inside, NULL);
	stress_until(load_acq(&stage.inside));
	store_rel(&stage.waiting, true);
	qti_readers_wait();
	ok(load_acq(&stage.left), "qti_readers_wait waits for a section of another thread");
	pthread_join(thread, NULL);
	qti_readers_wait();
	ok(true, "qti_readers_wait does not wait for a thread that has ended");
}

/* ---- Records go from thread to thread */

static void *once(void *unused)
{
	qti_reader_leave(qti_reader_enter());
	return unused;
}

static void records_are_reused(void)
{
	run_in_thread(once, NULL);
	const unsigned before = load_rlx(&asked);
	for (int i = 0; i < 50; i++)
		run_in_thread(once, NULL);
	is_int(load_rlx(&asked), before, "a thread takes the record of one that has ended");
}

/* ---- What was taken out is changed only when nobody looks any more */

struct object {
	uint64_t good, also;
};

static struct object object[OBJECTS];
static struct object *current;
static bool over;
static unsigned bad;

static void *look(void *stream)
{
	uint64_t random = stress_state((uintptr_t)stream);

	while (!load_acq(&over)) {
		struct qti_reader *r = qti_reader_enter();
		struct object *o = load_acq(&current);
		const uint64_t good = o->good;
		stress_pause(stress_random(&random, 20));
		if (good != 1 || o->also != 1)
			add_rlx(&bad, 1);
		qti_reader_leave(r);
		if (stress_random(&random, 16) == 0)
			sched_yield();
	}
	return NULL;
}

static void change(unsigned rounds)
{
	for (unsigned i = 1; i <= rounds; i++) {
		struct object *next = &object[i % OBJECTS], *old = load_rlx(&current);

		next->good = next->also = 1;
		store_rel(&current, next);
		qti_readers_wait();
		old->good = old->also = 0;
	}
}

static void nobody_looks(const char *how)
{
	pthread_t thread[READERS];

	stress_watch(how);
	object[0].good = object[0].also = 1;
	current = &object[0];
	over = false;
	bad = 0;
	for (uintptr_t i = 0; i < READERS; i++)
		thread[i] = begin(look, (void *)i);
	change(stress_rounds(ROUNDS));
	store_rel(&over, true);
	for (int i = 0; i < READERS; i++)
		pthread_join(thread[i], NULL);
	is_int(bad, 0, "nothing changes beneath a reader, %s", how);
}

/* ---- Memory comes back while a section without a record is open */

static void *recovers(void *unused)
{
	starving = true;
	struct qti_reader *outer = qti_reader_enter();
	starving = false;
	struct qti_reader *inner = qti_reader_enter();
	ok(!outer && inner, "qti_reader_enter gives the inner section a record, if the outer one has none");
	qti_reader_leave(inner);
	ok(qti_reader_inside(), "qti_reader_leave of the inner section: still inside");
	qti_reader_leave(outer);
	ok(!qti_reader_inside(), "qti_reader_leave of the outer section: outside");
	return unused;
}

/* ---- The pair of fences */

/* A runtime that starts while threads are inside must not change what they go by. */
static void fences_are_set_up(void)
{
	const bool before = qti_fence_asymmetric;

	qti_fence_setup();
	is_int(qti_fence_asymmetric, before, "the first section has called qti_fence_setup");
}

int main(void)
{
	plan(6 + 1 + 2 * 3 + 3 + 1 + 2);
	stress_say(stress_rounds(ROUNDS));
	qti_mem_fault = fault;
	one_thread();
	fences_are_set_up();
	waits(true);
	run_in_thread(recovers, NULL);
	waits(false);
	records_are_reused();
	nobody_looks("with asymmetric fences, where the kernel has them");
	qti_fence_asymmetric = false;
	nobody_looks("with full fences");
	return done();
}
