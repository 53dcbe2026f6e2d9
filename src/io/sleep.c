/* io/sleep.c -- sleep, usleep and nanosleep for tasks.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "io/sleepers.h"
#include "qthread/qt_syscalls.h"

#include <errno.h>
#include <stddef.h>

static const uint64_t NS_PER_S = 1000000000, NS_PER_US = 1000;

unsigned int qt_sleep(unsigned int seconds)
{
	return qti_sleepers_add(seconds * NS_PER_S) ? 0 : sleep(seconds);
}

int qt_usleep(unsigned int microseconds)
{
	return qti_sleepers_add(microseconds * NS_PER_US) ? 0 : usleep(microseconds);
}

static bool timespec_valid(const struct timespec *t)
{
	return t->tv_sec >= 0 && t->tv_nsec >= 0 && (uint64_t)t->tv_nsec < NS_PER_S;
}

/* As good as for ever if it is more than can be said. */
static uint64_t in_ns(const struct timespec *t)
{
	uint64_t ns;

	if (__builtin_mul_overflow((uint64_t)t->tv_sec, NS_PER_S, &ns) ||
	    __builtin_add_overflow(ns, (uint64_t)t->tv_nsec, &ns))
		return UINT64_MAX;
	return ns;
}

int qt_nanosleep(const struct timespec *duration, struct timespec *rest)
{
	if (!duration || !timespec_valid(duration)) {
		errno = duration ? EINVAL : EFAULT;
		return -1;
	}
	return qti_sleepers_add(in_ns(duration)) ? 0 : nanosleep(duration, rest);
}
