/* io/call.h -- bracketing one call that may block.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *	struct qti_call c;
 *
 *	qti_call_begin(&c);
 *	int rc = call_that_blocks();
 *	qti_call_end(&c, rc == -1);
 *
 * errno is the OS thread's, and the caller may be on another one after each of the two: these carry it over.  Whoever
 * brackets names it qt_errno if at all (qthread/qt_syscalls.h).
 */
#ifndef QTI_IO_CALL_H
#define QTI_IO_CALL_H

#include <stdbool.h>

struct qti_call {
	bool away;                      /* on a proxy */
	int error;                      /* errno before */
};

void qti_call_begin(struct qti_call *c);

/* failed: errno is the call's; otherwise it is what it was before. */
void qti_call_end(const struct qti_call *c, bool failed);

#endif
