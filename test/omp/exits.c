/* test/omp/exits.c -- exit(3) in the handler of a signal, at any moment of a program with regions and tasks.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS is the number of processes of each kind (default 15).
 */
#include "moment.h"
#include "omp/every.h"
#include "omp/fib.h"

#include <pthread.h>

enum { ROUNDS = 15 };

/* Regions of one to four threads, one after the other; the member's thread is told that its moment comes. */
static void regions(int member)
{
	for (unsigned i = 0;; i++) {
#pragma omp parallel num_threads(1 + i % 4)
		{
			if (omp_get_thread_num() == member)
				moment_comes();
#pragma omp single
			fib(6);
		}
	}
}

static void in_main_thread(void *unused)
{
	(void)unused;
	moment_comes();
	regions(-1);
}

static void in_member(void *unused)
{
	(void)unused;
	regions(1);
}

static void *thread_regions(void *is_interrupted)
{
	if (is_interrupted)
		moment_comes();
	regions(-1);
	return NULL;
}

static void beside(bool thread_is_interrupted)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, thread_regions, thread_is_interrupted ? &thread : NULL) != 0)
		_exit(1);
	if (!thread_is_interrupted)
		moment_comes();
	regions(-1);
}

static void beside_another(void *unused)
{
	(void)unused;
	beside(false);
}

static void in_another(void *unused)
{
	(void)unused;
	beside(true);
}

/* Here is no thread between two regions. */
static void and_pauses(void *unused)
{
	(void)unused;
	moment_comes();
	for (;;) {
#pragma omp parallel num_threads(3)
#pragma omp single
		fib(6);
		omp_pause_resource_all(omp_pause_soft);
	}
}

int main(void)
{
	const int rounds = every_scaled(getenv("QTI_ROUNDS") ? atoi(getenv("QTI_ROUNDS")) : ROUNDS);

	plan(5);
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
	skip(5, "sanitizers call handlers late, or do at exit what no handler may");
	return done();
#endif
	if (!leaks_allowed()) {
		skip(5, "valgrind counts what threads own that still run as lost, and cannot be told otherwise");
		return done();
	}
	if (moments_counted()) {
		skip(5, MOMENTS_COUNTED);
		return done();
	}
	moment_begin();
	is_int(moments(rounds, in_main_thread, NULL), rounds, "exit() in a handler in the main thread, %d times", rounds);
	is_int(moments(rounds, in_member, NULL), rounds, "in another thread of its regions, %d times", rounds);
	is_int(moments(rounds, beside_another, NULL), rounds, "in the main thread beside regions of a pthread, %d times", rounds);
	is_int(moments(rounds, in_another, NULL), rounds, "in that pthread, %d times", rounds);
	is_int(moments(rounds, and_pauses, NULL), rounds, "in a program that ends its threads again and again, %d times", rounds);
	return done();
}
