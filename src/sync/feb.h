/* sync/feb.h -- full/empty state of any aligned word: what the rest of the library needs of it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_SYNC_FEB_H
#define QTI_SYNC_FEB_H

#include "sync/waiter.h"

/* Makes a return word empty before its task is queued.  QTHREAD_SUCCESS, _BADARGS or _MALLOC_ERROR. */
int qti_feb_expect(aligned_t *word);

/* Whether it can be a FEB word: not NULL, and aligned. */
static inline bool qti_feb_valid(const aligned_t *word)
{
	return word && (uintptr_t)word % sizeof(aligned_t) == 0;
}

/* The address that the program knows a word by: NULL has a word that stands in for it. */
const void *qti_feb_address(const void *word);

/* Returns when the word is full, as qthread_readFF(NULL, word), of a waiter that is shown as `kind`. */
int qti_feb_await(const aligned_t *word, enum qti_wait_kind kind);

/* Queues w, which waits for `word` to be full, if it is empty; false if it is full.  Needs no memory: an empty
 * word has its entry already. */
bool qti_feb_queue_if_empty(const aligned_t *word, struct qti_waiter *w);

/* No task runs any more, and none will: the OS threads that wait return with QTHREAD_NOT_ALLOWED. */
void qti_feb_give_up(void);

/* A task's last act: writeEF of its result into t->ret.  False if the descriptor waits for that to be empty. */
bool qti_feb_deliver(struct qti_task *t, aligned_t value);

#endif
