/* machine/guard.h -- a fault in a guard page is reported before the process dies of it.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * SIGSEGV is the program's.  The library's action stands for the one that the program had (`before`), and only a fault
 * in a guard page is its business.  For every other one it makes way: it puts the program's action back and returns, so
 * that the same instruction meets the same fault.  Then the kernel does what that action says: flags, mask, stack, and
 * core file.  A signal that no instruction would repeat is sent to the same thread again, as it was.  If the program
 * survives, the library's action returns later (qti_guard_look).
 *
 *   GU1  Whoever changes the action or `before` holds a lock, in which the thread takes no signals.  Threads that fault
 *        at the same time come one after the other: the first makes way, the others find that it has.
 *   GU2  The thread that made way brings the library's action back at its next look, which shows that it is over the
 *        fault; other threads do after TUNE_GUARD_AWAY_NS.  If a thread meets the library's action again before its
 *        instruction has repeated the fault, it makes way once more.
 *   GU3  What the kernel has made of the program's action meanwhile (SA_RESETHAND) is what stands in `before` then.
 *        If the program has installed a handler of its own instead, that one stays, and the library's is gone.
 *   GU4  A handler that the program installs over the library's may call it, as the one that was there before.  Then
 *        nothing is put back: the library's calls the one in `before`.  If the runtime starts again while that handler
 *        is there, the library's comes over it and remembers what was beneath: a handler to which a thread has given
 *        way, and which calls the library's then, gets that one.
 *
 * Checked by test/api/guard.c and test/api/handlers.c.
 */
#ifndef QTI_MACHINE_GUARD_H
#define QTI_MACHINE_GUARD_H

#include "base/atomic.h"
#include "base/shared.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* For the library's handler, and for those of the program that want one (SA_ONSTACK). */
struct qti_altstack {
	void *memory;                   /* NULL: the thread had one already */
	size_t size;
};

/* Gives the calling thread an alternate signal stack if it has none.  0, or ENOMEM. */
int qti_altstack_begin(struct qti_altstack *a);

/* Takes it away, unless the program has given the thread another one meanwhile. */
void qti_altstack_end(struct qti_altstack *a);

/* explain(address, code) prints what happened, and returns true, if the fault is in a guard page; code: the instruction
 * that met it, NULL where the machine does not tell.  Async-signal-safe. */
void qti_guard_install(bool (*explain)(const char *address, const void *code));
void qti_guard_uninstall(void);

/* The library's action has made way (relaxed: a hint). */
extern bool qti_guard_away QTI_SHARED_VARIABLE(qti_guard_away);

QTI_SHARED void qti_guard_come_back(void);

/* Where the calling thread is in no handler of SIGSEGV: the library's action comes back, if it has made way (GU2). */
static inline void qti_guard_look(void)
{
	if (qti_unlikely(load_rlx(&qti_guard_away)))
		qti_guard_come_back();
}

#endif
