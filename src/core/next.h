/* core/next.h -- which ready task a worker runs next, of those that it need not steal.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_CORE_NEXT_H
#define QTI_CORE_NEXT_H

#include "core/worker.h"

/* A ready task from the places that w takes from without stealing, NULL if there is none; off duty these are the tasks
 * bound to w. */
struct qti_task *qti_next_local(struct qti_worker *w);

/* The same for the running task to give way to; *after makes it ready again, behind all others. */
struct qti_task *qti_next_to_yield(struct qti_worker *w, qti_after *after);

#endif
