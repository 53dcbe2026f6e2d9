/* test/api/started.c -- programs and threads that the program starts have the CPUs that the process was started with,
 * or those that it has been given since.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "cpus.h"
#include "every.h"

#include <qthread/qt_syscalls.h>

enum { CHECKS = 4, NARROWED = 5 };

static cpu_set_t all;

/* ---- In one runtime --------------------------------------------------------------------------------------------- */

static aligned_t start_in_task(void *lost)
{
	cpus_lost(lost);
	return 0;
}

/* A task on each shepherd. */
static void lost_in_tasks(char lost[CPUS_TEXT])
{
	lost[0] = '\0';
	for (unsigned i = 0; i < qthread_num_shepherds() && !lost[0]; i++) {
		aligned_t ret;

		qthread_fork_to(start_in_task, lost, &ret, (qthread_shepherd_id_t)i);
		qthread_readFF(NULL, &ret);
	}
}

/* By exec in place, in a process of its own: this program, started anew with an argument. */
static bool execs(const char *from)
{
	char *const argv[] = { cpus_program, (char *)(uintptr_t)from, NULL };
	pid_t pid = -1;

	return posix_spawn(&pid, cpus_program, NULL, NULL, argv, environ) == 0 && cpus_ended_well(pid);
}

static aligned_t exec_in_task(void *unused)
{
	(void)unused;
	execv(cpus_program, cpus_argv);
	return 1;
}

static int exec_from(const char *from)
{
	aligned_t ret;

	qthread_initialize();
	if (strcmp(from, "main") == 0)
		return (int)exec_in_task(NULL);
	qthread_fork(exec_in_task, NULL, &ret);
	qthread_readFF(NULL, &ret);
	return 1;
}

static void run(const char *what)
{
	char lost[CPUS_TEXT];

	qthread_initialize();
	cpus_lost(lost);
	is_str(lost, "", "%s: what main starts has the CPUs of the process", what);
	lost_in_tasks(lost);
	is_str(lost, "", "%s: so has what a task starts, on each shepherd", what);
	ok(execs("main") && execs("task"), "%s: and what they become by exec", what);
	qthread_finalize();
	cpus_lost(lost);
	is_str(lost, "", "%s: and what is started after the end", what);
}

/* ---- CPUs taken away --------------------------------------------------------------------------------------------- */

static aligned_t null_task(void *unused)
{
	(void)unused;
	return 0;
}

/* A thread's first call: the library looks where it may run. */
static void first_call(void *right)
{
	aligned_t ret;

	qthread_fork(null_task, NULL, &ret);
	qthread_readFF(NULL, &ret);
	*(bool *)right = cpus_as_expected();
}

/* A thread of the library's own starts, if none is there yet. */
static aligned_t sleep_a_moment(void *unused)
{
	(void)unused;
	qt_usleep(1);
	return 0;
}

static void narrowed(const char *affinity, bool highest)
{
	const cpu_set_t one = cpus_one_of(&all, highest);
	const char *which = highest ? "the last CPU" : "the first CPU";
	char lost[CPUS_TEXT];
	bool right = false;
	aligned_t ret;

	setenv("QT_AFFINITY", affinity, 1);
	qthread_initialize();
	cpus_set_all_of(getpid(), &one);
	cpus_expect(&one);
	is_int(cpus_others_of(getpid(), &one), 0, "QT_AFFINITY=%s: all threads have %s, the only one that is left", affinity, which);
	lost_in_tasks(lost);
	is_str(lost, "", "QT_AFFINITY=%s: and what a task starts", affinity);
	every_outside(first_call, &right);
	ok(right, "QT_AFFINITY=%s: a thread's first call gives it no other", affinity);
	qthread_fork(sleep_a_moment, NULL, &ret);
	qthread_readFF(NULL, &ret);
	is_int(cpus_others_of(getpid(), &one), 0, "QT_AFFINITY=%s: nor has a thread of the library's own one", affinity);
	qthread_finalize();
	ok(cpus_as_expected(), "QT_AFFINITY=%s: the end of the runtime gives none back", affinity);
	sched_setaffinity(0, sizeof(all), &all);
	cpus_expect(&all);
}

int main(int argc, char **argv)
{
	if (getenv("QTI_TEST_TOOL") && *getenv("QTI_TEST_TOOL"))
		plan_skip_all("valgrind takes for leaks what a child of fork forgets of its parent's threads");
	cpus_begin(argc, argv);
	if (argc == 2)
		return exec_from(argv[1]);
	all = cpus_now();
	if (CPU_COUNT(&all) < 2)
		plan_skip_all("one CPU");
	unsetenv("QT_AFFINITY");
	plan((unsigned)(every_runs() * CHECKS + 4 * NARROWED));
	every_setting(run);
	every_settings("mts", "1", "2");
	narrowed("no", false);
	narrowed("no", true);
	narrowed("yes", false);
	narrowed("yes", true);
	return done();
}
