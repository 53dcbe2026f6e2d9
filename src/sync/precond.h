/* sync/precond.h -- tasks that may not start before some words have been seen full.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_SYNC_PRECOND_H
#define QTI_SYNC_PRECOND_H

#include "sync/waiter.h"

/* Notes that t is to start when each of the n words has been seen full, checked from the last to the first.  The
 * array is copied.  QTHREAD_SUCCESS, _MALLOC_ERROR or _BADARGS. */
int qti_precond_note(struct qti_task *t, aligned_t *const *words, size_t n);

/* Looks at the words: t is ready now, or will be made so by who fills the last of them. */
void qti_precond_start(struct qti_task *t);

#endif
