/* base/give_way.h -- what is left for who has to wait, and has no memory for a stack to wait on.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_BASE_GIVE_WAY_H
#define QTI_BASE_GIVE_WAY_H

#include "qthread/qthread.h"

#include <sched.h>

/* Between two looks: tasks that can go on without a stack do, and so do threads that may want the CPU. */
static inline void qti_give_way(void)
{
	qthread_yield();
	sched_yield();
}

#endif
