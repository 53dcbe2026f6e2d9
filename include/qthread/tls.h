/* qthread/tls.h -- keys, for each of which every task has a value of its own.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What pthread_key_create(3) and its relatives are for threads, these calls are for tasks.  All of them may be made by
 * tasks and by external OS threads, with and without a running runtime; none of them blocks.
 *
 * A task that has just started has NULL for every key.  External OS threads have values, too, and the main task's are
 * those of the OS thread that initialized the runtime: what that thread stored before qthread_initialize is there
 * afterwards.
 */
#ifndef QTHREAD_TLS_H
#define QTHREAD_TLS_H

#include "qthread.h"

Q_STARTCXX
#pragma GCC visibility push(default)

/* Not to be looked into.  A NULL pointer is never a key. */
typedef void **qthread_key_t;

/* Make a key, and store it in *key.
 *
 * When a task ends whose value is not NULL the value is set to NULL and destructor, unless NULL, called with what it
 * was: in the task, before its return word is filled.  The destructor may do what a task may do, wait included.  If it
 * sets values again another round follows, up to 4 in all.  Likewise when an OS thread ends, and for the main task in
 * qthread_finalize.
 *
 * QTHREAD_SUCCESS; QTHREAD_BADARGS if key is NULL; QTHREAD_OVERFLOW if there are 1024 keys. */
int qthread_key_create(qthread_key_t *key, void (*destructor)(void *));

/* Delete a key.  No destructors are called; nobody has a value for it any more.  Nobody may be using the key
 * meanwhile.  An old key never means a newer one, so that using it later is an error, not a mix-up.
 *
 * QTHREAD_SUCCESS; QTHREAD_BADARGS for what is not a key. */
int qthread_key_delete(qthread_key_t key);

/* The caller's value.  NULL if it has set none, and for what is not a key. */
void *qthread_getspecific(qthread_key_t key);

/* Set the caller's value.
 *
 * QTHREAD_SUCCESS; QTHREAD_BADARGS for what is not a key; QTHREAD_MALLOC_ERROR, which a value other than NULL may give
 * when it is the task's first for this key. */
int qthread_setspecific(qthread_key_t key, void const *value);

#pragma GCC visibility pop
Q_ENDCXX

#endif
