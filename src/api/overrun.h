/* api/overrun.h -- what is said about a fault at the end of a stack.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_API_OVERRUN_H
#define QTI_API_OVERRUN_H

#include <stdbool.h>

/* For machine/guard.h: one line, and true, if the address lies beneath the running task's stack or the first thread's.
 */
bool qti_overrun_explain(const char *address, const void *code);

#endif
