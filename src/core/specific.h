/* core/specific.h -- keys, and for each key a value in each task.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * An owner of values is a task; OS threads that are no workers are owners, too, and so that what one of them stores
 * before it starts the runtime is still there, the main task goes by its OS thread.
 */
#ifndef QTI_CORE_SPECIFIC_H
#define QTI_CORE_SPECIFIC_H

#include "qthread/tls.h"

#include <stdbool.h>

enum { QTI_KEYS = 1024 };               /* at a time */

/* Both return false where there is none: no free key, or not a key (any more). */
bool qti_key_make(qthread_key_t *key, void (*destructor)(void *));
bool qti_key_drop(qthread_key_t key);
bool qti_key_valid(qthread_key_t key);

/* The running owner's value; NULL before the first set, and for a key that is not valid. */
void *qti_specific_get(qthread_key_t key);

/* key is valid.  QTHREAD_SUCCESS or _MALLOC_ERROR. */
int qti_specific_set(qthread_key_t key, void *value);

/* A value without a key, for the library's own use: the task's barrier. */
void *qti_specific_get_own(void);
int qti_specific_set_own(void *value);

/* From the thread that becomes worker 0. */
void qti_specific_main(void);

/* The running owner ends: destructors, then its memory. */
void qti_specific_end(void);

#endif
