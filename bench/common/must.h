/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* Calls of the library that end the program if they fail, as for want of memory: who went on would leave frames in which tasks
 * still write. */
#ifndef BENCH_COMMON_MUST_H
#define BENCH_COMMON_MUST_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <qthread/qthread.h>

static __attribute__((noinline, cold, noreturn)) void must_end(int rc)
{
	fprintf(stderr, "%s: a call of libqthread ended with error %d: %s\n", program_invocation_short_name, rc,
	        rc > 0 ? strerror(rc) : "see qthread.h");
	_Exit(1);
}

static inline void must(int rc)
{
	if (__builtin_expect(rc != QTHREAD_SUCCESS, 0))
		must_end(rc);
}

#endif
