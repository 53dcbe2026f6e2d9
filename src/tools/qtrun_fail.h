/* tools/qtrun_fail.h -- how qtrun ends without the program.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Stands alone, as all of qtrun: nothing of the library is in the process that looks at a program and then becomes it.
 */
#ifndef QTI_TOOLS_QTRUN_FAIL_H
#define QTI_TOOLS_QTRUN_FAIL_H

/* Exit statuses of qtrun itself: those of env(1), but for the usage. */
enum qtrun_status {
	QTRUN_USAGE = 2,                /* an option or its value */
	QTRUN_REFUSED = 125,            /* the program would not run on libqomp */
	QTRUN_CANNOT_RUN = 126,         /* it is there, and is not a program or may not be run */
	QTRUN_NOT_FOUND = 127,
};

/* One line on stderr, and the end. */
_Noreturn void qtrun_fail(enum qtrun_status status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
