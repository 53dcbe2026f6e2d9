/* api/trace.c -- the event log (core/trace.h), by call.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "qthread/trace.h"

#include "core/gate.h"
#include "core/tracelog.h"
#include "core/worker.h"

int qthread_trace_start(const char *file)
{
	if (!qti_call_in())
		return QTHREAD_NOT_ALLOWED;
	int rc = qti_tracelog_start(file);
	qti_call_out();
	return rc;
}

int qthread_trace_stop(void)
{
	if (!qti_call_in())
		return QTHREAD_NOT_ALLOWED;
	int rc = qti_tracelog_stop();
	qti_call_out();
	return rc;
}

int qthread_trace_dump(const char *file)
{
	if (!qti_call_in())
		return QTHREAD_NOT_ALLOWED;
	int rc = qti_tracelog_dump(file);
	qti_call_out();
	return rc;
}
