/* test/steps/base/park.h -- base/park.h with time and sleeping in the hands of steps/steps.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TEST_STEPS_BASE_PARK_H
#define TEST_STEPS_BASE_PARK_H

#include "steps/steps.h"

static inline uint64_t qti_now_ns(void)
{
	return step_now_ns();
}

static inline void qti_futex_wait(const uint32_t *word, uint32_t expected)
{
	step_wait(word, expected, UINT64_MAX);
}

static inline void qti_futex_wait_until(const uint32_t *word, uint32_t expected, uint64_t deadline)
{
	step_wait(word, expected, deadline);
}

static inline void qti_futex_wake(const uint32_t *word, int threads)
{
	step_wake(word, threads);
}

#endif
