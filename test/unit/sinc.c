/* test/unit/sinc.c -- sincs keep their promises where memory is short, and where a submission is slow to leave.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The file under test is compiled in here, with full/empty calls that can be made to fail or to take their time.
 */
#include "api/every.h"
#include "fault.h"
#include "sync/feb.h"

#include <sched.h>

/* The calls that sync/sinc.c makes.  While `slow` is set, a fill waits until the test has arranged what should be
 * happening meanwhile. */
static bool no_entries, slow;
static aligned_t filling, reopening, waiting, go;

static bool is_set(aligned_t *flag)
{
	return __atomic_load_n(flag, __ATOMIC_ACQUIRE) != 0;
}

static void set(aligned_t *flag)
{
	__atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

static int hooked_empty(aligned_t const *word)
{
	const int rc = no_entries ? QTHREAD_MALLOC_ERROR : qthread_empty(word);

	set(&reopening);
	return rc;
}

static int hooked_readFE(aligned_t *dest, aligned_t const *word)
{
	set(&reopening);
	return no_entries ? QTHREAD_MALLOC_ERROR : qthread_readFE(dest, word);
}

static int hooked_await(aligned_t const *word, enum qti_wait_kind kind)
{
	set(&waiting);
	return qti_feb_await(word, kind);
}

static int hooked_fill(aligned_t const *word)
{
	if (slow) {
		set(&filling);
		while (!is_set(&go))
			sched_yield();
	}
	return qthread_fill(word);
}

#define qthread_empty hooked_empty
#define qthread_readFE hooked_readFE
#define qti_feb_await hooked_await
#define qthread_fill hooked_fill
#include "sync/sinc.c"
#undef qthread_empty
#undef qthread_readFE
#undef qti_feb_await
#undef qthread_fill

enum { CHECKS_PER_RUN = 4, OTHER_CHECKS = 10 };

static aligned_t seen;

static aligned_t one(void *arg)
{
	(void)arg;
	qthread_incr(&seen, 1);
	return 1;
}

static void sum(void *tgt, void const *src)
{
	*(aligned_t *)tgt += *(aligned_t const *)src;
}

static int spawn_on(qt_sinc_t *s)
{
	return qthread_spawn(one, NULL, 0, s, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_RET_SINC);
}

static void run(const char *what)
{
	const aligned_t zero = 0;
	aligned_t total = 0;
	qt_sinc_t s;
	int early = 0;

	no_entries = true;
	qt_sinc_init(&s, sizeof(zero), &zero, sum, 100);
	for (int i = 0; i < 100; i++)
		spawn_on(&s);
	qt_sinc_wait(&s, &total);
	is_int(total, 100, "%s: without an entry a round is polled", what);

	seen = 0;
	for (int r = 1; r <= 200; r++) {
		no_entries = r % 3 == 0;
		qt_sinc_expect(&s, 1);
		spawn_on(&s);
		if (r % 5 == 0) {
			qt_sinc_wait(&s, &total);
			early += total != 100 + (aligned_t)r || qthread_cas(&seen, 0, 0) != (aligned_t)r;
		}
	}
	qt_sinc_wait(&s, &total);
	is_int(early, 0, "%s: polled and other rounds follow each other", what);
	is_int(total, 300, "%s: and count everything", what);

	no_entries = true;
	qt_sinc_reset(&s, 2);
	spawn_on(&s);
	spawn_on(&s);
	qt_sinc_wait(&s, &total);
	is_int(total, 2, "%s: reset begins a polled round as well", what);
	qt_sinc_fini(&s);
	no_entries = false;
}

/* ---- No memory for the values */

static void out_of_memory(void)
{
	aligned_t got = 7;
	qt_sinc_t s, *made = NULL;
	int failures = 0;

	every_start("mts", "1", "1");
	qti_mem_fault = fault;
	for (unsigned nth = 1; !made && nth <= 10; nth++) {
		fault_at(nth);
		made = qt_sinc_create(sizeof(aligned_t), NULL, sum, 1);
		failures += !made;
	}
	fault_end();
	ok(made, "qt_sinc_create succeeds once there is memory");
	is_int(failures, 2, "and returns NULL for each allocation that fails");
	qt_sinc_submit(made, &got);
	got = 0;
	qt_sinc_wait(made, &got);
	is_int(got, 7, "what it makes in the end works");
	qt_sinc_destroy(made);

	fault_at(1);
	qt_sinc_init(&s, sizeof(aligned_t), NULL, sum, 2);
	fault_end();
	got = 9;
	seen = 0;
	spawn_on(&s);
	spawn_on(&s);
	qt_sinc_wait(&s, &got);
	is_int(got, 9, "qt_sinc_init without memory makes a counter: the target is left alone");
	is_int(seen, 2, "which counts");
	ok(!qt_sinc_tmpdata(&s), "and has no shares");
	qt_sinc_fini(&s);
	qthread_finalize();
}

/* ---- SI4: between the count's zero and the fill, others announce more */

static qt_sinc_t raced;
static aligned_t submissions, expected, seen_by_waiter, waiter_done;

static void *submit_last(void *arg)
{
	(void)arg;
	qt_sinc_submit(&raced, NULL);
	return NULL;
}

static void *expect_another(void *arg)
{
	(void)arg;
	qt_sinc_expect(&raced, 1);
	set(&expected);
	return NULL;
}

static void *expect_and_wait(void *arg)
{
	qt_sinc_expect(&raced, 1);
	qt_sinc_wait(&raced, NULL);
	seen_by_waiter = qthread_incr(&submissions, 0);
	set(&waiter_done);
	return arg;
}

static pthread_t start(void *(*body)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, body, NULL) != 0)
		bail_out("pthread_create failed");
	return thread;
}

static void await(aligned_t *flag)
{
	while (!is_set(flag))
		sched_yield();
}

/* As long as it may take a call that must not get there to get there, were it broken. */
static void linger(aligned_t *flag)
{
	for (int i = 0; i < 2000 && !is_set(flag); i++)
		sched_yield();
}

static void late_fill(void)
{
	pthread_t last, opener, waiter;
	const aligned_t *ready = &sinc_inside(&raced)->ready;

	every_start("mts", "1", "1");
	submissions = expected = waiter_done = filling = go = 0;
	qt_sinc_init(&raced, 0, NULL, NULL, 1);
	slow = true;
	last = start(submit_last);
	await(&filling);                /* the count is zero, the word still empty */
	reopening = waiting = 0;
	opener = start(expect_another);
	await(&reopening);
	linger(&expected);
	ok(!is_set(&expected), "an expect that finds zero waits for the fill that is still to come");
	waiter = start(expect_and_wait);
	linger(&waiting);
	ok(!is_set(&waiting), "another expect beside it waits until the word is empty again");
	set(&go);
	pthread_join(last, NULL);
	pthread_join(opener, NULL);
	await(&waiting);
	linger(&waiter_done);
	ok(!is_set(&waiter_done) && qthread_feb_status(ready) == 0, "the late fill does not end the new round");
	for (int i = 0; i < 2; i++) {
		qthread_incr(&submissions, 1);
		qt_sinc_submit(&raced, NULL);
	}
	pthread_join(waiter, NULL);
	is_int(seen_by_waiter, 2, "its submissions do");
	slow = false;
	qt_sinc_fini(&raced);
	qthread_finalize();
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN + OTHER_CHECKS);
	out_of_memory();
	late_fill();
	every_runtime(run);
	return done();
}
