/* omp/env/kmp.h -- the variables in the environment that LLVM's and Intel's OpenMP have besides.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_KMP_VARIABLES_H
#define QOMP_KMP_VARIABLES_H

#include "omp/env/variables.h"

#include <stdbool.h>

/* One of OpenMP's variables has this value.  False if that is none. */
typedef bool qomp_take(enum qomp_variable which, const char *value);

/* After OpenMP's own, which some of these replace.  trusted: the environment is. */
void qomp_kmp_read(bool trusted, qomp_take *other);

/* One of these; false if there is none of that name. */
bool qomp_kmp_take(const char *name, const char *value, qomp_take *other);

#endif
