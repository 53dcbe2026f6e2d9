/* core/gate.c -- see core/gate.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/gate.h"

#include "base/readers.h"
#include "core/binding.h"

uint32_t qti_gate;

/* The calling thread's. */
static __thread struct {
	struct qti_reader *section;     /* the outermost visit's */
	unsigned depth;
	bool settled;
} visit __attribute__((tls_model("initial-exec")));

/* A thread that a task has created is bound to its worker's CPU by inheritance, and would run only when that worker
 * does not.  It gets those CPUs that the process has. */
static void visitor_settle(void)
{
	visit.settled = true;
	qti_binding_undo();
}

static void visit_enter(unsigned depth)
{
	visit.section = qti_reader_enter();                                             /* GA1 */
	visit.depth = depth;
	if (qti_unlikely(!visit.settled) && load_acq(&qti_gate) != QTI_GATE_CLOSED)     /* GA1 */
		visitor_settle();
}

static void visit_leave(void)
{
	visit.depth = 0;
	qti_reader_leave(visit.section);
}

void qti_visit_begin_anyhow(void)
{
	if (visit.depth == 0)
		visit_enter(1);
	else
		visit.depth++;
}

bool qti_visit_begin(void)
{
	qti_visit_begin_anyhow();
	if (visit.depth > 1 || qti_likely(load_acq(&qti_gate) != QTI_GATE_CLOSED))      /* GA1 */
		return true;
	visit_leave();
	return false;
}

void qti_visit_end(void)
{
	if (visit.depth > 1)
		visit.depth--;
	else
		visit_leave();
}

unsigned qti_visit_pause(void)
{
	unsigned depth = visit.depth;

	if (depth)
		visit_leave();
	return depth;
}

void qti_visit_resume(unsigned depth)
{
	if (depth)
		visit_enter(depth);
}

void qti_gate_narrow(enum qti_gate gate)
{
	store_rel(&qti_gate, gate);                                                     /* GA1 */
	qti_readers_wait();
}
