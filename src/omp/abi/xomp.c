/* omp/abi/xomp.c -- regions, tasks and exclusion, as ROSE calls them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "libxomp.h"

#include "omp/abi/gomp_critical.h"
#include "omp/abi/gomp_tasking.h"
#include "omp/abi/xomp_trace.h"
#include "omp/task/create.h"
#include "omp/task/task.h"
#include "omp/task/wait.h"
#include "omp/team/barrier.h"
#include "omp/team/region.h"
#include "omp/team/called.h"
#include "omp/work/single.h"

/* The runtime starts when a region needs it, and ends with the process: main may not be a translated function. */
void XOMP_init(int argc, char **argv)
{
	(void)argc;
	(void)argv;
}

void XOMP_terminate(int exitcode)
{
	(void)exitcode;
}

/* --- regions --------------------------------------------------------------------------------------------- */

/* Translated code does nothing between the two, so the region may end in the first. */
void XOMP_parallel_start(void (*func)(void *), void *data, unsigned ifClauseValue, unsigned numThreadsSpecified,
                         char *file_name, int line_no)
{
	qomp_tool_called();
	qomp_trace("begin", file_name, line_no);
	qomp_region_begin(qomp_frame(), func, data, ifClauseValue ? numThreadsSpecified : 1, 0, NULL);
	func(data);
	qomp_region_end();
}

void XOMP_parallel_end(char *file_name, int line_no)
{
	qomp_trace("end", file_name, line_no);
}

void XOMP_barrier(void)
{
	qomp_barrier(qomp_frame_called());
}

bool XOMP_single(void)
{
	return qomp_single_told(qomp_frame_called());
}

bool XOMP_master(void)
{
	return qomp_frame_asked()->num == 0;
}

/* --- tasks ----------------------------------------------------------------------------------------------- */

/* arg_align is 4 even for structures with pointers. */
void XOMP_task(void (*func)(void *), void *data, void (*cpyfn)(void *, void *), long arg_size, long arg_align,
               bool if_clause, unsigned untied)
{
	size_t align = (size_t)(arg_align > QOMP_ARG_ALIGN ? arg_align : QOMP_ARG_ALIGN);

	(void)untied;   /* nothing here moves a task that has begun */
	qomp_task_create(func, data, cpyfn, (size_t)arg_size, align, (if_clause ? 0 : QOMP_UNDEFERRED) | QOMP_CALLED);
}

void XOMP_taskwait(void)
{
	GOMP_taskwait();
}

/* --- exclusion and flushes ------------------------------------------------------------------------------- */

void XOMP_critical_start(void **data)
{
	GOMP_critical_name_start(data);
}

void XOMP_critical_end(void **data)
{
	GOMP_critical_name_end(data);
}

void XOMP_atomic_start(void)
{
	GOMP_atomic_start();
}

void XOMP_atomic_end(void)
{
	GOMP_atomic_end();
}

void XOMP_flush_all(void)
{
	fence_sc();     /* promised: a flush */
	qomp_tool_called();
	if (qomp_tool_here())
		qomp_tell_flush();
}

void XOMP_flush_one(char *startAddress, int nbyte)
{
	(void)startAddress;
	(void)nbyte;
	fence_sc();     /* promised: a flush */
	qomp_tool_called();
	if (qomp_tool_here())
		qomp_tell_flush();
}
