/* test/leaks.h -- a process that leaves memory behind on purpose tells valgrind so.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Otherwise valgrind would put its own status in place of the process's.  Of invalid accesses it tells nevertheless.
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

static inline void leaks_allow(void)
{
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
