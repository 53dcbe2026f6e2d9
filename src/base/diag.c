/* base/diag.c -- messages on stderr, one line each.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One write(2) a line, so that lines of several threads do not mix. */
static void say(const char *fmt, va_list args)
{
	char line[512] = "libqthread: ";
	size_t used = strlen(line);
	int n = vsnprintf(line + used, sizeof(line) - used - 1, fmt, args);

	if (n > 0)
		used += (size_t)n < sizeof(line) - used - 1 ? (size_t)n : sizeof(line) - used - 2;
	line[used++] = '\n';
	if (write(STDERR_FILENO, line, used) < 0)
		return;         /* nowhere left to complain */
}

void qti_warn(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(fmt, args);
	va_end(args);
}

void qti_panic(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(fmt, args);
	va_end(args);
	abort();
}
