/* test/check/switches.h -- threads of a unit that stand for tasks: what a switch saves is a word that is not atomic.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Whoever makes a task ready goes on with it, as a worker may that takes it from a queue.
 */
#ifndef CHECK_SWITCHES_H
#define CHECK_SWITCHES_H

#include "check/explore.h"
#include "check/instead.h"

#include "core/loop.h"

static unsigned context[CHECK_THREADS]; /* 1: saved */
static uint32_t ready[CHECK_THREADS];   /* atomic */

/* As qti_suspend: the worker calls `after` when the task of this thread has left its stack. */
static void context_leave(struct qti_task *t, qti_after after, void *arg)
{
	unsigned i = check_thread();

	context[i] = 1;
	if (!after(t, arg)) {
		context[i] = 0;
		return;
	}
	while (!load_acq(&ready[i]))
		check_pause();
	store_rlx(&ready[i], 0);
}

static void context_enter(unsigned thread)
{
	check_that(context[thread] == 1, "a task that is made ready has left its stack");
	context[thread] = 0;
	store_rel(&ready[thread], 1);
}

#endif
