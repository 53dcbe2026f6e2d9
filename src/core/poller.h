/* core/poller.h -- a library that has to be asked for its news, like MPI: who asks, and how often.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A poller is a library in which tasks wait for what only a call of that library's can tell.  It says how much is
 * awaited (qti_poller_await), and its function poll() makes those tasks ready whose news have come.  There is one
 * poller at a time.
 *
 * Who asks.  A worker without work has the watch: it asks and looks for tasks in turn until it has one, or until
 * nothing is awaited; others without work sleep beside it.  With nobody on watch, workers that have tasks ask between
 * two of them, one at a time and all together for a hundredth of one worker's time (TUNE_POLL_SHARE).  With nothing
 * awaited nobody asks.
 *
 * Promise: while anything is awaited, and a worker has no work, somebody has the watch.  The same store buffering as in
 * core/worker.h, and it uses those fences:
 *
 *   PW1  waker:    raise `awaited`, or lay the watch down;  fence_light or fence_sc;  look for parked workers, wake one
 *   PW2  sleeper:  announce (state PARKED);                 qti_fence_heavy;          look at `awaited`, watch; sleep
 *
 * A waker that has no other work goes on watch itself, and need not look.  One that raises `awaited` wakes nobody while
 * somebody has the watch.  So it meets who lays it down, too, and as both run on, both need a fence that is one:
 *
 *   PW3  waker:    raise `awaited`;                         fence_sc;                 look at the watch, wake one
 *        watch:    lay the watch down, with a task;         fence_sc;                 look at `awaited`, wake one
 *
 * Checked by test/unit/poller.c, test/unit/poller_share.c and test/check/watches.c.
 */
#ifndef QTI_CORE_POLLER_H
#define QTI_CORE_POLLER_H

#include "core/worker.h"

struct qti_poller {
	/* Asks for the news of up to `most` who wait, and makes ready who need not wait any more: how many.  By one
	 * worker at a time, in a task or in none; it must not wait, and takes no longer than it has to: the worker may
	 * be about to run another task. */
	unsigned (*poll)(unsigned most);
	size_t stack_size;              /* bytes that its calls need in a task: the default is no less */
};

/* From a constructor.  Who comes last is the poller. */
QTI_SHARED void qti_poller_come(const struct qti_poller *p);

/* At least so many bytes a stack; 0: nobody asks for any. */
size_t qti_poller_stack_size(void);

/* An address in the poller's code; NULL: nobody asks. */
const void *qti_poller_code(void);

/* One thing more is awaited; suspends: by the running task, which is about to suspend.  And one has come, or is given
 * up: after its task has been made ready.  The runtime runs meanwhile; qti_guest_absent keeps finalize waiting. */
QTI_SHARED void qti_poller_await(bool suspends);
QTI_SHARED void qti_poller_met(void);

static inline bool qti_awaited(void)
{
	return qti_unlikely(load_rlx(&qti_rt.idle.awaited) != 0);
}

/* By a worker that looks for work: asks, unless another worker is at it. */
void qti_poller_ask(void);

/* By a worker that has a task, or is about to look for one, when w->ask.turns is up: asks if it is time to.  True:
 * there were news, and this worker's queues may have tasks that they had not. */
bool qti_poller_ask_at_times(struct qti_worker *w);

/* Between two tasks of w's. */
static inline bool qti_poller_take_turn(struct qti_worker *w)
{
	return qti_unlikely(qti_awaited()) && w->ask.turns-- == 0 && qti_poller_ask_at_times(w);
}

/* By a worker without work.  False: another one has the watch. */
bool qti_watch_begin(void);
void qti_watch_end(void);

/* Something is awaited, nobody is on watch, and finalize does not wait for everybody to be asleep. */
bool qti_watch_wanted(void);

#endif
