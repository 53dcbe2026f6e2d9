/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Fibonacci, every call a qthread: nothing but the cost of fork and join.
 *
 * A task's argument is the number's index, its return value the number.  fib_aligned and fib_syncvar fork both
 * children, then read them in the order they were forked.  In the other two the second half is an ordinary call, as
 * in the usual Cilk program; figures are per call in both.  fib_yield yields between forking and reading. */
#ifndef BENCH_FIB_TASKS_H
#define BENCH_FIB_TASKS_H

#include <qthread/qthread.h>

aligned_t fib_aligned(void *k);
aligned_t fib_syncvar(void *k);
aligned_t fib_one_aligned(void *k);
aligned_t fib_one_syncvar(void *k);
aligned_t fib_yield(void *k);

#endif
