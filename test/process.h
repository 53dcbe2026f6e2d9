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
#include <sys/syscall.h>
#include <unistd.h>

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

#endif
