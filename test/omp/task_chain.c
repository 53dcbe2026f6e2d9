/* test/omp/task_chain.c -- tasks each of which creates the next: however many, they need no more stack than there is.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/tasking.h"

#include <pthread.h>

enum { SMALL_STACK = 128 << 10 };

/* ThreadSanitizer knows of 65,536 calls at most that have not returned. */
#ifdef __SANITIZE_THREAD__
enum { LONG = 20000 };
#else
enum { LONG = 100000 };
#endif

static int ran, length;

/* --- links ---------------------------------------------------------------------------------------------- */

/* Something that is on the stack, and stays. */
static void use_stack(int left)
{
	volatile char used[200];

	used[left % 200] = 1;
	bump(&ran);
	(void)used[left % 200];
}

static void plain(int left)
{
	use_stack(left);
	if (left > 0) {
#pragma omp task firstprivate(left)
		plain(left - 1);
	}
}

struct large {
	int left;
	char more[1000];
};

static void with_much_data(struct large l)
{
	use_stack(l.left);
	if (l.left-- > 0) {
#pragma omp task firstprivate(l)
		with_much_data(l);
	}
}

static void start_with_much_data(int left)
{
	with_much_data((struct large){ .left = left });
}

static void with_dependence(int left)
{
	int x = 0;

	use_stack(left);
	if (left > 0) {
#pragma omp task firstprivate(left, x) depend(inout : x)
		with_dependence(left - 1);
	}
	(void)x;
}

static void untied(int left)
{
	use_stack(left);
	if (left > 0) {
#pragma omp task firstprivate(left) untied mergeable priority(1)
		untied(left - 1);
	}
}

static void undeferred_between(int left)
{
	use_stack(left);
	if (left > 0) {
#pragma omp task firstprivate(left) if (left % 2)
		undeferred_between(left - 1);
	}
}

static void by_loop(int left)
{
	use_stack(left);
	if (left > 0) {
#pragma omp taskloop firstprivate(left) nogroup num_tasks(1)
		for (int i = 0; i < 1; i++)
			by_loop(left - 1);
	}
}

/* Its brother is there when the stack ends, too. */
static void with_brother(int left)
{
	use_stack(left);
	if (left > 1) {
#pragma omp task firstprivate(left)
		use_stack(left);
#pragma omp task firstprivate(left)
		with_brother(left - 2);
	}
}

/* --- where ---------------------------------------------------------------------------------------------- */

typedef void link_fn(int left);

static void in_region(link_fn *first)
{
#pragma omp parallel
#pragma omp single
	first(length);
}

static void in_region_of_one(link_fn *first)
{
#pragma omp parallel num_threads(1)
	first(length);
}

static void in_group(link_fn *first)
{
#pragma omp parallel num_threads(1)
#pragma omp taskgroup
	first(length);
}

static void in_nested_region(link_fn *first)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	in_region_of_one(first);
}

/* The first one returns when all have run, for no region's end follows. */
static void in_no_region(link_fn *first)
{
	first(length);
}

/* --- on whose stack ------------------------------------------------------------------------------------- */

struct run {
	void (*where)(link_fn *first);
	link_fn *first;
};

static void *run(void *arg)
{
	const struct run *r = arg;

	r->where(r->first);
	return NULL;
}

static bool all_run(void (*where)(link_fn *first), link_fn *first)
{
	struct run r = { where, first };

	ran = 0;
	run(&r);
	return ran == length + 1;
}

static bool all_run_on_small_stack(void (*where)(link_fn *first), link_fn *first)
{
	struct run r = { where, first };
	pthread_attr_t attr;
	pthread_t thread;

	ran = 0;
	pthread_attr_init(&attr);
	if (pthread_attr_setstacksize(&attr, SMALL_STACK) != 0 || pthread_create(&thread, &attr, run, &r) != 0)
		return false;
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attr);
	return ran == length + 1;
}

static void each_place(const char *what, link_fn *first)
{
	ok(all_run(in_region, first), "%s: in a region", what);
	ok(all_run(in_region_of_one, first), "%s: in a region of one thread", what);
	ok(all_run(in_group, first), "%s: in a taskgroup", what);
	ok(all_run(in_nested_region, first), "%s: in a nested region", what);
	ok(all_run_on_small_stack(in_region, first), "%s: in a region of a thread with a small stack", what);
	ok(all_run_on_small_stack(in_group, first), "%s: in a taskgroup of a thread with a small stack", what);
	if (on_oracle()) {
		skip(2, "tasks outside of regions overflow the stack there");
		return;
	}
	ok(all_run(in_no_region, first), "%s: outside of regions", what);
	ok(all_run_on_small_stack(in_no_region, first), "%s: outside of regions, on a small stack", what);
}

int main(void)
{
	plan(57);
	length = every_scaled(3 * LONG);
	ok(all_run(in_region_of_one, plain), "a chain of %d: the main thread", length);
	length = every_scaled(LONG);
	each_place("a task", plain);
	each_place("with data that are copied", start_with_much_data);
	each_place("with a dependence", with_dependence);
	each_place("untied", untied);
	each_place("every other one undeferred", undeferred_between);
	each_place("a taskloop", by_loop);
	if (on_oracle())
		skip(8, "tasks of which many wait overflow the stack there");
	else
		each_place("with a brother", with_brother);
	return done();
}
