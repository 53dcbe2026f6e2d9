/* omp/env/display.h -- showing the settings.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_DISPLAY_H
#define QOMP_DISPLAY_H

#include "omp/env/text.h"
#include "omp/env/variables.h"

/* The value in use, as one would write it in the environment. */
void qomp_variable_show(enum qomp_variable which, struct qomp_text *out);

/* What OMP_DISPLAY_ENV and omp_display_env show, on stderr; verbose: our own variables as well as OpenMP's. */
void qomp_settings_show(bool verbose);

#endif
