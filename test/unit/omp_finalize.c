/* test/unit/omp_finalize.c -- qthread_finalize while there are regions: those of qthreads end, or wait for ever with
 * them.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "api/child.h"
#include "api/every.h"
#include "base/atomic.h"
#include "core/guest.h"
#include "core/here.h"
#include "core/idle.h"
#include "leaks.h"
#include "omp/abi/gomp_parallel.h"
#include "omp/env/env.h"
#include "omp/env/icv.h"

#include <stdbool.h>

enum { LIMIT = 60, MEMBERS = 2, CREW = 6, EACH = 6, RUNS = 2 * EVERY_SCHEDULERS };

static uint32_t ended, inside;
static aligned_t never;

static void member(void *waits)
{
	add_sc(&inside, 1);
	for (int i = 0; i < 50; i++)
		qthread_yield();
	if (*(bool *)waits)
		qthread_readFE(NULL, &never);
	add_sc(&ended, 1);
}

/* A qthread's whole life. */
struct life {
	bool in_region, waits_in_region, waits_afterwards;
};

static aligned_t live(void *arg)
{
	struct life *l = arg;

	GOMP_parallel(member, &l->waits_in_region, MEMBERS, 0);
	if (l->waits_afterwards)
		qthread_readFE(NULL, &never);
	return 0;
}

static void finalize_beside(void *arg)
{
	alarm(LIMIT);
	for (int i = 0; i < 3; i++) {
		if (qthread_initialize() != QTHREAD_SUCCESS)
			exit(1);
		qthread_empty(&never);
		inside = ended = 0;
		for (int t = 0; t < 2; t++)
			qthread_fork(live, arg, NULL);
		while (i > 0 && load_sc(&inside) == 0)
			qthread_yield();
		qthread_finalize();
		if (load_sc(&ended) != (((struct life *)arg)->waits_in_region ? 0 : 2 * MEMBERS))
			exit(2);
	}
}

static void finalize_there(void *unused)
{
	(void)unused;
	qthread_finalize();
	if (qthread_num_workers() == 0)
		exit(3);
	add_sc(&ended, 1);
}

static void finalize_inside(void *unused)
{
	(void)unused;
	alarm(LIMIT);
	qthread_initialize();
	GOMP_parallel(finalize_there, NULL, 2, 0);
	if (load_sc(&ended) != 2)
		exit(4);
	qthread_finalize();
	if (qthread_num_workers() != 0)
		exit(5);
}

/* More members than workers: some are threads of their own, which go on when all tasks wait, the main task in
 * qthread_finalize; or when that one is about to leave the process. */
static bool exits;
static uint32_t threads, leaving, written, late;

/* While finalize drains it runs what there is, and then waits for who is absent. */
static bool all_tasks_wait(void)
{
	uint64_t changes;

	return !qti_host_drains() && qti_idle_occupied(&changes) == 0;
}

static void wait_for_the_end(void)
{
	while (exits ? load_sc(&leaving) == 0 : qti_host_runs() && !all_tasks_wait())
		sched_yield();
	if (!exits && !qti_host_runs())
		add_sc(&late, 1);       /* it was to wait for this one first */
}

static void write_late(void *word)
{
	const bool thread = !qti_self();

	add_sc(&inside, 1);
	if (thread) {
		add_sc(&threads, 1);
		wait_for_the_end();
	}
	for (int i = 0; i < 40; i++)
		add_sc((uint32_t *)word, 1);
	if (thread)
		add_sc(&written, 1);
	add_sc(&ended, 1);
}

static aligned_t live_with_crew(void *arg)
{
	uint32_t on_stack = 0;

	GOMP_parallel(write_late, &on_stack, CREW, 0);
	return on_stack + (arg != NULL);
}

static void begin_crews(void)
{
	alarm(LIMIT);
	qomp_settings.patience = QOMP_PATIENCE_PASSIVE;        /* who waits for them sleeps at once */
	if (qthread_initialize() != QTHREAD_SUCCESS)
		exit(1);
	inside = ended = 0;
	for (int t = 0; t < 2; t++)
		qthread_fork(live_with_crew, NULL, NULL);
}

static void finalize_beside_crews(void *unused)
{
	(void)unused;
	for (int i = 0; i < 2; i++) {
		begin_crews();
		while (i > 0 && load_sc(&inside) == 0)
			qthread_yield();
		qthread_finalize();
		if (load_sc(&ended) != 2 * CREW || load_sc(&threads) == 0)
			exit(2);
		if (load_sc(&late) != 0)
			exit(6);
	}
}

/* Called last of all: their stacks are still there. */
static void let_crews_go_on(void)
{
	store_rel(&leaving, 1);
	while (load_sc(&written) == 0)
		sched_yield();
}

static void exit_beside_crews(void *unused)
{
	(void)unused;
	leaks_allow();
	exits = true;
	atexit(let_crews_go_on);
	begin_crews();
	while (load_sc(&threads) == 0)
		qthread_yield();
	exit(0);
}

static void run(const char *scheduler, const char *workers)
{
	static struct life ends = { .in_region = true }, in_region = { .waits_in_region = true }, after = { .waits_afterwards = true };
	static struct child c;

	every_settings(scheduler, "1", workers);
	child_run(&c, finalize_beside, &ends);
	if (!ok(child_ended_well(&c), "%s 1 x %s: regions of qthreads that can end do", scheduler, workers))
		child_tell(&c);
	child_run(&c, finalize_beside, &in_region);
	if (!ok(child_ended_well(&c), "%s 1 x %s: qthreads that wait for ever in a region stay there", scheduler, workers))
		child_tell(&c);
	child_run(&c, finalize_beside, &after);
	if (!ok(child_ended_well(&c), "%s 1 x %s: so do those that wait for ever after one", scheduler, workers))
		child_tell(&c);
	child_run(&c, finalize_beside_crews, NULL);
	if (!ok(child_ended_well(&c), "%s 1 x %s: regions that have threads of their own end", scheduler, workers))
		child_tell(&c);
	child_run(&c, exit_beside_crews, NULL);
	if (!ok(child_ended_well(&c) || !leaks_allowed(), "%s 1 x %s: exit does not wait for them, and takes nothing away", scheduler,
		workers))
		child_tell(&c);
	child_run(&c, finalize_inside, NULL);
	if (!ok(child_ended_well(&c) && strstr(c.said, "qthread_finalize in a parallel region"),
		"%s 1 x %s: in a region of the main task it does nothing, and says so", scheduler, workers))
		child_tell(&c);
}

int main(void)
{
	qomp_settings_read();
	qomp_settings.patience = QOMP_PATIENCE_ACTIVE;
	plan(RUNS * EACH);
	for (int s = 0; s < EVERY_SCHEDULERS; s++) {
		run(every_scheduler[s], "2");
		run(every_scheduler[s], "4");
	}
	return done();
}
