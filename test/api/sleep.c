/* test/api/sleep.c -- tasks that sleep: long enough, in the right order, and in nobody's way.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Nothing here takes it for granted that a thread gets a CPU soon: only what is too early is wrong.
 */
#include "blocking.h"
#include "child.h"
#include "machine/fiber.h"
#include "process.h"

#include <qthread/qt_syscalls.h>


enum { CHECKS_PER_RUN = 11, OTHER_CHECKS = 12 };

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- long enough ------------------------------------------------------------------------------------------------ */

static aligned_t sleeps_usleep(void *us)
{
	uint64_t before = now_ns();
	int rc = qt_usleep((unsigned)(uintptr_t)us);

	return rc == 0 && on_worker() && now_ns() - before >= (uintptr_t)us * 1000;
}

static aligned_t sleeps_nanosleep(void *ns)
{
	uint64_t before = now_ns();
	struct timespec t = { .tv_nsec = (long)(intptr_t)ns }, rest = { .tv_sec = 77, .tv_nsec = 78 };
	int rc = qt_nanosleep(&t, &rest);

	return rc == 0 && rest.tv_sec == 77 && rest.tv_nsec == 78 && now_ns() - before >= (uintptr_t)ns;
}

static aligned_t sleeps_sleep(void *s)
{
	uint64_t before = now_ns();
	unsigned rc = qt_sleep((unsigned)(uintptr_t)s);

	return rc == 0 && now_ns() - before >= (uintptr_t)s * UINT64_C(1000000000);
}

static void outside(void *good)
{
	*(bool *)good = sleeps_nanosleep((void *)1000) || now_ns() > 0;
	*(bool *)good = *(bool *)good && qt_usleep(1) == 0 && qt_sleep(0) == 0;
}

static aligned_t sleeps_in_place(void *us)
{
	uint64_t before = now_ns();

	return qt_usleep((unsigned)(uintptr_t)us) == 0 && now_ns() - before >= (uintptr_t)us * 1000;
}

static void long_enough(const char *what)
{
	aligned_t simple = 0;
	bool good = false;

	is_int(in_task(sleeps_usleep, (void *)1500, NULL), 1, "%s: qt_usleep", what);
	is_int(in_task(sleeps_nanosleep, (void *)700000, NULL), 1, "%s: qt_nanosleep", what);
	ok(sleeps_usleep((void *)500), "%s: qt_usleep in the main task", what);
	qthread_spawn(sleeps_in_place, (void *)500, 0, &simple, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_SIMPLE);
	qthread_readFF(&simple, &simple);
	is_int(simple, 1, "%s: qt_usleep in a simple task", what);
	every_outside(outside, &good);
	ok(good, "%s: qt_sleep, qt_usleep and qt_nanosleep in an external thread", what);
}

static aligned_t bad_times(void *arg)
{
	static const struct timespec bad[] = { { 0, -1 }, { 0, 1000000000 }, { -1, 0 }, { 5, 1L << 40 } };
	bool good = true;

	(void)arg;
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		qt_errno = 0;
		good = good && qt_nanosleep(&bad[i], NULL) == -1 && qt_errno == EINVAL;
	}
	qt_errno = 0;
	return good && qt_nanosleep(NULL, NULL) == -1 && qt_errno == EFAULT;
}

static void bad_input(const char *what)
{
	is_int(in_task(bad_times, NULL, NULL), 1, "%s: qt_nanosleep says EINVAL and EFAULT", what);
}

/* ---- in nobody's way -------------------------------------------------------------------------------------------- */

static uint32_t flag;

static aligned_t sleeps_until_flag(void *us)
{
	aligned_t times = 0;

	flag_raise(&there);
	do {
		qt_usleep((unsigned)(uintptr_t)us);
		times++;
	} while (!flag_is_up(&flag));
	return times;
}

static void raise_flag(void)
{
	flag_raise(&flag);
}

static aligned_t raises_flag(void *arg)
{
	(void)arg;
	raise_flag();
	return 0;
}

static void lets_others_run(const char *what)
{
	for (uintptr_t us = 0; us <= 100; us += 100) {
		flag = 0;
		ok(in_task(sleeps_until_flag, (void *)us, raise_flag) > 0, "%s: qt_usleep(%d) lets the worker go on",
			what, (int)us);
	}
	flag = 0;
	qthread_fork(raises_flag, NULL, NULL);
	ok(sleeps_until_flag(0) > 0, "%s: qt_usleep of the main task lets others run", what);
}

static aligned_t stays_home(void *arg)
{
	qthread_shepherd_id_t home = (qthread_shepherd_id_t)(uintptr_t)arg;

	for (unsigned i = 0; i < 10; i++) {
		qt_usleep(i);
		if (qthread_shep() != home)
			return 0;
	}
	return 1;
}

static void wakes_at_home(const char *what)
{
	qthread_shepherd_id_t last = (qthread_shepherd_id_t)(qthread_num_shepherds() - 1);
	aligned_t ret = 0;

	qthread_fork_to(stays_home, (void *)(uintptr_t)last, &ret, last);
	qthread_readFF(&ret, &ret);
	is_int(ret, 1, "%s: qt_usleep wakes a pinned task where it is pinned", what);
}

enum { SLEEPERS = 300 };

static aligned_t woken;

static aligned_t sleeps_a_bit(void *us)
{
	qt_usleep((unsigned)(uintptr_t)us);
	qthread_incr(&woken, 1);
	return 0;
}

