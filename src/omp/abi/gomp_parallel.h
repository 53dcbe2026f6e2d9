/* omp/abi/gomp_parallel.h -- the entry points of gomp_parallel.c.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_GOMP_PARALLEL_H
#define QOMP_GOMP_PARALLEL_H

#include <stdbool.h>

enum { GOMP_PARALLEL_BIND = 7 };        /* of flags: the proc_bind clause */

#pragma GCC visibility push(default)

void GOMP_parallel(void (*fn)(void *), void *data, unsigned num_threads, unsigned flags);
void GOMP_parallel_start(void (*fn)(void *), void *data, unsigned num_threads);
void GOMP_parallel_end(void);
void GOMP_barrier(void);
bool GOMP_barrier_cancel(void);

#pragma GCC visibility pop

#endif
