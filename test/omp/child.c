/* test/omp/child.c -- the child of fork(2) has regions and tasks, whatever the parent's other threads were doing.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * QTI_ROUNDS is the number of children of each kind (default 60).
 */
#include "leaks.h"
#include "omp/again.h"
#include "omp/every.h"
#include "omp/fib.h"

#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 20, LIMIT = 30, STARTS = 10, GOOD = 42, BUSY = 2 };

/* Records of every kind. */
static int work(void)
{
	int sum = 0, word = 0, f = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
		f = fib(9);
#pragma omp taskgroup
		for (int i = 0; i < 40; i++) {
#pragma omp task depend(inout : word)
			word++;
#pragma omp task
			{
#pragma omp atomic
				sum++;
			}
		}
	}
	return f == 34 && sum == 40 && word == 40;
}

static int children(int rounds)
{
	int good = 0;

	for (int i = 0; i < rounds; i++) {
		const pid_t child = fork();
		int status = 0;

		if (child == 0) {
			alarm(LIMIT);
			leaks_allow();         /* of what it has of its parent's runtime: that is not given back */
			_exit(work() && work() ? GOOD : 1);
		}
		if (child > 0)
			waitpid(child, &status, 0);
		good += WIFEXITED(status) && WEXITSTATUS(status) == GOOD;
	}
	return good;
}

/* In a construct whose initial task is not the thread's own: it ends it, and then itself. */
static void target_forks(void)
{
	int status = -1;
	pid_t child = -1;

	if (on_oracle()) {
		skip(1, "there the child has no region any more");
		return;
	}
	fflush(NULL);
#pragma omp target map(from: child)
	{
		child = fork();
		if (child == 0)
			mallopt(M_PERTURB, 0xa5);       /* what is freed is not to be used */
	}
	if (child == 0) {
		alarm(LIMIT);
		leaks_allow();
		pthread_exit(NULL);
	}
	if (child > 0)
		waitpid(child, &status, 0);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "fork: in a target region, which the child ends, and its thread");
}

static int enough;

static int is_enough(void)
{
	return __atomic_load_n(&enough, __ATOMIC_ACQUIRE);
}

/* Records go from one thread to another, by way of what all share. */
static int many_tasks(void)
{
	enum { MANY = 3000 };
	int sum = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < MANY; i++) {
#pragma omp task
		{
#pragma omp atomic
			sum++;
		}
	}
	return sum == MANY;
}

static void *busy(void *arg)
{
	while (!is_enough())
		if (!many_tasks() || !work())
			return arg;
	return NULL;
}

static void main_thread_forks(int rounds)
{
	pthread_t thread[BUSY];
	void *wrong = NULL;

	enough = 0;
	for (int i = 0; i < BUSY; i++)
		if (pthread_create(&thread[i], NULL, busy, thread) != 0)
			bail_out("pthread_create failed");
	is_int(children(rounds), rounds, "fork: while other pthreads create tasks, %d times", rounds);
	__atomic_store_n(&enough, 1, __ATOMIC_RELEASE);
	for (int i = 0; i < BUSY; i++) {
		void *result;
		pthread_join(thread[i], &result);
		wrong = result ? result : wrong;
	}
	ok(wrong == NULL, "and those go on");
}

static struct {
	int rounds, good;
} forker;

static void *fork_all(void *arg)
{
	forker.good = children(forker.rounds);
	__atomic_store_n(&enough, 1, __ATOMIC_RELEASE);
	return arg;
}

static void another_thread_forks(int rounds)
{
	char any;
	pthread_t thread;

	enough = 0;
	forker.rounds = rounds;
	if (pthread_create(&thread, NULL, fork_all, NULL) != 0)
		bail_out("pthread_create failed");
	ok(busy(&any) == NULL, "fork: by another pthread while the main thread creates tasks");
	pthread_join(thread, NULL);
	is_int(forker.good, rounds, "the children are all right, %d times", rounds);
}

/* hwloc, which is asked on large machines, is in the midst of its own data when a child is made. */
static int fork_while_hwloc_looks(int rounds)
{
	char any;
	pthread_t thread;

	forker.rounds = rounds;
	if (pthread_create(&thread, NULL, fork_all, NULL) != 0)
		return 2;
	(void)busy(&any);
	pthread_join(thread, NULL);
	return forker.good == rounds ? 0 : 1;
}

static void on_another_machine(void)
{
	int bad = 0;

	for (int i = 0; i < STARTS; i++)
		bad += again("hwloc", "HWLOC_SYNTHETIC=package:2 core:8 pu:2", NULL) != 0;
	is_int(bad, 0, "fork: by another pthread while hwloc looks at the machine, %d times", STARTS);
}

static void member_forks(int rounds)
{
	int good = 0, sum = 0;

	enough = 0;
#pragma omp parallel num_threads(3)
	{
#pragma omp master
		{
			good = children(rounds);
			__atomic_store_n(&enough, 1, __ATOMIC_RELEASE);
		}
		while (!is_enough()) {
#pragma omp task
			{
#pragma omp atomic
				sum++;
			}
			if (omp_get_thread_num() == 1)
				continue;
#pragma omp taskwait
		}
	}
	is_int(good, rounds, "fork: in a region whose other threads create tasks, %d times", rounds);
}

