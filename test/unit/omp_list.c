/* test/unit/omp_list.c -- teams that keep their tasks in a list, as those of threads that are no workers do: most tasks
 * of a recursion run in place while enough others are in the list, unless that may be wrong.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "api/every.h"
#include "omp/abi/gomp_critical.h"
#include "omp/abi/gomp_parallel.h"
#include "omp/abi/gomp_tasking.h"

#include <pthread.h>
#include <sched.h>

/* As <omp.h>, which belongs to the compiler, declares it. */
extern int omp_get_thread_num(void);

enum { THREADS = 2, OTHERS = 64 };

static uint32_t ran, in_place, over;
static __thread bool creating;

static void create(void (*fn)(void *), int data)
{
	creating = true;
	GOMP_task(fn, &data, NULL, sizeof(data), _Alignof(int), true, 0, NULL, 0, NULL);
	creating = false;
}

/* First in each task. */
static void count(void)
{
	__atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&in_place, creating, __ATOMIC_RELAXED);
	creating = false;
}

static void leaf(void *unused)
{
	(void)unused;
	count();
}

static void tree(void *depth)
{
	const int d = *(int *)depth;

	count();
	if (d > 0) {
		create(tree, d - 1);
		create(tree, d - 1);
		GOMP_taskwait();
	}
}

static void chain(void *length)
{
	const int n = *(int *)length;

	count();
	if (n > 0)
		create(chain, n - 1);
}

/* What one thread of a team creates while the other keeps away from the list. */

static void a_tree(int depth)
{
	create(tree, depth);
	GOMP_taskwait();
}

static void a_chain(int length)
{
	for (int i = 0; i < OTHERS; i++)
		create(leaf, 0);
	create(chain, length);
	GOMP_taskwait();
}

/* The root's children come while their creator, another task than that of the others, has the lock. */
static void locked_root(void *n)
{
	GOMP_critical_start();
	for (int i = 0; i < *(int *)n; i++)
		create(leaf, 0);
	GOMP_critical_end();
}

static void under_a_lock(int n)
{
	for (int i = 0; i < OTHERS; i++)
		create(leaf, 0);
	create(locked_root, n);
	GOMP_taskwait();
}

struct job {
	void (*fn)(int n);
	int n;
};

static void member(void *arg)
{
	const struct job *j = arg;

	if (omp_get_thread_num() == 0) {
		j->fn(j->n);
		__atomic_store_n(&over, 1, __ATOMIC_RELEASE);
	}
	while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE))
		sched_yield();
}

static void *thread(void *job)
{
	ran = in_place = over = 0;
	GOMP_parallel(member, job, THREADS, 0);
	return NULL;
}

static void run(void (*fn)(int n), int n)
{
	struct job j = { fn, n };
	pthread_t t;

	if (pthread_create(&t, NULL, thread, &j) != 0)
		bail_out("no thread");
	pthread_join(t, NULL);
}

static void start(const char *inlining, const char *constraint)
{
	setenv("QT_INLINE_JOIN", inlining, 1);
	setenv("QT_TASK_CONSTRAINT", constraint, 1);
	every_start("mts", "1", "2");
}

static void few_are_in_the_list(void)
{
	const int depth = 12, tasks = (2 << depth) - 1, length = every_is_slow() ? 10000 : 1000000;

	start("yes", "no");
	run(a_tree, depth);
	is_int(ran, tasks, "all tasks of a tree run");
	ok(in_place > (uint32_t)tasks / 4 * 3, "most of them in place (%u of %d)", in_place, tasks);
	run(a_chain, length);
	is_int(ran, OTHERS + length + 1, "tasks that each create the next need no more stack than there is");
	ok(in_place > 0, "though some run in place (%u)", in_place);
	qthread_finalize();
}

static void all_are(const char *inlining, const char *constraint, const char *what)
{
	const int depth = 6, tasks = (2 << depth) - 1;

	start(inlining, constraint);
	run(a_tree, depth);
	is_int(ran, tasks, "%s: all tasks of a tree run", what);
	is_int(in_place, 0, "%s: none of them in place", what);
	qthread_finalize();
}

static void nor_with_a_lock(void)
{
	start("yes", "no");
	run(under_a_lock, 1);
	is_int(ran, OTHERS + 1, "all tasks run whose creator has a lock");
	is_int(in_place, 0, "none of them in place");
	qthread_finalize();
}

int main(void)
{
	plan(10);
	few_are_in_the_list();
	all_are("no", "no", "QT_INLINE_JOIN=no");
	all_are("yes", "yes", "QT_TASK_CONSTRAINT=yes");
	nor_with_a_lock();
	return done();
}
