/* test/xomp/routines.h -- <omp.h>, for compilers that have none as well.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <qthread/omp_defines.h>
