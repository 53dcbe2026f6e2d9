/* omp/env/env.h -- reading the variables of OpenMP and libgomp in the environment.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_ENV_H
#define QOMP_ENV_H

/* Reads OMP_* and GOMP_* variables and complains about bad ones, once: when the library is loaded, or before that, if
 * another library's constructor calls us first.  The second reads them again, while nothing else goes on. */
void qomp_settings_read(void);
void qomp_settings_read_now(void);

#endif
