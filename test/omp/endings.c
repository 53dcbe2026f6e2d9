/* test/omp/endings.c -- a process may end anywhere, and have regions from before main() until after it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each way to end has a process of its own, made while this one has not met any region.
 */
#include "omp/every.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT = 10, TOOL_LIMIT = 200, GOOD = 42, LEAVES = 2 };

/* The thread sanitizer dies where the main thread is joined.  It also has a thread of its own that never ends and
 * blocks every signal: a process whose other threads have all left stays, and not even the alarm ends it. */
#ifdef __SANITIZE_THREAD__
enum { MAIN_LEAVES = 0 };
#else
enum { MAIN_LEAVES = 1 };
#endif

/* How `way` ends a process: its status, or minus the signal that it dies of. */
static int ending(void (*way)(void))
{
	const pid_t child = fork();
	int status;

	if (child < 0)
		bail_out("fork failed");
	if (child == 0) {
		alarm(every_scaled(10) == 10 ? LIMIT : TOOL_LIMIT);
		way();
		_exit(99);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void by_thread_0(void)
{
#pragma omp parallel num_threads(4)
	{
		if (omp_get_thread_num() == 0)
			exit(GOOD);
#pragma omp barrier
	}
}

static void by_another(void)
{
#pragma omp parallel num_threads(4)
	{
		if (omp_get_thread_num() == 3)
			exit(GOOD);
#pragma omp barrier
	}
}

static void when_all_wait(void)
{
	int waiting = 0;

#pragma omp parallel num_threads(3)
	{
		if (omp_get_thread_num() == 1) {
			every_meet(&waiting, 3);
			every_linger();
			exit(GOOD);
		}
#pragma omp atomic
		waiting++;
#pragma omp barrier
	}
}

static void with_locks(void)
{
#pragma omp parallel num_threads(3)
	{
#pragma omp critical
#pragma omp critical(inner)
		exit(GOOD);
	}
}

static void in_a_loop(void)
{
#pragma omp parallel for num_threads(3) ordered schedule(dynamic)
	for (int i = 0; i < 100; i++) {
#pragma omp ordered
		if (i == 50)
			exit(GOOD);
	}
}

static void in_an_inner_region(void)
{
	omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
	{
#pragma omp critical
		exit(GOOD);
	}
}

static void *region_that_ends_all(void *arg)
{
	(void)arg;
	by_another();
	return NULL;
}

static void in_another_pthread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, region_that_ends_all, NULL) == 0)
		pthread_join(thread, NULL);
}

static int under_way;

static void *endless_region(void *arg)
{
	(void)arg;
#pragma omp parallel num_threads(2)
	{
#pragma omp atomic
		under_way++;
		for (;;)
			pause();
	}
	return NULL;
}

static void while_another_is_in_a_region(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, endless_region, NULL) != 0)
		return;
	every_meet(&under_way, 3);
	exit(GOOD);
}

static int members(int size)
{
	int n = 0;

#pragma omp parallel num_threads(size) reduction(+ : n)
	n++;
	return n;
}

static void region_at_exit(void)
{
	_exit(members(3) == 3 ? GOOD : 1);
}

static void handler_has_a_region(void)
{
	if (members(2) == 2 && atexit(region_at_exit) == 0)
		exit(7);
}

static void between_regions(void)
{
	for (int i = 0; i < 10; i++)
		if (members(1 + i % 4) != 1 + i % 4)
			exit(1);
	exit(GOOD);
}

static void never_any(void)
{
	exit(omp_get_max_threads() == atoi(getenv("OMP_NUM_THREADS")) ? GOOD : 1);
}

/* The thread that met the first region is gone, and with it the process only when the last one goes. */
static void *last_thread(void *arg)
{
	pthread_join(*(pthread_t *)arg, NULL);
	exit(members(3) == 3 ? GOOD : 1);
}

static void main_thread_leaves(void)
{
	static pthread_t self;
	pthread_t thread;

	self = pthread_self();
	if (members(2) != 2 || pthread_create(&thread, NULL, last_thread, &self) != 0)
		exit(1);
	pthread_exit(NULL);
}

static void main_thread_exits(void)
{
	if (members(3) != 3)
		exit(1);
	pthread_exit(NULL);
}

static int have_teams;

/* Beside the main thread's end, and after it. */
static void *has_regions(void *arg)
{
	if (members(3) != 3)
		_exit(1);
	every_meet(&have_teams, 3);
	for (int i = 0; i < 100; i++)
		if (members(1 + i % 4) != 1 + i % 4)
			_exit(1);
	return arg;
}

static void main_thread_exits_beside_teams(void)
{
	pthread_t thread[2];

	if (members(3) != 3)
		exit(1);
	for (int i = 0; i < 2; i++)
		if (pthread_create(&thread[i], NULL, has_regions, NULL) != 0)
			exit(1);
	every_meet(&have_teams, 3);
	pthread_exit(NULL);
}

