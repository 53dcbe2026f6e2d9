/* omp/abi/gomp_sections.c -- sections, as GCC calls them: a loop over their numbers.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/gomp_share.h"

#include "omp/team/called.h"
#include "omp/work/loop.h"

static unsigned sections_next(struct qomp_share_place *p)
{
	uint64_t from, to;

	return qomp_loop_next(p, &from, &to) ? (unsigned)from : 0;
}

static inline unsigned sections_start(struct qomp_frame *f, unsigned count, const struct qomp_common *common)
{
	struct qomp_loop loop = qomp_sections(count);

	return sections_next(qomp_loop_open(f, &loop, common));
}

unsigned GOMP_sections_start(unsigned count)
{
	return sections_start(qomp_frame_called(), count, NULL);
}

unsigned GOMP_sections2_start(unsigned count, uintptr_t *reductions, void **mem)
{
	return sections_start(
		qomp_frame_called(), count, &(struct qomp_common){ .reductions = reductions, .memory = mem });
}

unsigned GOMP_sections_next(void)
{
	return sections_next(qomp_share_place());
}

void GOMP_sections_end(void)
{
	qomp_loop_end(qomp_frame_called());
}

void GOMP_sections_end_nowait(void)
{
	qomp_loop_leave(qomp_frame_called());
}

bool GOMP_sections_end_cancel(void)
{
	return qomp_loop_end_cancel(qomp_frame_called());
}
