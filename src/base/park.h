/* base/park.h -- sleeping on a word until somebody changes it (futex(2), private to the process).
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The waker changes the word first and wakes then; the sleeper checks the word in a loop around qti_futex_wait,
 * which returns at once when the word no longer holds `expected`.
 */
#ifndef QTI_BASE_PARK_H
#define QTI_BASE_PARK_H

#include <errno.h>
#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Nanoseconds on the clock that deadlines are given by: it only goes forward. */
static inline uint64_t qti_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline void qti_futex_wait(const uint32_t *word, uint32_t expected)
{
	int before = errno;     /* that of whoever waits here, who is to find it as it was */

	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
	errno = before;
}

/* The same, but not beyond a time of qti_now_ns(). */
static inline void qti_futex_wait_until(const uint32_t *word, uint32_t expected, uint64_t deadline)
{
	const struct timespec t = {
		.tv_sec = (time_t)(deadline / 1000000000u), .tv_nsec = (long)(deadline % 1000000000u),
	};

	syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, expected, &t, NULL, FUTEX_BITSET_MATCH_ANY);
}

static inline void qti_futex_wake(const uint32_t *word, int threads)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, threads, NULL, NULL, 0);
}

#endif
