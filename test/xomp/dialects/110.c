/* test/xomp/dialects/110.c -- the dialect of Qthreads 1.10, by its own header; see test/xomp/dialect.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "qthread/omp_defines.h"
#include "qthread/xomp110/libxomp.h"

#include "xomp/dialects.h"

#define DIALECT(name) d110_##name
#define HANDLE void *xomp_loop_struct_1;
#define INIT(kind, ...) XOMP_loop_##kind##_init(&xomp_loop_struct_1, __VA_ARGS__)
#define BEGIN(kind, ...) XOMP_loop_##kind##_start(xomp_loop_struct_1, __VA_ARGS__)
#define NEXT(kind, ...) XOMP_loop_##kind##_next(xomp_loop_struct_1, __VA_ARGS__)
#define END xomp_loop_struct_1
#define UPPER(u, s) (u)
#define WITHIN(i, u, s) ((s) < 0 ? (i) >= (u) : (i) <= (u))
#define START(f, d, n) XOMP_parallel_start(f, d, 1, n, __func__)

#include "xomp/dialect.h"

void check_110(void)
{
	omp_lock_t lock;

	d110_check("1.10");
	omp_init_lock(&lock);
	omp_set_lock(&lock);
	omp_unset_lock(&lock);
	omp_destroy_lock(&lock);
	ok(true, "1.10: qthread/omp_defines.h has locks");
}
