/* test/cmake/openmp.c -- a user's program on libqomp, as ROSE would have translated it: any compiler will do.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <libxomp.h>

static int visits;

static void member(void *unused)
{
	(void)unused;
	XOMP_atomic_start();
	visits++;
	XOMP_atomic_end();
}

int main(void)
{
	XOMP_parallel_start(member, 0, 1, 3, "openmp.c", 1);
	XOMP_parallel_end("openmp.c", 2);
	return visits == 3 ? 0 : 1;
}
