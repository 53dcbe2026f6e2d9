/* omp/abi/gomp_single.c -- single and scope, as GCC calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/gomp_share.h"

#include "omp/team/called.h"
#include "omp/work/loop.h"
#include "omp/work/single.h"

static __attribute__((noinline)) bool single_watched(struct qomp_frame *f, const void *address, void *frame)
{
	return qomp_single_told(qomp_frame_called_from(f, address, frame));
}

/* As qomp_frame_called; the other way out goes to a function of its own, so that this one asks once. */
bool GOMP_single_start(void)
{
	struct qomp_frame *f = qomp_frame_now();

	if (qti_unlikely(f->flags & (QOMP_LIGHT | QOMP_TRACED)))
		return single_watched(f, __builtin_return_address(0), __builtin_dwarf_cfa());
	return qomp_single(f);
}

void *GOMP_single_copy_start(void)
{
	return qomp_single_copy(qomp_frame_called());
}

void GOMP_single_copy_end(void *data)
{
	qomp_single_copied(qomp_frame(), data);
}

/* Only where explicit tasks take part in the scope's reductions. */
void GOMP_scope_start(uintptr_t *reductions)
{
	qomp_share_agree(qomp_frame(), &(struct qomp_common){ .reductions = reductions });
}
