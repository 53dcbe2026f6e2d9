/* test/omp/lost.c -- a thread ends inside a region: the process ends as main says, unless others wait for the thread.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each way has a process of its own, made while this one has not met any region.
 */
#include "omp/every.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT = 20, GOOD = 42 };

static bool cancels;            /* instead of pthread_exit */
static int ends, come;          /* atomic */

static void end_thread(void)
{
	__atomic_add_fetch(&ends, 1, __ATOMIC_RELEASE);
	if (cancels) {
		pthread_cancel(pthread_self());
		pthread_testcancel();
	}
	pthread_exit(NULL);
}

static pid_t child_begins(void (*way)(void), int err)
{
	fflush(NULL);
	const pid_t child = fork();

	if (child < 0)
		bail_out("fork failed");
	if (child > 0)
		return child;
	alarm(LIMIT);
	if (err >= 0)
		dup2(err, STDERR_FILENO);
	way();
	_exit(99);
}

/* How `way` ends a process: its status, or minus the signal that it dies of. */
static int ending(void (*way)(void))
{
	int status;

	waitpid(child_begins(way, -1), &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* --- others have part in its region, and do not wait for ever ------------------------------------------- */

static int who;                 /* of the region's two threads ends */
static bool waits;              /* the other, for it; else it works on */

static void region_of_two(void)
{
#pragma omp parallel num_threads(2)
	{
		every_meet(&come, 2);
		if (omp_get_thread_num() == who)
			end_thread();
		while (!waits)
			sched_yield();
	}
}

static void *daemon_thread(void *unused)
{
	region_of_two();
	return unused;
}

static void main_exits(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, daemon_thread, NULL) != 0)
		exit(1);
	while (__atomic_load_n(&ends, __ATOMIC_ACQUIRE) == 0)
		sched_yield();
	every_linger();
	exit(GOOD);
}

/* In a region of the main thread, which another of its threads ends the process from. */
static void member_exits_process(void)
{
#pragma omp parallel num_threads(3)
	{
		every_meet(&come, 3);
		if (omp_get_thread_num() == 1)
			end_thread();
		if (omp_get_thread_num() == 2) {
			while (__atomic_load_n(&ends, __ATOMIC_ACQUIRE) == 0)
				sched_yield();
			every_linger();
			exit(GOOD);
		}
		for (;;)
			sched_yield();
	}
}

static void daemon_threads(void)
{
	for (int way = 0; way < 8; way++) {
		who = way & 1;
		waits = way & 2;
		cancels = way & 4;
		is_int(ending(main_exits), GOOD, "%s of thread %d, %s: main's exit counts", cancels ? "cancellation" : "pthread_exit",
			who, waits ? "another waits for it" : "another works on");
	}
	cancels = false;
}

/* --- nobody else has part in it -------------------------------------------------------------------------- */

static void in_one_region(void)
{
#pragma omp parallel num_threads(1)
	end_thread();
}

static void in_two_regions(void)
{
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(1)
	end_thread();
}

static void in_a_task(void)
{
#pragma omp task if (0)
	end_thread();
}

static void in_a_smaller_region(void)
{
#pragma omp parallel num_threads(3)
	every_linger();
	in_one_region();
}

static const struct {
	const char *name;
	void (*body)(void);
} places[] = {
	{ "in a region of one", in_one_region },
	{ "in a region of one in another", in_two_regions },
	{ "in an undeferred task", in_a_task },
	{ "in a region of one after one of three", in_a_smaller_region },
};
enum { PLACES = sizeof(places) / sizeof(places[0]) };

static int place;

static void *ends_there(void *unused)
{
	places[place].body();
	return unused;
}

/* After that regions are as they were. */
static void pthread_ends(void)
{
	pthread_t thread;
	int n = 0;

	for (int i = 0; i < 3; i++)
		if (pthread_create(&thread, NULL, ends_there, NULL) != 0 || pthread_join(thread, NULL) != 0)
			exit(1);
#pragma omp parallel num_threads(3) reduction(+ : n)
	n++;
	exit(n == 3 && ends == 3 ? GOOD : 2);
}

static void *last_thread(void *thread)
{
	pthread_join(*(pthread_t *)thread, NULL);
	exit(GOOD);
}

static void main_ends(void)
{
	static pthread_t self;
	pthread_t thread;

	self = pthread_self();
	if (pthread_create(&thread, NULL, last_thread, &self) != 0)
		exit(1);
	places[place].body();
}

static void alone(void)
{
	for (int c = 0; c < 2; c++) {
		cancels = c;
		for (place = 0; place < PLACES; place++) {
			is_int(ending(pthread_ends), GOOD, "%s %s: the thread ends", c ? "cancellation" : "pthread_exit", places[place].name);
			is_int(ending(main_ends), GOOD, "so does the main one");
		}
	}
	cancels = false;
}

/* --- others wait for it ---------------------------------------------------------------------------------- */

static void main_joins(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, daemon_thread, NULL) == 0)
		pthread_join(thread, NULL);
}

static bool says_so(void (*way)(void))
{
	static char said[4096];
	size_t length = 0;
	ssize_t n;
	int end[2];

	if (pipe(end) != 0)
		bail_out("no pipe");
	const pid_t child = child_begins(way, end[1]);
	close(end[1]);
	while (length < sizeof(said) - 1 && !strstr(said, "others wait for it\n") &&
		(n = read(end[0], said + length, sizeof(said) - 1 - length)) > 0)
		length += (size_t)n;
	kill(child, SIGKILL);
	close(end[0]);
	waitpid(child, NULL, 0);
	return strstr(said, "others wait for it\n");
}

static void awaited(void)
{
	waits = true;
	who = 1;
	ok(says_so(main_joins), "a pthread that waits for ever for a thread of its region: a message says so");
}

enum { CHECKS = 8 + 1 + 4 * PLACES + 1 };

int main(void)
{
	plan(CHECKS);
	if (on_oracle() || every_scaled(10) != 10) {
		skip(CHECKS, "for ours to promise, without a tool that has its own say");
		return done();
	}
	daemon_threads();
	is_int(ending(member_exits_process), GOOD, "pthread_exit of a thread of main's region: another's exit counts");
	alone();
	awaited();
	return done();
}
