/* machine/cxx.c -- see machine/cxx.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "machine/cxx.h"

#include "base/diag.h"

void (*qti_cxx_ends_thread)(void);

/* The search for a handler ends here, without one.  What looks for none is the end of the thread, which the stack is
 * not the task's to end. */
__attribute__((used)) _Unwind_Reason_Code qti_cxx_stop(int version, _Unwind_Action actions,
	_Unwind_Exception_Class class, struct _Unwind_Exception *exception, struct _Unwind_Context *context)
{
	(void)version;
	(void)class;
	(void)exception;
	(void)context;
	if (actions & _UA_FORCE_UNWIND) {
		if (qti_cxx_ends_thread)
			qti_cxx_ends_thread();
		qti_panic("a task has called pthread_exit, or its thread was cancelled: other tasks need the thread");
	}
	return _URC_FATAL_PHASE1_ERROR;
}
