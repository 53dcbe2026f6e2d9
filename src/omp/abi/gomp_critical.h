/* omp/abi/gomp_critical.h -- the entry points of gomp_critical.c.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_GOMP_CRITICAL_H
#define QOMP_GOMP_CRITICAL_H

#pragma GCC visibility push(default)

void GOMP_critical_start(void);
void GOMP_critical_end(void);

/* A named section's word is a common symbol of the compiled program, 8 bytes of zeros. */
void GOMP_critical_name_start(void **name);
void GOMP_critical_name_end(void **name);

void GOMP_atomic_start(void);
void GOMP_atomic_end(void);

#pragma GCC visibility pop

#endif