static void member_exits(int num)
{
#pragma omp parallel num_threads(3)
	{
		if (omp_get_thread_num() == num)
			pthread_exit(NULL);
	}
}

static void thread_0_exits(void)
{
	member_exits(0);
}

static void thread_1_exits(void)
{
	member_exits(1);
}

/* GCC's library waits for them for ever.  test/omp/lost.c has what does not end the process. */
static void leaving_regions(void)
{
	static const struct {
		const char *who;
		void (*way)(void);
	} leaves[LEAVES] = { { "the main thread", thread_0_exits }, { "another thread", thread_1_exits } };

	for (int i = 0; i < LEAVES; i++) {
		if (on_oracle() || every_scaled(10) != 10)
			skip(1, "pthread_exit in a region is for ours to refuse, without a tool that has its own say");
		else
			is_int(ending(leaves[i].way), -SIGABRT, "pthread_exit in a region of main: %s, ends the process", leaves[i].who);
	}
}

static void abandoned(void)
{
#pragma omp parallel num_threads(3)
	{
#pragma omp single nowait
		_exit(GOOD);
	}
}

/* Each task that has led to the one that forks has ended, and what it was kept in may be another's. */
static void task_forks(int forebears)
{
	if (forebears == 0) {
		const pid_t child = fork();
		int status = 1;

		if (child == 0)
			_exit(omp_get_thread_num() >= 0 ? GOOD : 1);
		waitpid(child, &status, 0);
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
	}
	for (int i = 0; i < 3; i++) {
#pragma omp task
		every_linger();
	}
#pragma omp task firstprivate(forebears)
	task_forks(forebears - 1);
}

static void forked_by_an_orphan(void)
{
#pragma omp parallel num_threads(3)
	{
#pragma omp single
		task_forks(8);
	}
}

/* --- the error directive -------------------------------------------------------------------------------- */

static FILE *messages;          /* of the process that ends by it */

static void error_in_a_region(void)
{
	const char *text = "one known at run time";

	dup2(fileno(messages), STDERR_FILENO);
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp error at(execution) severity(warning) message("a warning")
#pragma omp error at(execution) severity(warning) message(text)
#pragma omp error at(execution) severity(warning)
#pragma omp error at(execution) severity(fatal) message("the end")
	}
}

static void errors(void)
{
	static const char want[] = "\nlibgomp: error directive encountered: a warning\n"
		"\nlibgomp: error directive encountered: one known at run time\n"
		"\nlibgomp: error directive encountered\n"
		"\nlibgomp: fatal error: error directive encountered: the end\n";
	char got[sizeof(want) + 100] = "";

	messages = tmpfile();
	if (!messages)
		bail_out("no file for messages");
	is_int(ending(error_in_a_region), EXIT_FAILURE, "error: a fatal one ends the process");
	rewind(messages);
	got[fread(got, 1, sizeof(got) - 1, messages)] = '\0';
	is_str(got, want, "error: as GCC's library writes it");
	fclose(messages);
}

int main(void)
{
	plan(19 + LEAVES);
	is_int(ending(by_thread_0), GOOD, "exit: by thread 0, others wait for it");
	is_int(ending(by_another), GOOD, "exit: by another thread of a region");
	is_int(ending(when_all_wait), GOOD, "exit: when all others wait");
	is_int(ending(with_locks), GOOD, "exit: in critical regions");
	is_int(ending(in_a_loop), GOOD, "exit: in an ordered region of a loop");
	is_int(ending(in_an_inner_region), GOOD, "exit: in an inner region");
	is_int(ending(in_another_pthread), GOOD, "exit: in a region of another pthread");
	is_int(ending(while_another_is_in_a_region), GOOD, "exit: while another pthread's region is under way");
	is_int(ending(handler_has_a_region), GOOD, "exit: a handler may have a region");
	is_int(ending(between_regions), GOOD, "exit: between regions");
	is_int(ending(never_any), GOOD, "exit: without any region");
	if (MAIN_LEAVES) {
		is_int(ending(main_thread_leaves), GOOD, "pthread_exit: the main thread leaves, another has a region");
		is_int(ending(main_thread_exits), 0, "pthread_exit: the main thread leaves after a region, the process ends");
		is_int(ending(main_thread_exits_beside_teams), 0, "pthread_exit: so it does after the last region of other pthreads");
	} else {
		skip(3, "the thread sanitizer cannot do without the main thread");
	}
	leaving_regions();
	is_int(ending(abandoned), GOOD, "_exit: in a region");
	is_int(ending(forked_by_an_orphan), GOOD, "fork: by a task whose forebears have ended");
	errors();
	is_int(members(3), 3, "fork: who made all those has regions, too");
	return done();
}
