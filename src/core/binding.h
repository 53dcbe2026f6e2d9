/* core/binding.h -- workers that are bound to a CPU each (QT_AFFINITY=yes), and threads that inherit that.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A batch system or an administrator may set the masks of all threads of the process at any time, and such a mask stays.
 * The kernel does not tell who has set a mask, but a setter of all threads gives two workers the same mask, which this
 * file never does to workers on different CPUs.  So a thread looks at another worker's mask before it changes its own.
 * What remains are the moments between worker 0's look and its write at start and end: a setter comes to it first, and
 * others know nothing yet.  test/api/started.c and test/unit/omp_masks.c check that.
 */
#ifndef QTI_CORE_BINDING_H
#define QTI_CORE_BINDING_H

#include "core/worker.h"

/* The thread that starts the runtime, before other workers have threads: this is the mask of the process. */
void qti_binding_begin(void);

/* Binds the thread of w, which the caller has started, if the shape says so and the caller still has the mask of the
 * process.  No worker binds itself later: a mask that is set after the start would be lost. */
void qti_binding_bind_thread(const struct qti_worker *w);

/* The same of the calling thread, worker 0, after all others. */
void qti_binding_bind_self(const struct qti_worker *w);

/* Whether the calling thread has no CPU but that of a worker, by its own binding or by inheritance. */
bool qti_binding_here(void);

/* Gives the calling thread the mask of the process back, if qti_binding_here. */
void qti_binding_undo(void);

#endif
