/* tools/qtrun_watch.h -- runs a program, and tells at its end which OpenMP runtimes it had and who used which.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_TOOLS_QTRUN_WATCH_H
#define QTI_TOOLS_QTRUN_WATCH_H

/* Finds what goes with the program.  Ends qtrun if it is not there. */
void qtrun_watch_prepare(void);

/* With the environment as it is for the program.  Ends as this does. */
_Noreturn void qtrun_watch(const char *program, char **argv, const char *library);

#endif
