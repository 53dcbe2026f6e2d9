/* qthread/qtimer.h -- stop watches.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * They read the system's monotonic clock, which setting the time of day does not disturb.
 *
 * Anybody may call these functions, at any time; they need no initialized runtime and never block.  A timer carries no
 * lock: calls on the same timer must not overlap.  NULL in place of a timer is ignored.
 */
#ifndef QTHREAD_QTIMER_H
#define QTHREAD_QTIMER_H

#include "macros.h"

Q_STARTCXX
#pragma GCC visibility push(default)

typedef struct qtimer_s *qtimer_t;

/* A new timer that shows 0 seconds; NULL when memory is short. */
qtimer_t qtimer_create(void);

/* Free a timer. */
void qtimer_destroy(qtimer_t timer);

/* Begin a measurement; the one before it is forgotten. */
void qtimer_start(qtimer_t timer);

/* End the measurement begun by qtimer_start; a second stop moves the end.  Does nothing to a timer never started. */
void qtimer_stop(qtimer_t timer);

/* Seconds between the last start and the stop after it; 0.0 before the first stop, and for NULL. */
double qtimer_secs(qtimer_t timer);

/* Seconds since a point in the past that stays the same while the process runs. */
double qtimer_wtime(void);

/* Seconds between two ticks of the clock behind the functions above. */
double qtimer_res(void);

/* A number made from the clock: cheap, different from call to call, and of no statistical quality. */
unsigned long qtimer_fastrand(void);

#pragma GCC visibility pop
Q_ENDCXX

#endif
