/* test/unit/yield_out_of_memory.c -- a task that polls by yields lets others run though there is no memory for a stack.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks that wait take all stacks there are.  The main task waits, too, so that the loop which runs the polling task
 * stands on the last one: that task has none to leave its worker.
 */
#include "api/every.h"
#include "base/mem.h"

enum { HOLDERS = 64, CHECKS_PER_RUN = 3 };

static aligned_t starving;
static __thread bool fed;               /* this thread alone finds memory: it forks, and gets no stack meanwhile */

static bool fault(void)
{
	return !fed && qthread_incr(&starving, 0) != 0;
}

static aligned_t gate, over, begun, refused, ran, woken;

static aligned_t value(aligned_t *word)
{
	return qthread_incr(word, 0);
}

static void fork_fed(qthread_f f)
{
	fed = true;
	if (qthread_fork(f, NULL, NULL) != QTHREAD_SUCCESS)
		bail_out("no memory for a task");
	fed = false;
}

static aligned_t hold_stack(void *arg)
{
	(void)arg;
	qthread_incr(&begun, 1);
	if (qthread_readFF(NULL, &gate) == QTHREAD_SUCCESS)
		qthread_incr(&woken, 1);
	else
		qthread_incr(&refused, 1);
	return 0;
}

static aligned_t leave_mark(void *arg)
{
	(void)arg;
	qthread_incr(&ran, 1);
	return 0;
}

static aligned_t poll(void *arg)
{
	(void)arg;
	fork_fed(leave_mark);
	while (value(&ran) == 0)
		qthread_yield();
	qthread_fill(&gate);
	while (value(&woken) + value(&refused) < HOLDERS)
		qthread_yield();
	qthread_fill(&over);
	return 0;
}

static void run(const char *what)
{
	begun = refused = ran = woken = 0;
	qthread_empty(&gate);
	qthread_empty(&over);
	qthread_incr(&starving, 1);
	for (int i = 0; i < HOLDERS; i++)
		fork_fed(hold_stack);
	while (value(&begun) < HOLDERS || value(&refused) == 0)
		qthread_yield();
	fork_fed(poll);
	ok(qthread_readFF(NULL, &over) == QTHREAD_SUCCESS, "%s: the main task has a stack to wait on", what);
	ok(ran == 1, "%s: what had not started runs while another polls for it", what);
	ok(woken + refused == HOLDERS && refused > 0, "%s: what waited goes on while another polls for it", what);
	qthread_incr(&starving, (aligned_t)-1);
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN);
	qti_mem_fault = fault;
	every_runtime(run);
	qti_mem_fault = NULL;
	return done();
}
