/* omp/abi/kmpc_sections.c -- sections, as Intel's compilers call them: a loop over their numbers.  (clang makes a
 * static loop.)
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/kmpc_loop.h"

#include "omp/team/called.h"
#include "omp/work/loop.h"

/* How many there are shows only when one is asked for. */
int32_t __kmpc_sections_init(struct kmpc_ident *loc, int32_t thread)
{
	struct qomp_frame *f = qomp_frame_called();
	struct qomp_loop loop = qomp_sections(INT32_MAX);

	(void)loc, (void)thread;
	if (f->team->n == 1)
		return 0;
	qomp_loop_open(f, &loop, NULL);
	return 1;
}

int32_t __kmpc_next_section(struct kmpc_ident *loc, int32_t thread, int32_t n)
{
	uint64_t i, some;

	(void)loc, (void)thread;
	return qomp_loop_take(qomp_share_place(), &i, &some) && i < (uint64_t)n ? (int32_t)i : n;
}

void __kmpc_end_sections(struct kmpc_ident *loc, int32_t thread)
{
	(void)loc, (void)thread;
	qomp_loop_leave(qomp_frame_called());
}
