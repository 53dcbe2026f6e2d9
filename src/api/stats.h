/* api/stats.h -- the table of counters.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_API_STATS_H
#define QTI_API_STATS_H

/* To stderr; while the runtime is up and no task runs. */
void qti_stats_print(void);

#endif
