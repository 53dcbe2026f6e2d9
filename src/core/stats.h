/* core/stats.h -- what each worker counts.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Written by the worker alone, on a line of its own, with plain stores (bump_rlx); anybody may read.  Of the tasks that
 * it created a worker counts forks, those that another queue got (tasks_queued), and those run in place; who reads them
 * adds up the rest (api/stats.c).
 */
#ifndef QTI_CORE_STATS_H
#define QTI_CORE_STATS_H

#include "base/atomic.h"
#include "qthread/stats.h"

/* Adds n to an owner's counter that others may read. */
static inline void qti_count_add(uint64_t *counter, uint64_t n)
{
	store_rlx(counter, load_rlx(counter) + n);
}

#define qti_count(w, what) qti_count_add(&(w)->stats.what, 1)

#endif
