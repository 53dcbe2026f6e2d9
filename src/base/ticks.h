/* base/ticks.h -- the processor's own clock: one instruction where there is one.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * It counts at one rate on all CPUs, from some moment in the past.  What a tick lasts shows beside qti_now_ns
 * (base/park.h). Reading it keeps no order with what stands around it: a stamp is a few instructions early or late.
 */
#ifndef QTI_BASE_TICKS_H
#define QTI_BASE_TICKS_H

#include "base/park.h"

static inline uint64_t qti_ticks(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
#elif defined(__riscv)
	uint64_t ticks;

	__asm__ volatile("rdtime %0" : "=r"(ticks));
	return ticks;
#else
	return qti_now_ns();
#endif
}

#endif
