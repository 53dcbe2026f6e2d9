/* omp/tool/tell_lock.h -- telling the tool of locks.  As omp/tool/tell.h has it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QOMP_TELL_LOCK_H
#define QOMP_TELL_LOCK_H

#include "omp/tool/thread.h"

/* t: the running task. */
void qomp_tell_lock_init(struct qomp_told *t, ompt_mutex_t kind, unsigned hint, const void *lock);
void qomp_tell_lock_destroy(struct qomp_told *t, ompt_mutex_t kind, const void *lock);
void qomp_tell_acquire(struct qomp_told *t, ompt_mutex_t kind, unsigned hint, const void *lock);
void qomp_tell_acquired(struct qomp_told *t, ompt_mutex_t kind, const void *lock);
void qomp_tell_not_acquired(struct qomp_told *t);
void qomp_tell_released(struct qomp_told *t, ompt_mutex_t kind, const void *lock);
void qomp_tell_nested(struct qomp_told *t, ompt_scope_endpoint_t end, const void *lock);

#endif
