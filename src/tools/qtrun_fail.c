/* tools/qtrun_fail.c -- see tools/qtrun_fail.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "tools/qtrun_fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void qtrun_fail(enum qtrun_status status, const char *fmt, ...)
{
	va_list args;

	fputs("qtrun: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit((int)status);
}
