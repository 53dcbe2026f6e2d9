/* qthread/cacheline.h -- the size of a cache line.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTHREAD_CACHELINE_H
#define QTHREAD_CACHELINE_H

#include "macros.h"

Q_STARTCXX
#pragma GCC visibility push(default)

/* Size of a cache line of this machine in bytes; 128 where it cannot be found out.
 *
 * Anybody may call it, at any time; it needs no initialized runtime and never blocks. */
int qthread_cacheline(void);

#pragma GCC visibility pop
Q_ENDCXX

#endif
