/* core/loop.h -- the worker loop; suspending, resuming and running tasks.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef QTI_CORE_LOOP_H
#define QTI_CORE_LOOP_H

#include "core/worker.h"

#include <sched.h>

struct qti_stack *qti_stack_get_traced(struct qti_worker *w);

/* Makes sure that the next qti_suspend cannot fail.  0 or QTHREAD_MALLOC_ERROR. */
static inline int qti_suspend_prepare(struct qti_worker *w)
{
	if (qti_likely(w->spare != NULL))
		return QTHREAD_SUCCESS;
	w->spare = qti_traces(&w->tracer) ? qti_stack_get_traced(w) : qti_stack_get(&w->shepherd->stacks, &w->stacks);
	return w->spare ? QTHREAD_SUCCESS : QTHREAD_MALLOC_ERROR;
}

/* The same for who can as well look again: false without memory for a stack, when the worker can do nothing else but
 * give its CPU to those who may free some. */
static inline bool qti_suspend_possible(struct qti_worker *w)
{
	if (qti_likely(qti_suspend_prepare(w) == QTHREAD_SUCCESS))
		return true;
	sched_yield();
	return false;
}

/* Leaves the running task's stack, then has its worker call after(task, arg); returns when the task is woken, or goes
 * on because `after` says that nobody will.
 *
 * A task must not be findable while its registers are still live: another worker could resume it half saved.  So
 * it names what is to be done (unlock the bucket, requeue) and the worker does it after the switch.  The task may
 * wake elsewhere: ask qti_self() again.  qti_suspend_prepare must have succeeded on this worker just before. */
void qti_suspend(qti_after after, void *arg);

/* As qti_suspend, but the worker goes on with `next`, if that is not NULL, and looks for nothing else. */
void qti_suspend_for(struct qti_task *next, qti_after after, void *arg);

/* As qti_suspend, where somebody other than a worker may continue the task: on a worker it has to call qti_arrived with
 * what it gets, before anything else, and with its QTI_FRAME_END.  For core/proxy.c. */
struct qti_arrival qti_suspend_to(qti_after after, void *arg);
void qti_arrived(struct qti_arrival a, char *frame_end);

/* Runs the task that will fill `ret` on top of the caller, if it stands unstarted in the worker's own queue and
 * enough stack is left.  The caller could not have gone on without it.  True if it ran. */
bool qti_join_inline(const void *ret);

/* Runs t, which has not started and which the caller could not go on without, on top of it, until t has ended. */
QTI_SHARED void qti_run_on_top(struct qti_worker *w, struct qti_task *t);

/* On the pthread's own stack, of workers other than 0: runs tasks on the spare stack until qti_idle_stop. */
void qti_worker_run(struct qti_worker *w);

/* Frees what a descriptor owns (w: the calling worker or NULL); and the descriptor itself as well. */
void qti_task_release(struct qti_task *t, struct qti_worker *w);
void qti_task_discard(struct qti_task *t);

#endif
