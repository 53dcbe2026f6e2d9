/* qthread/sinc.h -- join counters.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A sinc counts outstanding submissions; when the last one has come in it is ready and lets its waiters go.  A
 * submission may carry a value, and the sinc combines the values into one result.
 *
 *   qt_sinc_t *s = qt_sinc_create(0, NULL, NULL, n);
 *   for (size_t i = 0; i < n; i++)
 *           qthread_spawn(f, &arg[i], 0, s, 0, NULL, NO_SHEPHERD, QTHREAD_SPAWN_RET_SINC_VOID);
 *   qt_sinc_wait(s, NULL);
 *   qt_sinc_destroy(s);
 *
 * Tasks and external threads may make all of these calls, on an initialized runtime.  NULL in place of a sinc is
 * ignored.  What a submitter wrote before qt_sinc_submit is visible after the qt_sinc_wait that the submission helped
 * to release.
 *
 * A task that returned from qt_sinc_wait may destroy the sinc at once when it knows of no other waiter: the submission
 * that released it touches nothing of the sinc any more.
 */
#ifndef QTHREAD_SINC_H
#define QTHREAD_SINC_H

#include <stddef.h>
#ifndef __cplusplus
#include <stdalign.h>
#endif

#include "qthread.h"

Q_STARTCXX
#pragma GCC visibility push(default)

/* Combine the value at src into the one at tgt.  Must be associative and commutative and must neither block nor
 * yield. */
typedef void (*qt_sinc_op_f)(void *tgt, void const *src);

typedef struct qt_opaque_sinc_s {
	alignas(aligned_t) unsigned char opaque_data[24];
} qt_sinc_t;

/* Make a sinc that waits for `expect` submissions; with 0 it is ready at once.  Does not block.
 *
 * sizeof_value   bytes of a value; 0 makes a mere counter, for which the next two arguments are ignored
 * initial_value  sizeof_value bytes, copied: where the result and every worker's share of it start.  It must be neutral
 *                for op (0 for a sum): it is combined in once per worker.  NULL stands for zero bytes.
 * op             combines two values; must not be NULL when sizeof_value is not 0
 * expect         at most 2^62 - 1; more is taken as that
 *
 * NULL when memory is short, or for a value without op. */
qt_sinc_t *qt_sinc_create(size_t sizeof_value, void const *initial_value, qt_sinc_op_f op, size_t expect);

/* The same in memory of the caller's.
 *
 * There is no result to tell of an error.  A value without op, or no memory for the values, leaves one line on stderr
 * and a sinc that counts but carries no value: qt_sinc_wait leaves its target alone.  Use qt_sinc_create where the
 * program has to know. */
void qt_sinc_init(qt_sinc_t *restrict sinc, size_t sizeof_value, void const *restrict initial_value, qt_sinc_op_f op,
                  size_t expect);

/* Release what qt_sinc_init took.  Nobody may be waiting or submitting. */
void qt_sinc_fini(qt_sinc_t *sinc);

/* Release a sinc that qt_sinc_create made.  Nobody may be waiting or submitting. */
void qt_sinc_destroy(qt_sinc_t *sinc);

/* Start over: the initial value, and `expect` submissions to come.  Nobody may be waiting or submitting. */
void qt_sinc_reset(qt_sinc_t *sinc, size_t expect);

/* Announce `count` more submissions.  A ready sinc becomes not ready; its result so far is kept and added to.
 *
 * Call it before the submissions it announces can come in.  From a task that task may wait, shortly, for a submission
 * that is just making the sinc ready. */
void qt_sinc_expect(qt_sinc_t *sinc, size_t count);

/* Count one submission and combine *value (sizeof_value bytes) into the result; NULL submits no value, and a counter
 * ignores it.  Does not block, except that external threads take turns when they carry values.
 *
 * More submissions than announced are a mistake of the caller's: each is reported on stderr and not counted. */
void qt_sinc_submit(qt_sinc_t *restrict sinc, void const *restrict value);

/* Wait until the sinc is ready, then copy the result (sizeof_value bytes) to target unless that is NULL.
 *
 * Only the calling task waits, or the calling OS thread if it is external.  Several may wait, and waiting on a ready
 * sinc returns at once, as often as one likes. */
void qt_sinc_wait(qt_sinc_t *restrict sinc, void *restrict target);

/* The calling worker's share of the result, for a task that combines into it by itself and submits NULL afterwards.
 * The address is good until the task waits or yields.  NULL for a counter and for external threads. */
void *qt_sinc_tmpdata(qt_sinc_t *sinc);

#pragma GCC visibility pop
Q_ENDCXX

#endif
