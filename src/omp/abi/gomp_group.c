/* omp/abi/gomp_group.c -- task groups, dependences of taskwait and cancellation, as GCC calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/gomp_tasking.h"
#include "omp/task/cancel.h"
#include "omp/task/depend.h"
#include "omp/task/group.h"
#include "omp/team/standing.h"
#include "omp/team/called.h"

void GOMP_taskgroup_start(void)
{
	qomp_group_start(qomp_frame_called());
}

void GOMP_taskgroup_end(void)
{
	qomp_group_end(qomp_frame_called());
}

void GOMP_taskwait_depend(void **depend)
{
	qomp_depend_wait(qomp_frame_called(), depend);
}

void GOMP_taskwait_depend_nowait(void **depend)
{
	qomp_depend_join(qomp_frame(), depend);
}

bool GOMP_cancel(int which, bool do_cancel)
{
	struct qomp_frame *f = qomp_frame_called();

	if (!do_cancel)
		return GOMP_cancellation_point(which);
	return qomp_cancel(f, (unsigned)which);
}

bool GOMP_cancellation_point(int which)
{
	return qomp_cancelled(qomp_frame_called(), (unsigned)which);
}
