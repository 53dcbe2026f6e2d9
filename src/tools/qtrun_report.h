/* tools/qtrun_report.h -- what the log of tools/qtrun_log.h comes to.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_TOOLS_QTRUN_REPORT_H
#define QTI_TOOLS_QTRUN_REPORT_H

#include <stdio.h>

/* Takes the text to pieces.  `program` is what was run, `library` the one that was put in front. */
void qtrun_report(char *text, const char *program, const char *library, FILE *to);

#endif
