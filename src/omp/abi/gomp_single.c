/* omp/abi/gomp_single.c -- single and scope, as GCC calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/gomp_share.h"

#include "omp/work/loop.h"
#include "omp/work/single.h"

bool GOMP_single_start(void)
{
	return qomp_single(qomp_frame());
}

void *GOMP_single_copy_start(void)
{
	return qomp_single_copy(qomp_frame());
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
