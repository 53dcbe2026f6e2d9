/* test/process.h -- what this process has at the moment.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_TEST_PROCESS_H
#define QTI_TEST_PROCESS_H

#include "tap.h"

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static inline bool process_has_proc(void)
{
	return access("/proc/self/maps", R_OK) == 0;
}

/* For main, of a test that looks at itself there. */
static inline void process_needs_proc(void)
{
	if (!process_has_proc())
		plan_skip_all("there is no /proc");
}

/* With "." and "..": two more than there are. */
static inline int process_entries(const char *directory)
{
	DIR *d = opendir(directory);
	int n = 0;

	if (!d)
		bail_out("%s cannot be read", directory);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static inline int process_threads(void)
{
	return process_entries("/proc/self/task") - 2;
}

static inline void *process_note_thread(void *tid)
{
	*(long *)tid = syscall(SYS_gettid);
	return NULL;
}

/* Before there are others.  A checking tool may have a thread of its own, from the first one that the program makes;
 * and that is listed for a moment when it has been joined. */
static inline int process_threads_at_first(void)
{
	pthread_t thread;
	long tid;

	if (pthread_create(&thread, NULL, process_note_thread, &tid) != 0)
		bail_out("pthread_create failed");
	pthread_join(thread, NULL);
	while (syscall(SYS_tgkill, getpid(), tid, 0) == 0)
		sched_yield();
	return process_threads();
}

/* How often the thread has gone to sleep, or -1 if it does not sleep. */
static inline long process_sleeps_of(const char *tid)
{
	static const char state[] = "State:\t", sleeps[] = "voluntary_ctxt_switches:";
	char path[64], line[128];
	bool asleep = false;
	long n = -1;

	snprintf(path, sizeof(path), "/proc/self/task/%.20s/status", tid);
	FILE *f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		if (strncmp(line, state, strlen(state)) == 0)
			asleep = line[strlen(state)] == 'S';
		if (strncmp(line, sleeps, strlen(sleeps)) == 0)
			n = atol(line + strlen(sleeps));
	}
	if (f)
		fclose(f);
	return asleep ? n : -1;
}

/* How often all threads but the caller have gone to sleep, or -1 if one of them does not sleep. */
static inline long process_sleeps_of_others(void)
{
	DIR *d = opendir("/proc/self/task");
	const long self = syscall(SYS_gettid);
	long all = 0;

	if (!d)
		bail_out("/proc/self/task cannot be read");
	for (struct dirent *e; all >= 0 && (e = readdir(d)) != NULL;) {
		if (e->d_name[0] == '.' || atol(e->d_name) == self)
			continue;
		const long n = process_sleeps_of(e->d_name);
		all = n < 0 ? -1 : all + n;
	}
	closedir(d);
	return all;
}

/* In a child with one thread: an empty directory hides one of the system's, as in some sandboxes.  False: it may not. */
static inline bool process_hide(const char *directory)
{
	return (unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0) &&
		mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) == 0 &&
		mount("none", directory, "tmpfs", 0, NULL) == 0;
}

static inline bool process_can_hide(const char *directory)
{
	int status = -1;
	pid_t child = fork();

	if (child == 0)
		_exit(process_hide(directory) ? 0 : 1);
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* Whether the kernel lets this thread choose its CPUs.  A sandbox may refuse even those that it has. */
static inline bool process_can_bind(void)
{
	cpu_set_t own;

	return sched_getaffinity(0, sizeof(own), &own) == 0 && sched_setaffinity(0, sizeof(own), &own) == 0;
}

/* Until all other threads sleep at one time: one that was asleep at two looks, and has not gone to sleep between them,
 * has slept from the first to the second, and where that holds of all, nobody was awake between two rounds of looks.  A
 * thread asleep owns no lock of a checking tool's allocator, which would stay locked in a child of fork(2).  For where
 * no thread ends. */
static inline void process_until_others_sleep(void)
{
	for (long before = -1, now;; before = now) {
		now = process_sleeps_of_others();
		if (now >= 0 && now == before)
			return;
		sched_yield();
	}
}

#endif