static void crowd(const char *what, int n, unsigned us)
{
	aligned_t *ret = calloc((size_t)n, sizeof(*ret));

	woken = 0;
	for (int i = 0; i < n; i++)
		if (qthread_fork(sleeps_a_bit, (void *)(uintptr_t)((unsigned)i * 7919u % us), &ret[i]) !=
			QTHREAD_SUCCESS)
			bail_out("qthread_fork failed");
	for (int i = 0; i < n; i++)
		qthread_readFF(NULL, &ret[i]);
	is_int(woken, n, "%s: qt_usleep in %d tasks at once", what, n);
	free(ret);
}

static void run(const char *what)
{
	long_enough(what);
	bad_input(what);
	lets_others_run(what);
	wakes_at_home(what);
	crowd(what, every_scaled(SLEEPERS), 2000);
}

/* ---- in the right order ----------------------------------------------------------------------------------------- */

enum { ORDERED = 40 };

/* When each began to sleep, and the place in which it woke.  On one worker, first in, first out, a task is asleep when
 * the next one begins: so its time is up before the next one's beginning and its own duration. */
static uint64_t began[ORDERED + 1];
static unsigned place[ORDERED], places;

static unsigned duration_us(unsigned i)
{
	return i * 13 % ORDERED * 500;
}

static aligned_t sleeps_in_order(void *arg)
{
	unsigned i = (unsigned)(uintptr_t)arg;

	began[i] = now_ns();
	qt_usleep(duration_us(i));
	place[i] = places++;
	return 0;
}

static void in_order(void)
{
	aligned_t ret[ORDERED];
	int wrong = 0;

	every_start("q", "1", "1");
	for (unsigned i = 0; i < ORDERED; i++)
		qthread_fork(sleeps_in_order, (void *)(uintptr_t)i, &ret[i]);
	for (unsigned i = 0; i < ORDERED; i++)
		qthread_readFF(NULL, &ret[i]);
	began[ORDERED] = now_ns();
	qthread_finalize();
	for (unsigned i = 0; i < ORDERED; i++)
		for (unsigned j = 0; j < ORDERED; j++)
			wrong += place[i] < place[j] &&
				began[i] + 1000u * duration_us(i) > began[j + 1] + 1000u * duration_us(j);
	is_int(places, ORDERED, "qt_usleep: all wake");
	is_int(wrong, 0, "qt_usleep: who is due first wakes first");
}

/* ---- threads ---------------------------------------------------------------------------------------------------- */

static void many(int before)
{
	const int n = every_scaled(10000);
	char what[32];

	every_start("mts", "1", "2");
	snprintf(what, sizeof(what), "mts, %d", n);
	crowd(what, n, 60000);
	is_int(process_threads(), before + 2, "qt_usleep takes one thread for all");
	qthread_finalize();
	while (process_threads() != before)
		sched_yield();
	is_int(process_threads(), before, "qthread_finalize leaves none");
}

static aligned_t sleeps_for_a_second(void *arg)
{
	return sleeps_sleep(arg);
}

static void a_second(void)
{
	aligned_t ret[SLEEPERS];
	int good = 0;

	every_start("ws", "1", "1");
	for (int i = 0; i < SLEEPERS; i++)
		qthread_fork(sleeps_for_a_second, (void *)1, &ret[i]);
	for (int i = 0; i < SLEEPERS; i++) {
		qthread_readFF(&ret[i], &ret[i]);
		good += ret[i] == 1;
	}
	qthread_finalize();
	is_int(good, SLEEPERS, "qt_sleep");
}

/* ---- how it ends ------------------------------------------------------------------------------------------------ */

static aligned_t finished;

static aligned_t sleeps_thrice(void *arg)
{
	(void)arg;
	for (unsigned i = 0; i < 3; i++) {
		qt_usleep(300 * i);
		qthread_yield();
	}
	raise_flag();
	qthread_incr(&finished, 1);
	return 0;
}

static aligned_t polls(void *arg)
{
	(void)arg;
	while (!flag_is_up(&flag))
		qthread_yield();
	qthread_incr(&finished, 1);
	return 0;
}

static void finalize_waits(const char *workers)
{
	finished = 0;
	flag = 0;
	every_start("mts", "1", workers);
	qthread_fork(polls, NULL, NULL);
	for (int i = 0; i < SLEEPERS; i++)
		qthread_fork(sleeps_thrice, NULL, NULL);
	qthread_finalize();
	is_int(finished, SLEEPERS + 1, "qthread_finalize waits for those who sleep, and those who wait for them");
}

static aligned_t sleeps_for_ever(void *arg)
{
	static const struct timespec ever = { .tv_sec = INT64_MAX, .tv_nsec = 999999999 };

	flag_raise(&there);
	return arg ? qt_sleep(1000000) : (aligned_t)qt_nanosleep(&ever, NULL);
}

static void leave_asleep(void *unused)
{
	(void)unused;
	every_start("mts", "1", "2");
	qthread_fork(sleeps_for_ever, NULL, NULL);
	until_flag(&there);
	for (uintptr_t i = 0; i < 100; i++)
		qthread_fork(sleeps_for_ever, (void *)(i % 2), NULL);
}

static void endings(void)
{
	struct child c;

	finalize_waits("1");
	finalize_waits("2");
	child_run(&c, leave_asleep, NULL);
	if (!ok(child_ended_well(&c), "exit does not wait for those who sleep"))
		child_tell(&c);
	ok(qt_usleep(1) == 0 && qt_sleep(0) == 0, "qt_usleep and qt_sleep while the runtime is down");
	ok(sleeps_nanosleep((void *)1000), "qt_nanosleep while the runtime is down");
	ok(bad_times(NULL), "qt_nanosleep says EINVAL and EFAULT while the runtime is down");
}

int main(void)
{
	process_needs_proc();
	plan(every_runs() * CHECKS_PER_RUN + OTHER_CHECKS);
	const int before = process_threads_at_first();
	every_runtime(run);
	in_order();
	many(before);
	a_second();
	endings();
	return done();
}
