/* api/feb_barrier.c -- the barriers of sync/barrier.c under the names of earlier releases.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "qthread/feb_barrier.h"

qt_feb_barrier_t *qt_feb_barrier_create(size_t max_threads)
{
	return qt_barrier_create(max_threads, REGION_BARRIER);
}

void qt_feb_barrier_enter(qt_feb_barrier_t *b)
{
	qt_barrier_enter(b);
}

void qt_feb_barrier_resize(qt_feb_barrier_t *b, size_t size)
{
	qt_barrier_resize(b, size);
}

void qt_feb_barrier_destroy(qt_feb_barrier_t *b)
{
	qt_barrier_destroy(b);
}

qthread_feb_barrier_t *qthread_feb_barrier_create(size_t max_threads)
{
	return qt_barrier_create(max_threads, REGION_BARRIER);
}

void qthread_feb_barrier_enter(qthread_feb_barrier_t *b)
{
	qt_barrier_enter(b);
}

void qthread_feb_barrier_resize(qthread_feb_barrier_t *b, size_t size)
{
	qt_barrier_resize(b, size);
}

void qthread_feb_barrier_destroy(qthread_feb_barrier_t *b)
{
	qt_barrier_destroy(b);
}
