/* omp/abi/gomp_event.c -- the end of a detached task, as programs ask for it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "omp/abi/gomp_tasking.h"

#include "omp/task/task.h"

void omp_fulfill_event(uintptr_t event)
{
	qomp_task_fulfil((void *)event);
}

/* Fortran's interface has the handle by value. */
void omp_fulfill_event_(uintptr_t event)
{
	qomp_task_fulfil((void *)event);
}
