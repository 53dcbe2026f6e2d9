/* test/cpus.h -- which CPUs the programs and threads have that the caller starts.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *	int main(int argc, char **argv)
 *	{
 *		cpus_begin(argc, argv);         // does not return in a program that was started to look at its CPUs
 *		cpus_lost(lost);                // by which ways something has got others than the process had
 */
#ifndef QTI_TEST_CPUS_H
#define QTI_TEST_CPUS_H

#include "tap.h"

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char cpus_program[4096];

static inline cpu_set_t cpus_now(void)
{
	cpu_set_t now;

	CPU_ZERO(&now);
	if (sched_getaffinity(0, sizeof(now), &now) != 0)
		bail_out("sched_getaffinity failed");
	return now;
}

/* A program and its settings pass this on: what is expected of those that are started. */
static inline void cpus_expect(const cpu_set_t *set)
{
	char text[2 * sizeof(*set) + 1];

	for (size_t i = 0; i < sizeof(*set); i++)
		snprintf(text + 2 * i, 3, "%02x", ((const unsigned char *)set)[i]);
	setenv("QTI_TEST_CPUS", text, 1);
}

static inline bool cpus_as_expected(void)
{
	const char *text = getenv("QTI_TEST_CPUS");
	const cpu_set_t now = cpus_now();
	bool right = text && strlen(text) == 2 * sizeof(now);
	char byte[3];

	for (size_t i = 0; right && i < sizeof(now); i++) {
		snprintf(byte, sizeof(byte), "%02x", ((const unsigned char *)&now)[i]);
		right = memcmp(byte, text + 2 * i, 2) == 0;
	}
	return right;
}

/* The lowest CPU, or the highest. */
static inline cpu_set_t cpus_one_of(const cpu_set_t *set, bool highest)
{
	cpu_set_t one;
	int cpu = highest ? CPU_SETSIZE - 1 : 0;

	while (!CPU_ISSET(cpu, set))
		cpu += highest ? -1 : 1;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	return one;
}

/* What is done with each thread of a process, the first one first; the sum. */
static inline int cpus_each_thread(pid_t pid, int (*visit)(pid_t, const cpu_set_t *), const cpu_set_t *set)
{
	char directory[40];
	int n = 0;

	snprintf(directory, sizeof(directory), "/proc/%d/task", (int)pid);
	DIR *d = opendir(directory);
	if (!d)
		bail_out("%s cannot be read", directory);
	for (struct dirent *e; (e = readdir(d)) != NULL;)
		if (e->d_name[0] != '.')
			n += visit(atoi(e->d_name), set);
	closedir(d);
	return n;
}

static inline int cpus_set_one(pid_t tid, const cpu_set_t *set)
{
	return sched_setaffinity(tid, sizeof(*set), set) == 0;
}

static inline int cpus_differ(pid_t tid, const cpu_set_t *set)
{
	cpu_set_t has;

	return sched_getaffinity(tid, sizeof(has), &has) == 0 && !CPU_EQUAL(&has, set);
}

/* As taskset -a and batch systems do. */
static inline void cpus_set_all_of(pid_t pid, const cpu_set_t *set)
{
	cpus_each_thread(pid, cpus_set_one, set);
}

/* How many threads have other CPUs. */
static inline int cpus_others_of(pid_t pid, const cpu_set_t *set)
{
	return cpus_each_thread(pid, cpus_differ, set);
}

static inline void cpus_begin(int argc, char **argv)
{
	const cpu_set_t all = cpus_now();

	if (argc == 2 && strcmp(argv[1], "--cpus") == 0)
		_exit(!cpus_as_expected());
	ssize_t len = readlink("/proc/self/exe", cpus_program, sizeof(cpus_program) - 1);
	if (len <= 0)
		plan_skip_all("/proc/self/exe does not tell which program this is");
	setenv("QTI_TEST_PROGRAM", cpus_program, 1);
	if (argc == 1)
		cpus_expect(&all);
}

/* ---- Ways to start something ------------------------------------------------------------------------------------ */

#define CPUS_COMMAND "exec \"$QTI_TEST_PROGRAM\" --cpus"

static char *const cpus_argv[] = { cpus_program, (char *)(size_t)"--cpus", NULL };

static inline bool cpus_ended_well(pid_t pid)
{
	int status = -1;

	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static inline bool cpus_system(void)
{
	return system(CPUS_COMMAND) == 0;
}

static inline bool cpus_popen(void)
{
	FILE *f = popen(CPUS_COMMAND, "r");

	return f && pclose(f) == 0;
}

static inline bool cpus_spawn(void)
{
	pid_t pid = -1;

	return posix_spawn(&pid, cpus_program, NULL, NULL, cpus_argv, environ) == 0 && cpus_ended_well(pid);
}

static inline bool cpus_fork(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(!cpus_as_expected());
	return cpus_ended_well(pid);
}

/* The child has the parent's memory, so it does nothing but begin the program. */
static inline bool cpus_vfork(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		execv(cpus_program, cpus_argv);
		_exit(1);
	}
	return cpus_ended_well(pid);
}

static inline void *cpus_thread_main(void *right)
{
	*(bool *)right = cpus_as_expected();
	return NULL;
}

static inline bool cpus_thread(void)
{
	pthread_t thread;
	bool right = false;

	if (pthread_create(&thread, NULL, cpus_thread_main, &right) != 0)
		bail_out("pthread_create failed");
	pthread_join(thread, NULL);
	return right;
}

static const struct {
	const char *name;
	bool (*start)(void);
} cpus_ways[] = {
	{ "system", cpus_system }, { "popen", cpus_popen }, { "posix_spawn", cpus_spawn }, { "fork", cpus_fork },
	{ "vfork", cpus_vfork }, { "pthread_create", cpus_thread },
};

enum { CPUS_WAYS = sizeof(cpus_ways) / sizeof(cpus_ways[0]), CPUS_TEXT = 100 };

/* The ways by which something has got other CPUs than are expected. */
static inline void cpus_lost(char lost[CPUS_TEXT])
{
	lost[0] = '\0';
	for (int i = 0; i < CPUS_WAYS; i++)
		if (!cpus_ways[i].start()) {
			strcat(lost, lost[0] ? " " : "");
			strcat(lost, cpus_ways[i].name);
		}
}

#endif
