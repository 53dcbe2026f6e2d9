/* core/stackless.h -- a task that gives way without memory for the stack on which its worker would go on.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Others can run all the same: one that has waited has a stack of its own, and one that has not started can run on top
 * of who gives way.  But whoever is beneath another goes on only when that one has ended.  If it holds a lock then, or
 * is next in a line, and the one above wants the same, both are stuck, also when there is memory again.  So a yield
 * alone puts nobody on top: only a task does that has yielded many times, and nothing else happened on its worker
 * meanwhile.  It polls, and what it polls for may be what only this worker's tasks can do.
 * Checked by test/unit/yield_out_of_memory.c.
 */
#ifndef QTI_CORE_STACKLESS_H
#define QTI_CORE_STACKLESS_H

#include "core/worker.h"

/* qti_suspend_prepare has failed.  Lets one of w's ready tasks go on, or one begin, if there is any that can. */
void qti_stackless_yield(struct qti_worker *w);

/* The same for who waits in a line, where whoever were on top of it would stand behind it: none begins. */
void qti_stackless_wait_in_line(struct qti_worker *w);

#endif
