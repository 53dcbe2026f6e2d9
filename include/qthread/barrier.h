/* qthread/barrier.h -- barriers: nobody goes on before everybody has come.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *   qt_barrier_t *b = qt_barrier_create(n, REGION_BARRIER);
 *   ... n participants, each as often as it likes:
 *           qt_barrier_enter(b);
 *   qt_barrier_destroy(b);
 *
 * Participants are tasks or external OS threads, in any mixture, and may be more than there are workers: a task that
 * waits leaves its worker to others, an external thread sleeps.  A barrier is ready for its next round as soon as it
 * lets a round go.
 *
 * What a participant wrote before qt_barrier_enter is visible to all participants of that round when they return.
 *
 * A barrier belongs to the runtime during which it was made: qthread_finalize releases those that are left.  NULL in
 * place of a barrier is ignored by all calls.
 */
#ifndef QTHREAD_BARRIER_H
#define QTHREAD_BARRIER_H

#include <stddef.h>

#include "qthread.h"

Q_STARTCXX
#pragma GCC visibility push(default)

typedef struct qt_barrier_s qt_barrier_t;

/* What the barrier is for.  Barriers of both types are the same. */
typedef enum { REGION_BARRIER = 0, LOOP_BARRIER } qt_barrier_btype;

/* What qt_barrier_dump shows. */
typedef enum { UPLOCK = 0, DOWNLOCK, BOTHLOCKS } qt_barrier_dtype;

/* A barrier for max_threads participants.  From any thread, on an initialized runtime; does not block.
 *
 * NULL for no participants, before qthread_initialize, and when memory is short. */
qt_barrier_t *qt_barrier_create(size_t max_threads, qt_barrier_btype type);

/* Wait until max_threads participants, this one among them, have entered.
 *
 * Only the calling task waits, or the calling OS thread if it is external.  Where more than max_threads want in, the
 * first of them make up a round and the others belong to the next. */
void qt_barrier_enter(qt_barrier_t *b);

/* The same; the caller's number among the participants does not matter. */
void qt_barrier_enter_id(qt_barrier_t *b, size_t id);

/* Change the number of participants, for the rounds to come.  If some have entered, waits until their round is
 * complete; nobody may enter meanwhile.  A size of 0 is ignored. */
void qt_barrier_resize(qt_barrier_t *b, size_t size);

/* Release a barrier.  If some have entered, waits until their round is complete; nobody may enter meanwhile or later.
 * A participant may call it as soon as its own qt_barrier_enter has returned: the others may still be on their way
 * out. */
void qt_barrier_destroy(qt_barrier_t *b);

/* Print on stderr, for debugging, how many have entered the round that is open (UPLOCK), how many of them have been put
 * to sleep (DOWNLOCK), or both.  Beside other calls the figures are a moment's. */
void qt_barrier_dump(qt_barrier_t *b, qt_barrier_dtype dt);

/* A place for one barrier in each task, and in each external OS thread: NULL at first, then what the last
 * qt_set_barrier of that task put there.  Without memory qt_set_barrier changes nothing and the task has NULL, as
 * before.  Does not block. */
qt_barrier_t *qt_get_barrier(void);
void qt_set_barrier(qt_barrier_t *b);

#pragma GCC visibility pop
Q_ENDCXX

#endif
