/* base/diag.h -- invariants and the last word before the process ends.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What can happen is returned as an error code.  QTI_ASSERT states what cannot: it is checked in --enable-paranoid
 * builds, and never guards a result.  qti_panic is for states from which no call could return.
 */
#ifndef QTI_BASE_DIAG_H
#define QTI_BASE_DIAG_H

#include "base/shared.h"

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <stdarg.h>

/* A line on stderr that begins with `who`, for libraries that have a name of their own. */
QTI_SHARED void qti_say(const char *who, const char *fmt, va_list args) __attribute__((cold, format(printf, 2, 0)));

void qti_panic(const char *fmt, ...) __attribute__((noreturn, cold, format(printf, 1, 2)));
void qti_warn(const char *fmt, ...) __attribute__((cold, format(printf, 1, 2)));

#ifdef QTI_PARANOID
#define QTI_ASSERT(x) \
	do { \
		if (!(x)) \
			qti_panic("%s:%d: %s: invariant broken: %s", __FILE__, __LINE__, __func__, #x); \
	} while (0)
#else
#define QTI_ASSERT(x) ((void)sizeof(!(x)))
#endif

#endif
