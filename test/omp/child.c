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
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 60, LIMIT = 30, STARTS = 10, GOOD = 42, BUSY = 2 };

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

int main(int argc, char **argv)
{
	const int rounds = every_scaled(getenv("QTI_ROUNDS") ? atoi(getenv("QTI_ROUNDS")) : ROUNDS);

	if (argc > 1 && strcmp(argv[1], "hwloc") == 0)
		return fork_while_hwloc_looks(5);
	plan(7);
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
	skip(7, "in the child of several threads sanitizers allow no new thread, or have their allocator locked");
	return done();
#endif
	if (!leaks_allowed()) {
		skip(7, "valgrind counts what a child leaves of its parent's runtime as lost, and cannot be told otherwise");
		return done();
	}
	main_thread_forks(rounds);
	another_thread_forks(rounds);
	member_forks(rounds);
	target_forks();
	on_another_machine();
	return done();
}
