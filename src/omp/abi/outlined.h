/* omp/abi/outlined.h -- calling what compilers have made of a region: a function with one argument for each variable.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_OUTLINED_H
#define QOMP_OUTLINED_H

enum { QOMP_OUTLINED_MOST = 1024 };     /* arguments */

/* func, which takes n pointers or words of that size. */
void qomp_outlined_call(void (*func)(void), void *const *arg, unsigned n);

#endif
