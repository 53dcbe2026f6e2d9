/* api/tls.c -- keys and values of tasks: checks, and on to core/specific.c.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/specific.h"

int qthread_key_create(qthread_key_t *key, void (*destructor)(void *))
{
	if (!key)
		return QTHREAD_BADARGS;
	return qti_key_make(key, destructor) ? QTHREAD_SUCCESS : QTHREAD_OVERFLOW;
}

int qthread_key_delete(qthread_key_t key)
{
	return qti_key_drop(key) ? QTHREAD_SUCCESS : QTHREAD_BADARGS;
}

void *qthread_getspecific(qthread_key_t key)
{
	return qti_specific_get(key);
}

int qthread_setspecific(qthread_key_t key, void const *value)
{
	return qti_key_valid(key) ? qti_specific_set(key, (void *)value) : QTHREAD_BADARGS;
}
