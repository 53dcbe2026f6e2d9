/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
#include "loop/loop.h"

#include <qthread/qloop.h>

static void triad(size_t start, size_t stop, void *arg)
{
	loop_range(arg, LOOP_MEMORY, start, stop);
}

static void iterate(size_t start, size_t stop, void *arg)
{
	loop_range(arg, LOOP_COMPUTE, start, stop);
}

static void parallel(void)
{
	for (unsigned long i = 0; i < loop_loops; i++)
		qt_loop_balance(0, loop_n, loop_body == LOOP_MEMORY ? triad : iterate, &loop_arrays);
}

const struct bench_version bench_version = { .name = "qt_loop_balance", .parallel = parallel };
