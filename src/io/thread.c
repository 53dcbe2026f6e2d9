/* io/thread.c -- see io/thread.h.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "io/thread.h"

#include "base/mem.h"
#include "core/binding.h"
#include "core/notify.h"
#include "machine/thread.h"

#include <signal.h>

static sigset_t workers_signals, all_signals;

void qti_thread_setup(void)
{
	pthread_sigmask(SIG_SETMASK, NULL, &workers_signals);
	sigfillset(&all_signals);
}

bool qti_thread_start(pthread_t *thread, void *(*main)(void *), void *arg)
{
	sigset_t callers;

	if (qti_mem_fault && qti_mem_fault())
		return false;
	pthread_sigmask(SIG_SETMASK, &all_signals, &callers);
	bool started = qti_thread_create(thread, 0, main, arg) == 0;
	pthread_sigmask(SIG_SETMASK, &callers, NULL);
	return started;
}

void qti_thread_settle(void)
{
	qti_notify_then_sleep();
	qti_binding_undo();
}

void qti_thread_let_signals_in(void)
{
	pthread_sigmask(SIG_SETMASK, &workers_signals, NULL);
}

void qti_thread_keep_signals_out(void)
{
	pthread_sigmask(SIG_SETMASK, &all_signals, NULL);
}
