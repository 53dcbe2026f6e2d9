/* test/ompt/more.c -- constructs whose events come in numbers of their own: leagues, doacross loops, reductions,
 * cancellation, detached tasks, fork(2).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TURNS = 12 };

static int sum;

static void add(int n)
{
#pragma omp atomic
	sum += n;
}

static void leagues(void)
{
#pragma omp teams num_teams(3) thread_limit(2)
	{
		add(1);
#pragma omp parallel num_threads(2)
		add(1);
#pragma omp distribute parallel for
		for (int i = 0; i < TURNS; i++)
			add(1);
#pragma omp distribute
		for (int i = 0; i < TURNS; i++)
			add(1);
	}
}

static void doacross(void)
{
	static int a[TURNS][TURNS];

#pragma omp parallel
#pragma omp for ordered(2) schedule(dynamic)
	for (int i = 1; i < TURNS; i++)
		for (int j = 1; j < TURNS; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
			a[i][j] = a[i - 1][j] + a[i][j - 1] + 1;
#pragma omp ordered depend(source)
		}
	add(a[1][1]);
}

static void reductions(void)
{
	int all = 0, some = 0, tasks = 0;

#pragma omp parallel reduction(+ : all)
	{
#pragma omp for reduction(+ : some)
		for (int i = 0; i < TURNS; i++)
			some += i;
		all++;
#pragma omp single
#pragma omp taskgroup task_reduction(+ : tasks)
		for (int i = 0; i < TURNS; i++) {
#pragma omp task in_reduction(+ : tasks)
			tasks++;
		}
	}
	add(all + some + tasks);
}

static void cancelling(void)
{
#pragma omp parallel
	{
#pragma omp for
		for (int i = 0; i < TURNS; i++) {
#pragma omp cancel for if (i == 3)
		}
#pragma omp master
		add(1);
#pragma omp single
#pragma omp taskgroup
		for (int i = 0; i < TURNS; i++) {
#pragma omp task
			{
#pragma omp cancel taskgroup if (i == 3)
			}
		}
	}
}

static void detached(void)
{
	omp_event_handle_t event;

#pragma omp parallel
#pragma omp single
	{
#pragma omp task detach(event)
		add(1);
		omp_fulfill_event(event);
#pragma omp taskwait
	}
}

/* The child has one thread, and a tool of its own making. */
static void children(void)
{
	pid_t child = fork();

	if (child == 0) {
#pragma omp parallel num_threads(2)
		add(1);
		_exit(0);
	}
	int status = -1;
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		printf("the child ended with %#x\n", status);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*call)(void);
	} part[] = { { "leagues", leagues }, { "doacross", doacross }, { "reductions", reductions },
		     { "cancelling", cancelling }, { "detached", detached }, { "children", children } };

	for (unsigned i = 0; i < sizeof(part) / sizeof(part[0]); i++)
		if (argc < 2 || strcmp(argv[1], part[i].name) == 0)
			part[i].call();
	return 0;
}
