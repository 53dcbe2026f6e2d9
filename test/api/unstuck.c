/* test/api/unstuck.c -- programs that only seem to have stopped say nothing, but when they are asked.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "stuck.h"

#include "qthread/io.h"
#include "qthread/qt_syscalls.h"

static aligned_t other, filled;

/* --- what only looks like it ----------------------------------------------------------------------------- */

static void *thread_fills(void *unused)
{
	(void)unused;
	pause_ms(QUIET_MS);
	qthread_fill(&never);
	return NULL;
}

static void thread_comes_late(void)
{
	pthread_t thread;

	qthread_empty(&never);
	pthread_create(&thread, NULL, thread_fills, NULL);
	qthread_readFF(NULL, &never);
	pthread_join(thread, NULL);
}

static void *thread_sleeps_on(void *unused)
{
	(void)unused;
	for (;;)
		pause();
	return NULL;
}

static void thread_stays(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, thread_sleeps_on, NULL);
	wait_for_ever();
}

/* It wakes another one, which fills. */
static void *thread_passes_on(void *unused)
{
	(void)unused;
	qthread_readFF(NULL, &other);
	qthread_fill(&never);
	return NULL;
}

static void *thread_begins(void *unused)
{
	(void)unused;
	pause_ms(QUIET_MS);
	qthread_fill(&other);
	return NULL;
}

static void threads_in_a_row(void)
{
	pthread_t thread[2];

	qthread_empty(&never);
	qthread_empty(&other);
	pthread_create(&thread[0], NULL, thread_passes_on, NULL);
	pthread_create(&thread[1], NULL, thread_begins, NULL);
	qthread_readFF(NULL, &never);
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
}

static aligned_t sleeper(void *unused)
{
	(void)unused;
	qt_usleep(1000 * QUIET_MS);
	return 0;
}

static void task_sleeps(void)
{
	qthread_fork(sleeper, NULL, &filled);
	qthread_readFF(NULL, &filled);
}

static aligned_t blocker(void *unused)
{
	(void)unused;
	qt_begin_blocking_action();
	pause_ms(QUIET_MS);
	qt_end_blocking_action();
	return 0;
}

static void task_blocks(void)
{
	qthread_fork(blocker, NULL, &filled);
	qthread_readFF(NULL, &filled);
}

static aligned_t reader(void *unused)
{
	char c;

	(void)unused;
	return (aligned_t)qt_read(STDIN_FILENO, &c, 1);
}

/* The other end is closed when this process's parent has had enough. */
static void task_reads(void)
{
	qthread_fork(reader, NULL, &filled);
	qthread_readFF(NULL, &filled);
}

static void main_sleeps(void)
{
	qt_usleep(1000 * QUIET_MS);
}

static aligned_t hopeless(void *unused)
{
	(void)unused;
	return (aligned_t)qthread_readFF(NULL, &never);
}

/* Finalize gives up what waits, and says so itself. */
static void tasks_are_left(void)
{
	qthread_empty(&never);
	qthread_fork(hopeless, NULL, NULL);
	qthread_finalize();
}

/* --- the programs ---------------------------------------------------------------------------------------- */

static const struct program programs[] = {
	{ "QT_DEADLOCK=may: a thread might fill the word", thread_stays, "2", "may", false,
	  { "may be a deadlock: all 2 workers sleep, only threads that", "1 task(s) wait", "the main task waits: readFF never" } },
	{ "QT_DEADLOCK=may: a task sleeps", task_sleeps, "2", "may", true, { NULL } },
	{ "a thread fills the word later", thread_comes_late, "2", "abort", true, { NULL } },
	{ "a thread wakes another one that does", threads_in_a_row, "2", "abort", true, { NULL } },
	{ "a task sleeps", task_sleeps, "2", "abort", true, { NULL } },
	{ "the main task sleeps", main_sleeps, "1", "abort", true, { NULL } },
	{ "a task is in a blocking action", task_blocks, "2", "abort", true, { NULL } },
	{ "a task reads from a pipe", task_reads, "2", "abort", true, { NULL } },
	{ "tasks wait where the runtime ends", tasks_are_left, "2", "abort", true, { NULL } },
};
enum { PROGRAMS = sizeof(programs) / sizeof(programs[0]) };

/* --- a dump ---------------------------------------------------------------------------------------------- */

static aligned_t polls_for_ever(void *unused)
{
	(void)unused;
	while (qthread_feb_status(&never) == 0)
		qthread_yield();
	return 0;
}

static void ignore_signal(int signal)
{
	(void)signal;
}

static void dump_while_it_runs(void)
{
	char text[MESSAGE] = "";
	size_t used = 0;
	int err[2], before = dup(STDERR_FILENO);
	aligned_t result;

	if (pipe(err) != 0)
		bail_out("no pipe");
	setenv("QT_HWPAR", "2", 1);
	setenv("QT_DUMP_SIGNAL", "USR2", 1);
	qthread_initialize();
	qthread_empty(&never);
	qthread_fork(hopeless, NULL, NULL);
	qthread_fork(polls_for_ever, NULL, &result);
	for (int i = 0; i < 100; i++)
		qthread_yield();
	dup2(err[1], STDERR_FILENO);
	kill(getpid(), SIGUSR2);
	while (!strstr(text, "hopeless") && used < MESSAGE - 1) {
		ssize_t n = read(err[0], text + used, MESSAGE - 1 - used);
		if (n <= 0)
			break;
		used += (size_t)n;
		text[used] = '\0';
	}
	dup2(before, STDERR_FILENO);
	ok(strstr(text, "dump: 1 task(s) wait") && strstr(text, "(hopeless) waits: readFF never"),
		"QT_DUMP_SIGNAL: who waits is told while others run");
	diag("%s", text);
	qthread_fill(&never);
	is_int(qthread_readFF(NULL, &result), QTHREAD_SUCCESS, "and the program goes on");
	qthread_finalize();
	struct sigaction action;
	sigaction(SIGUSR2, NULL, &action);
	ok(action.sa_handler == SIG_DFL, "the signal is the program's again when the runtime has ended");
	qthread_initialize();
	action.sa_handler = ignore_signal;
	sigaction(SIGUSR2, &action, NULL);
	qthread_finalize();
	sigaction(SIGUSR2, NULL, &action);
	ok(action.sa_handler == ignore_signal, "a handler that the program has installed meanwhile stays");
	for (int fd = 0; fd < 2; fd++)
		close(err[fd]);
	close(before);
}

int main(void)
{
	process_needs_proc();            /* functions and variables have no names without it */
	plan(PROGRAMS + 4);
	run_programs(programs, PROGRAMS);
	dump_while_it_runs();
	return done();
}
