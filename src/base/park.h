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

#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline void qti_futex_wait(const uint32_t *word, uint32_t expected)
{
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

static inline void qti_futex_wake(const uint32_t *word, int threads)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, threads, NULL, NULL, 0);
}

#endif
