/* base/diag.c -- messages on stderr, one line each.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "base/diag.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* One write(2) a line, so that lines of several threads do not mix. */
void qti_say(const char *who, const char *fmt, va_list args)
{
	char line[512];
	size_t used = (size_t)snprintf(line, sizeof(line), "%.32s", who);
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
	qti_say("libqthread: ", fmt, args);
	va_end(args);
}

void qti_panic(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	qti_say("libqthread: ", fmt, args);
	va_end(args);
	abort();
}
