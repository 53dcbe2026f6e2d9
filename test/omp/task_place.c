/* test/omp/task_place.c -- tasks that could run in their creators' place: not where that would need what they have.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each check has several tasks in the queue first, so that a library has good reason to run others at once, but not so
 * many that it has to.
 */
#include "omp/tasking.h"

#include <alloca.h>

enum { QUEUED = 12, DEEP = 4, ROUNDS = 20, MIB = 1 << 20 };

/* --- stacks ---------------------------------------------------------------------------------------------- */

static int ended;

/* Nobody waits for the next link, so one stack after the other is enough. */
static __attribute__((noinline)) void link_of(int left, size_t bytes)
{
	volatile char *frame = alloca(bytes);

	for (size_t i = 0; i < bytes; i += 4096)
		frame[i] = (char)left;
	bump(&ended);
	if (left > 0) {
#pragma omp task
		link_of(left - 1, bytes);
	}
	frame[0] = 1;
}

/* A checker of memory takes a step of some MiB for a change of stacks. */
static void chains(int bytes, const char *what)
{
	const size_t frame = (size_t)every_scaled(bytes);

	ended = 0;
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < QUEUED; i++) {
#pragma omp task
		link_of(DEEP, frame);
	}
	is_int(ended, QUEUED * (DEEP + 1), "task: chains of tasks, each of which takes %s of stack", what);
}

/* --- locks ----------------------------------------------------------------------------------------------- */

static int in_critical, in_named, in_lock, in_nest;
static omp_lock_t lock;
static omp_nest_lock_t nest;

static void of_critical(void)
{
#pragma omp task
	{
#pragma omp critical
		in_critical++;
	}
}

static void of_named(void)
{
#pragma omp task
	{
#pragma omp critical(name)
		in_named++;
	}
}

static void of_lock(void)
{
#pragma omp task
	{
		omp_set_lock(&lock);
		in_lock++;
		omp_unset_lock(&lock);
	}
}

static void of_nest(void)
{
#pragma omp task
	{
		omp_set_nest_lock(&nest);
		in_nest++;
		omp_unset_nest_lock(&nest);
	}
}

static void create_with_locks(void)
{
#pragma omp critical
	of_critical();
#pragma omp critical(name)
	of_named();
	omp_set_lock(&lock);
	of_lock();
	omp_unset_lock(&lock);
	while (!omp_test_lock(&lock))
		sched_yield();
	of_lock();
	omp_unset_lock(&lock);
	omp_set_nest_lock(&nest);
	omp_set_nest_lock(&nest);
	omp_unset_nest_lock(&nest);
	of_nest();
	omp_unset_nest_lock(&nest);
	while (!omp_test_nest_lock(&nest))
		sched_yield();
	of_nest();
	omp_unset_nest_lock(&nest);
}

static void locks(void)
{
	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
	for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel
#pragma omp single
		for (int i = 0; i < QUEUED; i++) {
#pragma omp task
			create_with_locks();
		}
	}
	omp_destroy_lock(&lock);
	omp_destroy_nest_lock(&nest);
	is_int(in_critical, QUEUED * ROUNDS, "critical: a task is created in one that enters it, too");
	is_int(in_named, QUEUED * ROUNDS, "critical(name): likewise");
	is_int(in_lock, 2 * QUEUED * ROUNDS, "omp_set_lock, omp_test_lock: a task is created by who has a lock, and takes it, too");
	is_int(in_nest, 2 * QUEUED * ROUNDS, "omp_set_nest_lock, omp_test_nest_lock: likewise");
}

int main(void)
{
	plan(3 + 4);
	omp_set_dynamic(0);
	chains(MIB / 2, "half a MiB");
	if (omp_get_max_threads() == 1) {
		skip(6, "with one thread all tasks may run in place");
		return done();
	}
	chains(5 * MIB / 2, "2.5 MiB");
	chains(5 * MIB, "5 MiB");
	locks();
	return done();
}
