/* machine/caller.h -- where the program has called the library.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A call that has to wait comes to that several functions deep in the library, on one of a few ways that are the same
 * each time.  So the stack is unwound once for each way, which takes microseconds; later a few comparisons tell that it
 * is that way again, and then it is known where on the stack the program's address stands.  No call has to hand its
 * caller's address down.
 */
#ifndef QTI_MACHINE_CALLER_H
#define QTI_MACHINE_CALLER_H

#include "base/shared.h"
#include "machine/stack.h"

/* Code of the files that have these n addresses is the library's.  By one thread at a time, before qti_caller. */
void qti_caller_begin(const void *const *own, unsigned n);

/* The address to which the library returns, behind the call by which the program has come into it; NULL: that is not
 * known, or nobody has called it.  s: the stack. */
QTI_SHARED const void *qti_caller(const struct qti_stack *s);

#endif
