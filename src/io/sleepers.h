/* io/sleepers.h -- tasks that wait for a time.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_IO_SLEEPERS_H
#define QTI_IO_SLEEPERS_H

#include <stdbool.h>
#include <stdint.h>

void qti_sleepers_up(void);
void qti_sleepers_down(void);           /* those that still sleep are not resumed */

/* Threads that there are; once nobody is absent (io/absent.h), at least so many. */
unsigned qti_sleepers_threads(void);

/* Suspends the running task for so many nanoseconds at least.  False, at once, if there is no task that may wait, no
 * memory or no thread to be had. */
bool qti_sleepers_add(uint64_t ns);

#endif
