/* omp/abi/kmpc_thread.h -- numbers of OS threads, for what clang has compiled.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_KMPC_THREAD_H
#define QOMP_KMPC_THREAD_H

#include <stdint.h>

/* The calling one's: 0 of the first to ask, small for all. */
int32_t qomp_kmpc_thread(void);

#endif
