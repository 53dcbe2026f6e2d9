/* omp/env/env.h -- reading the variables of OpenMP and libgomp in the environment.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_ENV_H
#define QOMP_ENV_H

#include <stddef.h>

struct qti_affinity;

/* Reads OMP_* and GOMP_* variables and complains about bad ones, once: when the library is loaded, or before that, if
 * another library's constructor calls us first; where the environment has none, when qomp_settings or qomp_icv_initial
 * are to be used first.  A root's frame (omp/team/standing.h) comes behind that, so who has one need not call it.
 * The second reads them again, while nothing else goes on. */
void qomp_settings_read(void);
void qomp_settings_read_now(void);

/* As if the variable had been in the environment, while nothing else goes on.  The initial task's control variables
 * change. */
void qomp_settings_change(const char *name, const char *value);

/* Bytes of the stacks of threads that begin later; nothing if there cannot be such stacks. */
void qomp_settings_set_stack(size_t bytes);

/* CPUs that the process began with. */
const struct qti_affinity *qomp_settings_cpus(void);

#endif
