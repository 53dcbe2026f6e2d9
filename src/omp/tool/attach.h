/* omp/tool/attach.h -- is there a tool?
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * That is found out when the first thing happens that a tool could be told: then the program and all its libraries have
 * been initialized.  Without a tool each of these places costs a load of a word that never changes again, and a branch.
 */
#ifndef QOMP_ATTACH_H
#define QOMP_ATTACH_H

#include "base/atomic.h"

/* 0: there is none; a bit that no flag has which compiled code passes.  Relaxed: who is late in seeing that there is
 * none asks once more. */
#define QOMP_TOOL_BIT (UINT32_C(1) << 31)

extern uint32_t qomp_tool_on __attribute__((visibility("hidden")));

bool qomp_tool_ready(void);

/* There may be one.  Where a few instructions count, the function that asks this goes on in another one if so, by a
 * jump: a call here would have it save registers before it asks. */
static inline bool qomp_tool_maybe(void)
{
	return qti_unlikely(load_rlx(&qomp_tool_on) != 0);
}

/* Events are to be told. */
static inline bool qomp_tool_here(void)
{
	return qomp_tool_maybe() && qomp_tool_ready();
}

#endif
