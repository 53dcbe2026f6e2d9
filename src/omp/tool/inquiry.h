/* omp/tool/inquiry.h -- what a tool may ask.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_INQUIRY_H
#define QOMP_INQUIRY_H

#include "omp-tools.h"

/* An entry point by its name; NULL: there is none. */
ompt_interface_fn_t qomp_tool_lookup(const char *name);

#endif
