/* test/unit/io_out_of_memory.c -- sleeping and blocking calls where the system has no thread, or no memory, to give.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The call is then made where the task is.  What it waits for is there already, since its worker does nothing else.
 */
#include "api/blocking.h"
#include "fault.h"

#include <qthread/io.h>
#include <qthread/qt_syscalls.h>

enum { CHECKS_PER_RUN = 6, N = 24, AFTER_MAX = 12 };

enum { PLENTY = 1 << 30 };

static aligned_t gate, stayed, slept;

static aligned_t tries_everything(void *arg)
{
	char c = 0;

	qthread_readFF(NULL, &gate);
	qt_begin_blocking_action();
	qthread_incr(&stayed, on_worker());
	bool good = read(ends[0], &c, 1) == 1;
	qt_end_blocking_action();
	good = good && on_worker() && qt_usleep(10) == 0;
	qthread_incr(&slept, good);
	return good && (arg || WEXITSTATUS(qt_system("exit 4")) == 4);
}

/* How many of N tasks come through. */
static int starve(unsigned granted)
{
	aligned_t ret[N];
	int good = 0;

	qthread_empty(&gate);
	for (int i = 0; i < N; i++) {
		put("x");
		qthread_fork(tries_everything, (void *)(uintptr_t)i, &ret[i]);
	}
	until_waiting(&gate, QTI_WAIT_READ_FF, N);
	fault_after(granted);
	qthread_fill(&gate);
	for (int i = 0; i < N; i++) {
		qthread_readFF(&ret[i], &ret[i]);
		good += ret[i] == 1;
	}
	fault_end();
	return good;
}

static void no_thread(const char *what)
{
	const uint64_t before = fault_denied();

	stayed = 0;
	is_int(starve(0), N, "%s: without threads: every call is made", what);
	ok(fault_denied() > before && stayed > 0, "%s: without threads: where the task is",
		what);
}

static void some_threads(const char *what)
{
	int good = 0;

	for (unsigned after = 0; after < AFTER_MAX; after++)
		good += starve(after);
	is_int(good, AFTER_MAX * N, "%s: with few threads: every call is made", what);
}

static void enough_again(const char *what)
{
	stayed = slept = 0;
	is_int(starve(PLENTY), N, "%s: with threads again: every call is made", what);
	is_int(stayed, 0, "%s: with threads again: no task stays on its worker", what);
	is_int(slept, N, "%s: with threads again: all sleep", what);
}

/* The first thing in a runtime, so that no thread is left from before. */
static void run(const char *what)
{
	pipe_open();
	no_thread(what);
	some_threads(what);
	enough_again(what);
	pipe_close();
}

int main(void)
{
	plan(every_runs() * CHECKS_PER_RUN);
	qti_mem_fault = fault;
	every_runtime(run);
	return done();
}
