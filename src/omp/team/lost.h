/* omp/team/lost.h -- a thread that ends inside a region: by pthread_exit, or because it is cancelled.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The process may be about to end: Python ends its daemon threads so.  Then nobody waits for such a thread for ever,
 * and the status of the process is that of main.
 *
 * If no other thread has part in its regions, the thread ends as it would outside of them.  Else it stays, asleep:
 * other members use what lies on its stack.  A message comes when others wait for it at a barrier or at the region's
 * end.  It ends the process if those belong to the main thread or to a worker, because the runtime cannot go on
 * without them.  Others may wait until the process ends.
 */
#ifndef QOMP_LOST_H
#define QOMP_LOST_H

#include "omp/team/frame.h"

/* The calling thread ends in a task, whose frame may be gone with the stack that has been unwound.  `bottom`: the frame
 * in which the thread stands first, an initial task's or a member's.  Returns in `bottom`, outside of regions, if the
 * thread may end. */
void qomp_lost_thread(struct qomp_frame *bottom);

/* Whether the calling worker, which ran the implicit task of frame f, need not end the process yet: nobody waits. */
bool qomp_lost_may_stay(const struct qomp_frame *f);

#endif
