/* machine/handler.h -- whether the calling thread is in the handler of a signal.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What a handler has interrupted may hold any lock, of this library, of malloc or the program's own.  So nothing may be
 * waited for that needs one: only a walk along the stack tells, for the kernel marks its frames there.
 */
#ifndef QTI_MACHINE_HANDLER_H
#define QTI_MACHINE_HANDLER_H

#include "base/shared.h"

#include <stdbool.h>

/* Comes before the first question, where no handler asks.  The unwinder's first walk fills its tables behind a
 * pthread_once: a handler that interrupted it there and walked, too, would wait for itself for ever.  Not when the
 * library is loaded, which costs programs that never start the runtime 25 us of loading's 150.  Checked by
 * test/unit/handler. */
QTI_SHARED void qti_handler_prepare(void);

/* On the thread's own stack or an alternate one; not on one of the library's.  Functions without unwind information
 * hide what lies behind them: then the answer is no.  Takes some ten microseconds.  Async-signal-safe. */
QTI_SHARED bool qti_in_handler(void);

#endif
