/* test/tap.h -- what a test program says: the Test Anything Protocol on stdout.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *	int main(void)
 *	{
 *		plan(2);
 *		ok(answer() == 42, "the answer is right");
 *		is_int(answer(), 42, "and %s when it is not, the log says what came", "again");
 *		return done();
 *	}
 *
 * Every call may come from any qthread or thread: lines and numbers are handed out under one lock.  A call of ok()
 * and its kin evaluates its arguments once and returns whether the check held.
 */
#ifndef QTI_TEST_TAP_H
#define QTI_TEST_TAP_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many checks will follow.  First call of a test program, or plan_skip_all(). */
void plan(unsigned checks);

/* Nothing to check here, and why; ends the program successfully. */
void plan_skip_all(const char *why, ...) __attribute__((noreturn, format(printf, 1, 2)));

#define ok(cond, ...) tap_ok(__FILE__, __LINE__, (cond), __VA_ARGS__)
#define is_int(got, want, ...) tap_is_int(__FILE__, __LINE__, (long long)(got), (long long)(want), __VA_ARGS__)
#define is_str(got, want, ...) tap_is_str(__FILE__, __LINE__, (got), (want), __VA_ARGS__) /* NULL equals NULL only */

/* Counts the next `checks` checks as passed, each with the reason. */
void skip(unsigned checks, const char *why, ...) __attribute__((format(printf, 2, 3)));

/* A line for the log.  New lines inside are kept inside the comment. */
void diag(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The rest makes no sense; ends the program at once. */
void bail_out(const char *why, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* The exit status: 0 when as many checks ran as were planned and all of them held. */
int done(void);

bool tap_ok(const char *file, int line, bool cond, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
bool tap_is_int(const char *file, int line, long long got, long long want, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
bool tap_is_str(const char *file, int line, const char *got, const char *want, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

#ifdef __cplusplus
}
#endif

#endif
