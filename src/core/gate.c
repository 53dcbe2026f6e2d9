/* core/gate.c -- see core/gate.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "core/gate.h"

#include "base/readers.h"

uint32_t qti_gate;

/* The calling thread's. */
static __thread struct {
	struct qti_reader *section;     /* the outermost visit's */
	unsigned depth;
} visit __attribute__((tls_model("initial-exec")));

static void enter(unsigned depth)
{
	visit.section = qti_reader_enter();                                             /* GA1 */
	visit.depth = depth;
}

static void leave(void)
{
	visit.depth = 0;
	qti_reader_leave(visit.section);
}

void qti_visit_begin_anyhow(void)
{
	if (visit.depth == 0)
		enter(1);
	else
		visit.depth++;
}

bool qti_visit_begin(void)
{
	qti_visit_begin_anyhow();
	if (visit.depth > 1 || qti_likely(load_acq(&qti_gate) != QTI_GATE_CLOSED))      /* GA1 */
		return true;
	leave();
	return false;
}

void qti_visit_end(void)
{
	if (visit.depth > 1)
		visit.depth--;
	else
		leave();
}

unsigned qti_visit_pause(void)
{
	unsigned depth = visit.depth;

	if (depth)
		leave();
	return depth;
}

void qti_visit_resume(unsigned depth)
{
	if (depth)
		enter(depth);
}

void qti_gate_narrow(enum qti_gate gate)
{
	store_rel(&qti_gate, gate);                                                     /* GA1 */
	qti_readers_wait();
}
