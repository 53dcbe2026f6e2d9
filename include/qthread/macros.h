/* qthread/macros.h -- blocks of C declarations, for C and for C++.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTHREAD_MACROS_H
#define QTHREAD_MACROS_H

/* Open and close a block of C declarations, from C and from C++. */
#ifdef __cplusplus
#define Q_STARTCXX extern "C" {
#define Q_ENDCXX }
#else
#define Q_STARTCXX
#define Q_ENDCXX
#endif

#endif
