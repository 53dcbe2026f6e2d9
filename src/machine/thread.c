/* machine/thread.c -- see machine/thread.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "machine/thread.h"

#include "base/tuning.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { STACK_LEAST = 64 << 10, SYSCALL_TEXT = 200 };

int qti_thread_create(pthread_t *thread, size_t stack, void *(*main)(void *), void *arg)
{
	pthread_attr_t attr;
	int error = pthread_attr_init(&attr);

	if (error)
		return error;
	if (stack == 0)
		pthread_attr_getstacksize(&attr, &stack);
	pthread_attr_setstacksize(&attr, stack < STACK_LEAST ? STACK_LEAST : stack);
	error = pthread_create(thread, &attr, main, arg);
	pthread_attr_destroy(&attr);
	return error;
}

/* What the kernel says of a thread in a system call: its number and arguments, as in "202 0x7f... 0x80 0x2 ...". */
static bool thread_syscall(pid_t tid, char *text, size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", (int)tid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ssize_t n = read(fd, text, size - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* The word that such a thread waits for by futex(2), or NULL. */
static const char *futex_word(const char *text)
{
	char *rest;

	if (strtol(text, &rest, 10) != SYS_futex || *rest != ' ')
		return NULL;
	uintptr_t word = strtoull(rest, &rest, 16);
	unsigned long op = strtoul(rest, NULL, 16) & (unsigned long)FUTEX_CMD_MASK;
	return op == FUTEX_WAIT || op == FUTEX_WAIT_BITSET ? (const char *)word : NULL;
}

/* The C library's locks have the word first, then a count, and behind that their owner: pthread_mutex_t a thread's
 * number, streams and exit(3) what pthread_self returns.  Other locks have something else there, which is neither. */
enum { OWNER_AT = 8 };

__attribute__((no_sanitize_address)) static bool lock_is_mine(const char *lock)
{
	pthread_t self = pthread_self(), owner;
	pid_t number;

	if ((uintptr_t)lock % 4096 > 4096 - OWNER_AT - sizeof(owner))
		return false;           /* what follows need not be there */
	memcpy(&owner, lock + OWNER_AT, sizeof(owner));
	memcpy(&number, lock + OWNER_AT, sizeof(number));
	return pthread_equal(owner, self) || number == (pid_t)syscall(SYS_gettid);
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	return clock_gettime(clock, &t) == 0 ? (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec : 0;
}

static bool thread_rests(pid_t tid, struct qti_thread_rest *rest)
{
	/* As the kernel numbers the clocks of threads' CPU times. */
	uint64_t ran = clock_ns((clockid_t)(~(unsigned)tid << 3 | 6)), now = clock_ns(CLOCK_MONOTONIC);

	if (rest->since_ns == 0 || ran != rest->ran_ns)
		*rest = (struct qti_thread_rest){ ran, now };
	return now - rest->since_ns >= TUNE_EXIT_BLIND_NS;
}

bool qti_thread_waits_for_me(pid_t tid, struct qti_thread_rest *rest)
{
	char text[SYSCALL_TEXT];

	if (tid == 0)
		return false;
	if (!thread_syscall(tid, text, sizeof(text)))
		return thread_rests(tid, rest);
	const char *lock = futex_word(text);
	return lock && lock_is_mine(lock);
}

bool qti_thread_join(pthread_t thread, pid_t tid)
{
	struct qti_thread_rest rest = { 0 };
	struct timespec until;

	do {
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += TUNE_EXIT_LOOK_NS;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		if (pthread_timedjoin_np(thread, NULL, &until) != ETIMEDOUT)
			return true;
	} while (!qti_thread_waits_for_me(tid, &rest));
	return false;
}
