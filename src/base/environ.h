/* base/environ.h -- the environment of this process: the one place that reads it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The environment is the one that getenv, setenv and putenv of the program use, at the moment of each call.
 */
#ifndef QTI_BASE_ENVIRON_H
#define QTI_BASE_ENVIRON_H

#include "base/shared.h"

/* All "NAME=value" strings, and NULL at the end.  Never NULL itself. */
QTI_SHARED char **qti_environ(void);

/* The value of a variable, NULL if it is unset. */
QTI_SHARED const char *qti_environ_value(const char *name);

#endif