/* ---- A thread of the parent is in a section ---- */

void GOMP_atomic_start(void);
void GOMP_atomic_end(void);

enum section { UNNAMED, NAMED, ATOMIC, SECTIONS };

static int inside, left;
static omp_lock_t lock;

/* Where the thread that forks is not: `stay` until it is enough. */
static void be_inside(enum section s, int stay)
{
	switch (s) {
	case UNNAMED:
#pragma omp critical
		{
			__atomic_store_n(&inside, 1, __ATOMIC_RELEASE);
			while (stay && !is_enough())
				sched_yield();
		}
		break;
	case NAMED:
#pragma omp critical(of_child)
		{
			__atomic_store_n(&inside, 1, __ATOMIC_RELEASE);
			while (stay && !is_enough())
				sched_yield();
		}
		break;
	default:
		GOMP_atomic_start();
		__atomic_store_n(&inside, 1, __ATOMIC_RELEASE);
		while (stay && !is_enough())
			sched_yield();
		GOMP_atomic_end();
	}
}

static void *stays_inside(void *section)
{
	omp_set_lock(&lock);
	be_inside((enum section)(intptr_t)section, 1);
	omp_unset_lock(&lock);
	return NULL;
}

static int enters(enum section s)
{
	int n = 0;

	be_inside(s, 0);
#pragma omp parallel num_threads(3) reduction(+ : n)
	for (int i = 0; i < 20; i++) {
		be_inside(s, 0);
		n++;
	}
	return n == 60;
}

static int status_of(int (*body)(enum section), enum section s)
{
	int status = 0;
	const pid_t child = fork();

	if (child == 0) {
		alarm(LIMIT);
		leaks_allow();
		_exit(body(s) ? GOOD : 1);
	}
	if (child > 0)
		waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* And the child's own child. */
static int enters_twice(enum section s)
{
	return enters(s) && status_of(enters, s) == GOOD && enters(s);
}

static int lock_is_free(enum section unused)
{
	(void)unused;
	return omp_test_lock(&lock);
}

static void another_is_inside(void)
{
	pthread_t thread;
	int good = 0, free = 0;

	omp_init_lock(&lock);
	for (intptr_t s = 0; s < SECTIONS; s++) {
		enough = inside = 0;
		if (pthread_create(&thread, NULL, stays_inside, (void *)s) != 0)
			bail_out("pthread_create failed");
		while (!__atomic_load_n(&inside, __ATOMIC_ACQUIRE))
			sched_yield();
		good += status_of(enters_twice, (enum section)s) == GOOD;
		free += status_of(lock_is_free, (enum section)s) == GOOD;
		__atomic_store_n(&enough, 1, __ATOMIC_RELEASE);
		pthread_join(thread, NULL);
	}
	is_int(good, SECTIONS, "fork: while another thread is in a critical section or an atomic operation, the child can enter");
	is_int(free, 0, "a lock that another thread holds stays held");
	omp_destroy_lock(&lock);
}

/* Thread 1 comes in when thread 0, which was in there before it forked, has left. */
static int leaves_first(enum section unused)
{
	int good = 0;

	(void)unused;
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
		for (int i = 0; i < 100; i++)
			sched_yield();
		__atomic_store_n(&left, 1, __ATOMIC_RELEASE);
		GOMP_atomic_end();
	} else {
		GOMP_atomic_start();
		good = __atomic_load_n(&left, __ATOMIC_ACQUIRE);
		GOMP_atomic_end();
	}
	return good;
}

static int forks_again(enum section unused)
{
	return status_of(leaves_first, unused) == GOOD;
}

static void forker_is_inside(void)
{
	int good = 0;

	for (int i = 0; i < 5; i++) {
		GOMP_atomic_start();
		good += status_of(leaves_first, ATOMIC) == GOOD;
		good += status_of(forks_again, ATOMIC) == GOOD;
		GOMP_atomic_end();
	}
	is_int(good, 10, "the thread that forks stays where it is, in its child and that one's");
}

static void sections(void)
{
	if (on_oracle()) {
		skip(3, "there the child waits for ever");
		return;
	}
	another_is_inside();
	forker_is_inside();
}

int main(int argc, char **argv)
{
	const int rounds = every_scaled(getenv("QTI_ROUNDS") ? atoi(getenv("QTI_ROUNDS")) : ROUNDS);

	if (argc > 1 && strcmp(argv[1], "hwloc") == 0)
		return fork_while_hwloc_looks(5);
	plan(10);
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
	skip(10, "in the child of several threads sanitizers allow no new thread, or have their allocator locked");
	return done();
#endif
	if (!leaks_allowed()) {
		skip(10, "valgrind counts what a child leaves of its parent's runtime as lost, and cannot be told otherwise");
		return done();
	}
	main_thread_forks(rounds);
	another_thread_forks(rounds);
	member_forks(rounds);
	target_forks();
	on_another_machine();
	sections();
	return done();
}
