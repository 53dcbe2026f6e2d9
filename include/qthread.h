/* qthread.h -- the name for programs that do not say <qthread/qthread.h>.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTHREAD_H
#define QTHREAD_H

#include "qthread/qthread.h"

#endif
