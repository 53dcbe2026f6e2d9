/* test/unit/omp_mixed.c -- qthreads beside regions: who waits for its team, for as long as it takes, lets them run.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Waiting threads look all the time, as under OMP_WAIT_POLICY=active, and more than one of them has a CPU.
 */
#include "api/every.h"
#include "core/worker.h"
#include "omp/abi/gomp_parallel.h"
#include "omp/abi/gomp_share.h"
#include "omp/abi/gomp_tasking.h"
#include "omp/env/env.h"
#include "omp/env/icv.h"
#include "omp/team/standing.h"

#include <sched.h>

enum { ROUNDS = 10, FORKED = 8, MANY_CPUS = 64 };

static int rounds, ran;

static void counts(void *unused)
{
	(void)unused;
	__atomic_fetch_add(&ran, 1, __ATOMIC_ACQ_REL);
}

static aligned_t forked(void *unused)
{
	counts(unused);
	return 0;
}

static unsigned others(void)
{
	return qthread_num_workers() - 1;
}

/* The others wait at the region's end, and have begun to look for the team's tasks; or they sleep, for there were some
 * elsewhere.  If the task has run in place there are none to look for. */
static void creates(void)
{
	GOMP_task(counts, NULL, NULL, 0, 1, true, 0, NULL, 0, NULL);
	while (load_rlx(&qomp_frame()->team->tasks) && load_rlx(&qti_rt.idle.count) < others())
		sched_yield();
}

static void first_creates(void *unused)
{
	(void)unused;
	if (GOMP_single_start())
		creates();
}

static void fork_some(aligned_t *done)
{
	for (int i = 0; i < FORKED; i++)
		qthread_fork(forked, NULL, &done[i]);
}

static void wait_for(const aligned_t *done)
{
	for (int i = 0; i < FORKED; i++)
		qthread_readFF(NULL, &done[i]);
}

static void between_regions(const char *what)
{
	aligned_t done[FORKED];

	ran = 0;
	for (int i = 0; i < rounds; i++) {
		GOMP_parallel(first_creates, NULL, others() + 1, 0);
		fork_some(done);
		wait_for(done);
	}
	is_int(ran, rounds * (1 + FORKED), "%s: qthreads that were forked behind a region with tasks have run", what);
}

static void member(void *arg)
{
	aligned_t *done = arg;

	if (GOMP_single_start()) {
		creates();
		fork_some(done);
		wait_for(done);
	}
}

static void in_regions(const char *what)
{
	aligned_t done[FORKED];

	ran = 0;
	for (int i = 0; i < rounds; i++)
		GOMP_parallel(member, done, others() + 1, 0);
	is_int(ran, rounds * (1 + FORKED), "%s: qthreads that were forked in a region with tasks have run", what);
}

static void run(const char *what)
{
	between_regions(what);
	in_regions(what);
}

int main(void)
{
	plan(every_runs() * 2);
	rounds = every_scaled(ROUNDS);
	qomp_settings_read();
	qomp_settings.patience = QOMP_PATIENCE_ACTIVE;
	qomp_settings.procs = MANY_CPUS;
	every_runtime(run);
	return done();
}
