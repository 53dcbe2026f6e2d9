/* test/xomp/dialects/2010.c -- the dialect of 2010; see test/xomp/dialect.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define XOMP_DIALECT 2010
#include "libxomp.h"

#include "xomp/dialects.h"

#define DIALECT(name) d2010_##name
#define HANDLE
#define INIT(kind, ...) XOMP_loop_##kind##_init(__VA_ARGS__)
#define BEGIN(kind, ...) XOMP_loop_##kind##_start(__VA_ARGS__)
#define NEXT(kind, ...) XOMP_loop_##kind##_next(__VA_ARGS__)
#define END
#define UPPER(u, s) ((s) < 0 ? (u) - 1 : (u) + 1)
#define WITHIN(i, u, s) ((s) < 0 ? (i) >= (u) + 1 : (i) <= (u) - 1)
#define START(f, d, n) XOMP_parallel_start(f, d, n)

#include "xomp/dialect.h"

void check_2010(void)
{
	d2010_check("2010");
}
