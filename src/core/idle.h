/* core/idle.h -- a worker without work.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What its states are, and why no task is left behind, is in core/idle.c.
 */
#ifndef QTI_CORE_IDLE_H
#define QTI_CORE_IDLE_H

#include "core/worker.h"

struct qti_task *qti_idle(struct qti_worker *w);        /* waits for work; NULL: stop, or off duty */
struct qti_task *qti_idle_away(struct qti_worker *w);   /* waits until w is on duty again, or for a task bound to it */
struct qti_task *qti_look(struct qti_worker *w, bool final);    /* in every place; final: before it sleeps */

/* Wakes the main task when all workers have run out of work but for tasks that do nothing but yield. */
bool qti_after_drain(struct qti_task *main_task, void *unused);
bool qti_after_yield_aside(struct qti_task *t, void *unused);
void qti_let_yielders_on(void);                         /* the tasks that went aside are ready again */
void qti_idle_stop(void);                               /* every loop ends */

/* All workers are asleep, and have been since idle.rouses had that value; nobody waits for it. */
bool qti_idle_all_sleep(uint64_t rouses);

/* If all workers are asleep: calls look(arg), which takes no time and no lock but a pool's, while none of them can be
 * roused.  Whether it did. */
QTI_SHARED bool qti_idle_hold_asleep(void (*look)(void *arg), void *arg);

/* How many are not asleep. */
unsigned qti_idle_awake(void);

/* Workers that have a task in their hands; *changes: how often any worker's have changed (H1, H2). */
unsigned qti_idle_occupied(uint64_t *changes);

/* Tasks in some queue that workers of other shepherds may take, too; roughly. */
QTI_SHARED bool qti_stealable_anywhere(void);

/* Whether somebody is about to look in every place. */
static inline bool qti_idle_looks(void)
{
	return load_rlx(&qti_rt.idle.searching) + load_rlx(&qti_rt.idle.seeking) != 0;
}

#endif
