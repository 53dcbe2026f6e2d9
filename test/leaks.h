/* test/leaks.h -- a process that leaves memory behind on purpose tells valgrind and LeakSanitizer so.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Otherwise they would put a status of their own in place of the process's.  Of invalid accesses they tell
 * nevertheless.
 */
#ifndef QTI_TEST_LEAKS_H
#define QTI_TEST_LEAKS_H

#include <stdbool.h>
#include <stdlib.h>

#if defined(__has_include)
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif
#endif

#if defined(__SANITIZE_ADDRESS__)
static bool leaks_intended;

/* LeakSanitizer asks at the end.  For one file of a program. */
int __lsan_is_turned_off(void) __attribute__((visibility("default")));
int __lsan_is_turned_off(void)
{
	return leaks_intended;
}
#endif

static inline void leaks_allow(void)
{
#if defined(__SANITIZE_ADDRESS__)
	leaks_intended = true;
#endif
#ifdef VALGRIND_CLO_CHANGE
	VALGRIND_CLO_CHANGE("--leak-check=no");
#endif
}

/* False under a valgrind that cannot be told, before 3.18. */
static inline bool leaks_allowed(void)
{
#ifdef VALGRIND_CLO_CHANGE
	return true;
#else
	const char *tool = getenv("QTI_TEST_TOOL");

	return !tool || !*tool;
#endif
}

#endif
