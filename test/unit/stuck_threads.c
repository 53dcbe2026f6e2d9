/* test/unit/stuck_threads.c -- a thread that is woken while those who sleep are counted is not taken to be asleep.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The file under test is compiled in here, with a count in the midst of which the test does something.
 */
#include "api/every.h"
#include "api/waits.h"
#include "process.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static void (*meanwhile)(void);

static size_t hooked_threads(void)
{
	size_t asleep = qti_waits_threads();

	if (meanwhile)
		meanwhile();
	return asleep;
}

#define qti_waits_threads hooked_threads
#include "api/stuck.c"
#undef qti_waits_threads

static aligned_t word;
static bool go_on;

static void *sleeper(void *unused)
{
	qthread_readFF(NULL, &word);
	while (!__atomic_load_n(&go_on, __ATOMIC_ACQUIRE))
		sched_yield();
	return unused;
}

static void wake_up(void)
{
	qthread_fill(&word);
}

int main(void)
{
	pthread_t thread;

	process_needs_proc();
	plan(3);
	setenv("QT_HWPAR", "1", 1);
	if (qthread_initialize() != QTHREAD_SUCCESS)
		return 1;
	qthread_empty(&word);
	pthread_create(&thread, NULL, sleeper, NULL);
	while (qti_waits_threads() == 0)
		sched_yield();
	ok(who_is_outside() == NOBODY, "the only thread there is sleeps: nobody is left");
	meanwhile = wake_up;
	ok(who_is_outside() == SOMEBODY, "it is woken after it has been counted: somebody is");
	meanwhile = NULL;
	ok(who_is_outside() == SOMEBODY, "it runs: somebody is");
	__atomic_store_n(&go_on, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	return done();
}
