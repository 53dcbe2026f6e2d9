/* test/unit/omp_wait_loop.c -- who waits for its team: when it gives its CPU away, and when it sleeps.
 *
 * Copyright (c) 2026 The libqthread authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The clock is the test's own: each look at it takes a microsecond.
 */
#include "base/tuning.h"
#include "omp/env/env.h"
#include "omp/team/patience.h"
#include "omp/team/root.h"
#include "omp/team/wait_loop.h"
#include "tap.h"

#include <sched.h>
#include <time.h>

enum { LOOK_NS = 1000, OTHERS_NS = 4000000, PROCS = 2, MEMBERS = 3 };

static uint64_t now = OTHERS_NS;
static unsigned yields, looks_before;   /* before the first of these */

int clock_gettime(clockid_t clock, struct timespec *t)
{
	(void)clock;
	now += LOOK_NS;
	looks_before += yields == 0;
	t->tv_sec = (time_t)(now / 1000000000u);
	t->tv_nsec = (long)(now % 1000000000u);
	return 0;
}

int sched_yield(void)
{
	yields++;
	now += OTHERS_NS;
	return 0;
}

static struct qomp_member member[MEMBERS];
static struct qomp_member *members[MEMBERS] = { &member[0], &member[1], &member[2] };
static struct qomp_root root;
static struct qomp_team team = { .member = members, .root = &root };

/* A wait that nothing ends, in a team of n whose members each run on a CPU of their own. */
static void wait_until_over(unsigned n, bool tasks, bool crowded)
{
	team.n = n;
	team.tasks = tasks;
	for (unsigned i = 0; i < MEMBERS; i++) {
		member[i] = (struct qomp_member){ .team = &team };
		member[i].frame.team = &team;
		member[i].frame.num = (uint16_t)i;
	}
	qomp_crowded = crowded;
	qomp_spin_ns = crowded ? TUNE_SPIN_CROWDED_NS : TUNE_SPIN_NS;
	yields = looks_before = 0;
	struct qomp_wait_loop v = qomp_wait_loop_begin(&member[0].frame);
	while (!qomp_wait_loop_over(&v))
		continue;
	qomp_wait_loop_break(&v);
}

/* Looks of one that seeks tasks until it says that it is out of work, where it has just run out of what it got so long
 * ago; 0: it got none. */
static unsigned looks_until_out_of_work(uint64_t got_ns)
{
	struct qomp_wait_loop v = qomp_wait_loop_begin(&member[0].frame);

	qti_guest_seek(true);
	v.seeks = true;
	v.got_work = got_ns ? now - got_ns : 0;
	while (!qti_host_anybody_out_of_work() && !qomp_wait_loop_over(&v))
		continue;
	unsigned looks = v.looks;
	bool said = v.out_of_work;
	qomp_wait_loop_break(&v);
	return said && !qti_host_anybody_out_of_work() ? looks : 0;
}

static void asking_is_worth_it(void)
{
	is_int(looks_until_out_of_work(0), TUNE_OUT_OF_WORK_LOOKS, "who finds no task says so after a while");
	is_int(looks_until_out_of_work(1), 2 * TUNE_OUT_OF_WORK_LOOKS, "after twice as long, if what it got lasted for nothing");
	is_int(looks_until_out_of_work(1), 4 * TUNE_OUT_OF_WORK_LOOKS, "and twice that, if it was the same again");
	is_int(looks_until_out_of_work(TUNE_WORK_LASTS_NS), TUNE_OUT_OF_WORK_LOOKS, "and as soon as at first, once it was worth it");
}

int main(void)
{
	plan(9);
	qomp_settings.procs = PROCS;
	wait_until_over(PROCS, false, false);
	ok(looks_before >= 20 && yields > 0, "it looks for its team before it gives way: %u us", looks_before);
	wait_until_over(PROCS, false, true);
	ok(looks_before >= 10 && yields > 0, "so it does in a team that has the CPUs, where all threads have not: %u us", looks_before);
	wait_until_over(PROCS, true, true);
	ok(looks_before <= 3 && yields > 10, "at once, and again and again, while the team has tasks: after %u us", looks_before);
	wait_until_over(MEMBERS, false, true);
	ok(looks_before <= 3 && yields > 10, "and in a team that has fewer CPUs than threads: after %u us", looks_before);
	wait_until_over(MEMBERS, false, false);
	ok(looks_before >= 20, "unless there are more CPUs than the team knows of: %u us", looks_before);
	asking_is_worth_it();
	return done();
}
