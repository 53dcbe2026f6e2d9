/* qthread/xomp110/libxomp.h -- libxomp.h for sources in the dialect of Qthreads 1.10: with this directory before the
 * program's own, or another one by -DXOMP_DIALECT.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef XOMP_DIALECT
#define XOMP_DIALECT 110
#endif

#include "../../libxomp.h"
