/* test/xomp/dialects/2011.c -- the dialect of early 2011; see test/xomp/dialect.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#define XOMP_DIALECT 2011
#include "libxomp.h"

#include "xomp/dialects.h"

#define DIALECT(name) d2011_##name
#define HANDLE
#define INIT(kind, ...) XOMP_loop_##kind##_init(__VA_ARGS__)
#define BEGIN(kind, ...) XOMP_loop_##kind##_start(__VA_ARGS__)
#define NEXT(kind, ...) XOMP_loop_##kind##_next(__VA_ARGS__)
#define END
#define UPPER(u, s) (u)
#define WITHIN(i, u, s) ((s) < 0 ? (i) >= (u) : (i) <= (u))
#define START(f, d, n) XOMP_parallel_start(f, d, 1, n)

#include "xomp/dialect.h"

void check_2011(void)
{
	d2011_check("2011");
}
