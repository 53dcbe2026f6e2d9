/* machine/handler.c -- see machine/handler.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "machine/handler.h"

#include <stddef.h>
#include <unwind.h>

/* Of a frame that a signal has interrupted, the address is that of the next instruction, not one behind a call. */
static _Unwind_Reason_Code frame_look(struct _Unwind_Context *context, void *found)
{
	int interrupted = 0;

	(void)_Unwind_GetIPInfo(context, &interrupted);
	*(bool *)found = interrupted != 0;
	return interrupted ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

static _Unwind_Reason_Code frame_stop(struct _Unwind_Context *unused, void *none)
{
	(void)unused;
	(void)none;
	return _URC_NORMAL_STOP;
}

void qti_handler_prepare(void)
{
	(void)_Unwind_Backtrace(frame_stop, NULL);
}

bool qti_in_handler(void)
{
	bool found = false;

	(void)_Unwind_Backtrace(frame_look, &found);
	return found;
}
