/* qthread/feb_barrier.h -- barriers under the names of earlier releases: see barrier.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTHREAD_FEB_BARRIER_H
#define QTHREAD_FEB_BARRIER_H

#include "barrier.h"

Q_STARTCXX
#pragma GCC visibility push(default)

typedef qt_barrier_t qt_feb_barrier_t;
typedef qt_barrier_t qthread_feb_barrier_t;

/* qt_barrier_create, qt_barrier_enter, qt_barrier_resize and qt_barrier_destroy. */
qt_feb_barrier_t *qt_feb_barrier_create(size_t max_threads);
void qt_feb_barrier_enter(qt_feb_barrier_t *b);
void qt_feb_barrier_resize(qt_feb_barrier_t *b, size_t size);
void qt_feb_barrier_destroy(qt_feb_barrier_t *b);

/* The same. */
qthread_feb_barrier_t *qthread_feb_barrier_create(size_t max_threads);
void qthread_feb_barrier_enter(qthread_feb_barrier_t *b);
void qthread_feb_barrier_resize(qthread_feb_barrier_t *b, size_t size);
void qthread_feb_barrier_destroy(qthread_feb_barrier_t *b);

#pragma GCC visibility pop
Q_ENDCXX

#endif
