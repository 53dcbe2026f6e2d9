/* omp/abi/kmpc_thread.h -- numbers of OS threads, for what clang has compiled.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_KMPC_THREAD_H
#define QOMP_KMPC_THREAD_H

#include <stdint.h>

/* Numbers below this one are used again; that many threads at once is more than Linux allows a process by default. */
enum { KMPC_NUMBERS = 1 << 15 };

/* The calling one's: 0 of the first to ask, small for all. */
int32_t qomp_kmpc_thread(void);

/* If not NULL, called by the thread with that number when it ends. */
extern void (*qomp_kmpc_thread_end)(uint32_t number);

#endif
