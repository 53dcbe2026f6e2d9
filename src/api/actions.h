/* api/actions.h -- the functions that locales may ask each other to run, and their numbers.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_API_ACTIONS_H
#define QTI_API_ACTIONS_H

#include <qthread/qthread.h>

/* Announces count functions, the first under the number base; a number that is in use means the new one from now on.
 * QTHREAD_MALLOC_ERROR: none is. */
int qti_actions_add(const qthread_f *actions, size_t count, size_t base);

/* False: f is not announced. */
bool qti_action_number(qthread_f f, size_t *number);

void qti_actions_forget(void);

#endif
