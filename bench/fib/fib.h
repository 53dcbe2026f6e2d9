/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Fibonacci numbers the slow way: nothing but the cost of creating tasks and waiting for them.
 *
 * Every version makes both calls of a call tasks and then waits for the two.  With a cut-off, calls --cutoff-depth
 * below the first are made without tasks (manual), or by tasks that run at once (if, final). */
#ifndef BENCH_FIB_FIB_H
#define BENCH_FIB_FIB_H

#include <stdint.h>

#include "common/bench.h"

#ifdef __cplusplus
extern "C" {
#endif

extern unsigned long fib_n, fib_depth; /* what is asked for, and where the cut-off is */
extern uint64_t fib_result;            /* versions leave it here */

uint64_t fib_serial(uint64_t n);

/* The right answer, and how many calls lead to it. */
uint64_t fib_number(unsigned long k);
double fib_calls(unsigned long k);

#ifdef __cplusplus
}
#endif

#endif
