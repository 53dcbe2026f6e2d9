/* qthread/macros.h -- blocks of C declarations, for C and for C++, and a promise to the compiler.
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

/* The function does not read what its n-th argument points to: it may be uninitialized without a warning. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#define QTHREAD_UNREAD(n) __attribute__((access(none, n)))
#else
#define QTHREAD_UNREAD(n)
#endif

#endif
