/* core/gate.h -- threads that are no workers, inside of the runtime: it does not end while they are.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A worker is inside for as long as it lives.  Any other thread visits: for the time of a call it opens a section of
 * base/readers.h, and only then looks at the gate.
 *
 *   GA1  visitor:   open the section;  look at the gate: not closed?  go on, else leave again
 *        finalize:  close the gate;    wait until every section is left;  take the runtime down
 *        So a call from outside, which may come at any time, finds all of the runtime or nothing of it.
 *   GA2  A visitor does not wait inside: a thread goes to sleep after it has left the section, and what wakes it lies
 *        on its own stack.
 *   GA3  Some calls serve threads while there is no runtime, too, and so must not mind the gate, but may have hold of a
 *        task's record.  Finalize makes the lists of waiters forget all tasks once no task runs any more, and then
 *        waits once more until every section is left.
 *
 * The gate: while the main task is in qthread_finalize, threads that are no tasks may not fork, for it could be for
 * ever otherwise that there is something to run; but they may do what tasks wait for.
 * Checked by test/api/visitors.c.
 */
#ifndef QTI_CORE_GATE_H
#define QTI_CORE_GATE_H

#include "core/here.h"

enum qti_gate {
	QTI_GATE_CLOSED,                /* the runtime is down */
	QTI_GATE_ENDING,                /* no new tasks from outside */
	QTI_GATE_OPEN,
};

extern uint32_t qti_gate;               /* enum qti_gate; the main task's thread changes it */

/* For threads that are no workers; visits nest.  False if the gate is closed: then nothing is to be ended. */
bool qti_visit_begin(void);

/* The same, but for calls that do not mind the gate. */
QTI_SHARED void qti_visit_begin_anyhow(void);
QTI_SHARED void qti_visit_end(void);

/* GA2.  What pause returns goes to resume, after which the runtime need not be there any more. */
unsigned qti_visit_pause(void);
void qti_visit_resume(unsigned depth);

/* For the main task's thread: nobody is inside any more who has seen the gate as it was. */
void qti_gate_narrow(enum qti_gate gate);

/* The same for any thread: a call begins, and ends, in the runtime. */
static inline bool qti_call_in(void)
{
	return qti_likely(qti_self() != NULL) || qti_visit_begin();
}

static inline void qti_call_in_anyhow(void)
{
	if (qti_unlikely(!qti_self()))
		qti_visit_begin_anyhow();
}

static inline void qti_call_out(void)
{
	if (qti_unlikely(!qti_self()))
		qti_visit_end();
}

#endif
