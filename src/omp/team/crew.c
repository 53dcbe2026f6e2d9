/* omp/team/crew.c -- see omp/team/crew.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/team/crew.h"

#include "omp/team/team.h"

static uint32_t crews;

bool qomp_crew_may_be(void)
{
	return qti_guest_standing() == QTI_STANDS_IN_TASK;
}

/* How many workers there are is asked last, in a task: other threads may meet a region while the runtime starts. */
bool qomp_crew_in(const struct qomp_frame *f, unsigned n)
{
	return f->place < QOMP_OUTSIDE && f->team->active_level == 0 && qomp_crew_may_be() && n > qti_host_workers();
}

__attribute__((noinline)) void qomp_crew_begin(void)
{
	add_rlx(&crews, 1);
	qti_guest_absent(true);
}

__attribute__((noinline)) void qomp_crew_end(void)
{
	sub_rlx(&crews, 1);
	qti_guest_absent(false);
}

bool qomp_crews_left(void)
{
	return load_rlx(&crews) != 0;
}

void qomp_crews_forget(void)
{
	store_rlx(&crews, 0);
}
