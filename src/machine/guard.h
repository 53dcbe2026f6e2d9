/* machine/guard.h -- a fault in a guard page is reported before the process dies of it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The handler runs on an alternate signal stack, which each worker brings along.  Every fault goes on to whoever
 * handled SIGSEGV before.
 */
#ifndef QTI_MACHINE_GUARD_H
#define QTI_MACHINE_GUARD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

struct qti_altstack {
	void *memory;                   /* NULL: the thread had one already */
};

/* Gives the calling thread an alternate signal stack if it has none.  0, or ENOMEM. */
int qti_altstack_begin(struct qti_altstack *a);
void qti_altstack_end(struct qti_altstack *a);

/* explain(address, code) prints what happened if the fault is one of ours; code: the instruction that met it, NULL
 * where the machine does not tell.  Async-signal-safe. */
void qti_guard_install(void (*explain)(const char *address, const void *code));
void qti_guard_uninstall(void);

#endif
