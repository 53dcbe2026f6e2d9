/* test/tap.c -- see test/tap.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A qthread's stack is small and printf's appetite is not written down, so each line is formatted in one static
 * buffer under the lock and leaves by one write(2): a test that crashes next has said what it knew.
 */
#include "tap.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char text[2048];     /* what the caller formatted */
static char line_out[4608]; /* the line being written: every byte of text may become two */
static unsigned planned;
static unsigned ran;
static unsigned failed;
static bool have_plan;

/* Everything below runs under the lock. */

static void put(const char *s)
{
	size_t left = strlen(s);
	while (left) {
		ssize_t n = write(STDOUT_FILENO, s, left);
		if (n < 0) {
			if (errno == EINTR)
				continue;
			_exit(99);
		}
		s += n;
		left -= (size_t)n;
	}
}

/* `text` behind `lead`, as one logical line: a new line goes on behind `next`, a '#' in a name is no directive. */
static void put_text(const char *lead, const char *next, bool escape)
{
	char *out = line_out;
	char *const end = line_out + sizeof(line_out) - 8;

	out += snprintf(out, 128, "%s", lead);
	for (const char *in = text; *in && out < end; in++) {
		if (*in == '\n') {
			out += snprintf(out, 8, "\n%s", next);
			continue;
		}
		if (escape && *in == '#')
			*out++ = '\\';
		*out++ = *in;
	}
	*out++ = '\n';
	*out = '\0';
	put(line_out);
}

static void put_diag(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static void put_diag(const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	put_text("# ", "# ", false);
}

static void put_result(bool passed, const char *directive)
{
	char lead[128];

	for (char *c = text; *c; c++)
		if (*c == '\n')
			*c = ' ';
	snprintf(lead, sizeof(lead), "%sok %u - %s", passed ? "" : "not ", ++ran, directive);
	put_text(lead, "", directive[0] == '\0');
	failed += !passed;
}

/* The public calls. */

void plan(unsigned checks)
{
	char out[32];

	pthread_mutex_lock(&lock);
	have_plan = true;
	planned = checks;
	snprintf(out, sizeof(out), "1..%u\n", checks);
	put(out);
	pthread_mutex_unlock(&lock);
}

static bool check(const char *file, int line, bool cond, const char *fmt, va_list args)
{
	vsnprintf(text, sizeof(text), fmt, args);
	put_result(cond, "");
	if (!cond)
		put_diag("failed at %s:%d", file, line);
	return cond;
}

bool tap_ok(const char *file, int line, bool cond, const char *fmt, ...)
{
	va_list args;

	pthread_mutex_lock(&lock);
	va_start(args, fmt);
	check(file, line, cond, fmt, args);
	va_end(args);
	pthread_mutex_unlock(&lock);
	return cond;
}

bool tap_is_int(const char *file, int line, long long got, long long want, const char *fmt, ...)
{
	va_list args;

	pthread_mutex_lock(&lock);
	va_start(args, fmt);
	if (!check(file, line, got == want, fmt, args))
		put_diag("     got: %lld (0x%llx)\nexpected: %lld (0x%llx)", got, (unsigned long long)got, want,
			(unsigned long long)want);
	va_end(args);
	pthread_mutex_unlock(&lock);
	return got == want;
}

bool tap_is_str(const char *file, int line, const char *got, const char *want, const char *fmt, ...)
{
	const bool same = got && want ? strcmp(got, want) == 0 : got == want;
	va_list args;

	pthread_mutex_lock(&lock);
	va_start(args, fmt);
	if (!check(file, line, same, fmt, args))
		put_diag("     got: %s%s%s\nexpected: %s%s%s", got ? "'" : "", got ? got : "NULL", got ? "'" : "",
			want ? "'" : "", want ? want : "NULL", want ? "'" : "");
	va_end(args);
	pthread_mutex_unlock(&lock);
	return same;
}

void skip(unsigned checks, const char *why, ...)
{
	pthread_mutex_lock(&lock);
	while (checks--) {
		va_list args;
		va_start(args, why);
		vsnprintf(text, sizeof(text), why, args);
		va_end(args);
		put_result(true, "# SKIP ");
	}
	pthread_mutex_unlock(&lock);
}

void diag(const char *fmt, ...)
{
	va_list args;

	pthread_mutex_lock(&lock);
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	put_text("# ", "# ", false);
	pthread_mutex_unlock(&lock);
}

void plan_skip_all(const char *why, ...)
{
	va_list args;

	pthread_mutex_lock(&lock);
	va_start(args, why);
	vsnprintf(text, sizeof(text), why, args);
	va_end(args);
	put_text("1..0 # SKIP ", " ", false);
	exit(0);
}

/* _exit: other threads may hold anything, and the harness reads the line, not the status. */
void bail_out(const char *why, ...)
{
	va_list args;

	pthread_mutex_lock(&lock);
	va_start(args, why);
	vsnprintf(text, sizeof(text), why, args);
	va_end(args);
	put_text("Bail out! ", " ", false);
	_exit(255);
}

int done(void)
{
	int status = 0;

	pthread_mutex_lock(&lock);
	if (!have_plan || ran != planned) {
		put_diag("planned %u checks, ran %u", planned, ran);
		status = 1;
	}
	if (failed) {
		put_diag("%u of %u checks failed", failed, ran);
		status = 1;
	}
	pthread_mutex_unlock(&lock);
	return status;
}
