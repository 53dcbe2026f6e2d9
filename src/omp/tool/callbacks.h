/* omp/tool/callbacks.h -- what the tool wants to be called for.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A tool is a library, or a part of the program, that is told what the program does: OMPT, the interface of
 * include/omp-tools.h.  There is one at most.  Its initializer sets callbacks, and may do so later, on any thread: so
 * each is read once for each event, relaxed; what a callback needs the tool itself keeps in order.
 */
#ifndef QOMP_CALLBACKS_H
#define QOMP_CALLBACKS_H

#include "base/atomic.h"
#include "omp-tools.h"

enum { QOMP_EVENTS = ompt_callback_error + 1 };

extern ompt_callback_t qomp_callbacks[QOMP_EVENTS];

/* NULL: the tool does not want to know.  name: ompt_callback_NAME. */
#define qomp_callback(name) ((ompt_callback_##name##_t)load_rlx(&qomp_callbacks[ompt_callback_##name]))
#define qomp_callback_of(name, type) ((type)load_rlx(&qomp_callbacks[ompt_callback_##name]))

ompt_set_result_t qomp_callback_set(ompt_callbacks_t event, ompt_callback_t callback);

/* This tool is in use from here on; and it is not any more, and knows it.  The second does nothing if there is none. */
void qomp_callbacks_begin(ompt_start_tool_result_t *tool);
void qomp_callbacks_end(void);

/* There is a tool. */
bool qomp_callbacks_used(void);

#endif
